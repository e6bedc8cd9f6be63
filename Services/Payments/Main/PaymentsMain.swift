import Bus
import Contracts
import PaymentsService
import ServiceKit
import Sodium

@main
struct PaymentsMain {
    static func main() async { await ServiceHost.main("payments", serve) }

    private static func serve() async throws {
        let config = try PaymentsConfig.fromEnvironment()
        let host = try ServiceHost(Payments.service, config: config.host)
        let data = try config.host.dataDirectory(of: Payments.service)
        let (file, keyFile) = ("\(data)/payments.sqlite", "\(data)/code.key")
        // Before the file is made: with another key, codes that were shown before could not be redeemed.
        let codeKey = try KeyFile.open(named: config.codeKeyFile, otherwise: keyFile, protecting: file)
        let facts = FactPublisher(Payments.self, on: host.bus)
        try await host.takeOver(Payments.self, file: file) { try SQLChargeStore(.file($0)).store }
        let charges = try SQLChargeStore(
            host.config.place(of: Payments.service, file: file, keys: ["code.key": codeKey]))
        charges.store.publish(to: facts)
        // Facts that are applied together change each page of the file once. A caller that waits for a fact ends the
        // pause.
        let wallet = FactSubscription(
            to: Wallet.self, on: host.bus, from: try await charges.walletPosition(), pause: .milliseconds(15)
        ) { try await charges.apply($0) }
        let watermark = WalletWatermark()
        let log = AcknowledgedLog(charges, clock: host.clock) {
            try await wallet.reached(watermark.sequence, deadline: $0)
        }
        let service = ChargeService(
            store: charges, bus: host.bus, rules: config.rules, codeKey: codeKey, clock: host.clock,
            watermark: watermark,
            caughtUp: { sequence, deadline throws(Fault) in try await wallet.reached(sequence, deadline: deadline) })
        let sweep = ExpirySweep(service: service)

        try await host.run(
            ServiceDefinition(
                asks: [Auth.self, Location.self, Offers.self, Wallet.self],
                answers: service.handlers,
                credit: 2048,
                publishes: PublishedFacts(facts, from: log),
                consumes: [.required(wallet, in: charges.store)],
                observes: [
                    ObservedFacts(Auth.MerchantDecided.self) { [merchants = service.merchants] decided in
                        // Only approved merchants are remembered.
                        if decided.status != .approved { merchants.forget(decided.merchant) }
                    }
                ],
                keeps: ServiceData(
                    Payments.self, file: file,
                    keys: ["code.key": KeyFile.inUse(named: config.codeKeyFile, otherwise: keyFile)],
                    copy: { try await charges.store.copy(to: $0) },
                    table: { try await charges.store.table($0, after: $1, limit: $2) }
                )
                .handedOver(of: Payments.self, by: charges.store.handOver),
                background: [
                    .every(.milliseconds(500), failing: "charges expire late") { try await sweep.run() }
                ]))
    }
}
