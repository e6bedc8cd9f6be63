import Bus
import Contracts
import Dispatch
import ServiceKit
import WalletService

@main
struct WalletMain {
    static func main() async { await ServiceHost.main("wallet", serve) }

    private static func serve() async throws {
        let config = try WalletConfig.fromEnvironment()
        // Not batch-scheduled: the wallet, and every payment with it, would wait for a core after each sync.
        let host = try ServiceHost(Wallet.service, config: config.host, scheduling: .other)
        let file = "\(config.data)/ledger.sqlite"
        let alarms = LedgerAlarms(host.logger)
        let store = try SQLLedgerStore(
            config.host.place(of: Wallet.service, file: file, keys: ["card-number.key": config.rules.cardNumberKey]),
            path: file, rules: config.rules, manifest: config.manifest)
        alarms.report(anchorProblems: store.anchorProblems, sealed: store.sealed)
        let facts = FactPublisher(Wallet.self, on: host.bus)
        let answering = try WalletAnswering(
            store: store, facts: facts, clock: host.clock, clockGapMax: config.clockGapMax,
            onClock: alarms.clock, onStorageFailure: alarms.storageFailed)
        let figures = LedgerFigures(store)
        figures.read()
        // A disk that stands still may hold up this queue and no other.
        let headQueue = DispatchQueue(label: "billfold.wallet.head")
        let keepHead: @Sendable () -> Void = {
            do { try store.keepHead() } catch { alarms.headNotKept(error) }
        }

        try await host.run(
            ServiceDefinition(
                answers: [ReadMovementsHandler(answering, clock: host.clock)],
                answersInBatches: answering,
                credit: config.credit,
                publishes: PublishedFacts(facts, from: LedgerFactLog(store)),
                keeps: ServiceData(
                    Wallet.self, file: file, keys: ["card-number.key": config.keyFile],
                    copy: { try await store.copy(to: $0) }),
                background: [
                    .every(.seconds(1)) { alarms.holdsExpired(answering.expireHolds()) },
                    .every(.milliseconds(200)) { answering.tidy() },
                    .every(.seconds(60)) { figures.read() },
                    // Not on the reactor's thread, where payments wait for the disk.
                    .every(.seconds(5)) { headQueue.async(execute: keepHead) }
                ],
                metrics: {
                    figures.samples + answering.checks.samples + [
                        .gauge("clock_refusing", answering.isClockAhead ? 1 : 0),
                        .gauge("anchors_missing", store.anchorProblems.count)
                    ]
                }))
        answering.settle()
        keepHead()
    }
}
