import Bus
import Contracts
import PaymentsService
import Primitives
import ServiceKit
import Sodium

@main
struct PaymentsMain {
    static func main() async { await ServiceHost.main("payments", serve) }

    private static func serve() async throws {
        let config = try PaymentsConfig.fromEnvironment()
        let host = try ServiceHost(Payments.service, config: config.host)
        let data = try config.host.dataDirectory(of: Payments.service)
        let file = "\(data)/payments.sqlite"
        // Before there is a file: with another key nobody could redeem a code that was shown before.
        let codeKey = try KeyFile.open(named: config.codeKeyFile, otherwise: "\(data)/code.key", protecting: file)
        let publisher = Late<FactPublisher<Payments>>()
        let store = try SQLiteChargeStore(path: file) { publisher.value?.publish($0) }
        let (watermark, walletFacts) = (WalletWatermark(), Late<FactSubscription<Wallet>>())
        let log = AcknowledgedLog(store, clock: host.clock) { deadline in
            try await walletFacts.value?.reached(watermark.sequence, deadline: deadline)
        }
        publisher.set(host.publish(Payments.self, from: log))
        // What is read together changes each page of the file once. Who waits for a fact does not wait for others.
        let wallet = host.hear(
            Wallet.self, from: try await store.walletPosition(), pause: .milliseconds(15)
        ) { facts in
            try await store.apply(facts)
        }
        walletFacts.set(wallet)
        let desk = ChargeDesk(
            store: store, bus: host.bus, rules: config.rules,
            codeKey: codeKey, clock: host.clock, watermark: watermark,
            caughtUp: { sequence, deadline throws(Fault) in try await wallet.reached(sequence, deadline: deadline) })
        // News of an approval changes nothing: a missing one is not remembered.
        host.glimpse(Auth.MerchantDecided.self) { [merchants = desk.merchants] news in
            if news.status != .approved { merchants.forget(news.merchant) }
        }

        host.answer(with: CreatePaymentHandler(desk: desk))
        host.answer(with: IssueCodeHandler(desk: desk))
        host.answer(with: RedeemCodeHandler(desk: desk))
        host.answer(with: RequestChargeHandler(desk: desk))
        host.answer(with: ApproveChargeHandler(desk: desk))
        host.answer(with: DeclineChargeHandler(desk: desk))
        host.answer(with: CancelChargeHandler(desk: desk))
        host.answer(with: RefundChargeHandler(desk: desk))
        host.answer(with: ReadChargeHandler(desk: desk))
        host.answer(with: ReadReceiptHandler(desk: desk))
        host.answer(with: ReadChargesHandler(desk: desk))
        host.answer(with: ReadEnabledHandler(desk: desk))
        host.answer(with: SetEnabledHandler(desk: desk))
        host.keeps(
            Payments.self, in: file,
            keys: ["code.key": KeyFile.inUse(named: config.codeKeyFile, otherwise: "\(data)/code.key")]
        ) { try await store.copy(to: $0) }
        host.answer(with: TableHandler(Payments.self) { try await store.table($0, after: $1, limit: $2) })
        host.take(atMost: 2048)

        let sweep = ExpirySweep(desk: desk)
        let logger = host.logger
        host.every(.milliseconds(500)) {
            do { try await sweep.run() } catch {
                logger.warning("charges expire late", metadata: ["error": "\(error)"])
            }
        }
        try await host.run()
    }
}
