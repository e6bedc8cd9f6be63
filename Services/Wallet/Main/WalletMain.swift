import Contracts
import Foundation
import ServiceKit
import Storage
import WalletService

@main
struct WalletMain {
    static func main() async { await ServiceHost.main("wallet", serve) }

    private static func serve() async throws {
        let config = try WalletConfig.fromEnvironment()
        // Every payment waits for its commit. As a batch it waited, when its sync had ended, up to 4 ms for others' turns.
        let host = try ServiceHost(Wallet.service, config: config.host, scheduling: .other)
        let logger = host.logger
        let store = try SQLiteLedgerStore(
            path: "\(config.data)/ledger.sqlite", rules: config.rules, manifest: config.manifest)
        for problem in store.anchorProblems {
            logger.critical("the ledger is not whole: nothing is written", metadata: ["problem": "\(problem)"])
        }
        let publisher = host.publish(Wallet.self, from: LedgerFactLog(store))
        let answering = try WalletAnswering(
            store: store, facts: publisher, clock: host.clock, clockGapMax: config.clockGapMax
        ) { ahead in
            guard let ahead else { return logger.notice("the clock is right again: the ledger goes on") }
            logger.critical(
                """
                the clock is ahead of what the ledger knows: nothing is written until it is right again. If it is right \
                now, restart the wallet; if the ledger has rested for longer than BILLFOLD_CLOCK_GAP_DAYS, set that higher
                """, metadata: ["seconds": "\(ahead.components.seconds)"])
        } onStorageFailure: { failure in
            // What is on the disk is unknown: the next process reads it and goes on from there.
            logger.critical("the ledger's storage failed; ending", metadata: ["error": "\(failure)"])
            _exit(EX_IOERR)
        }
        host.keeps(
            Wallet.self, in: "\(config.data)/ledger.sqlite", keys: ["card-number.key": config.keyFile]
        ) { try await store.copy(to: $0) }
        host.answer(inBatches: answering, credit: config.credit)
        host.tell {
            [
                ("clock_refusing", answering.isClockAhead ? 1 : 0),
                ("anchors_missing", store.anchorProblems.count)
            ]
        }
        let figures = LedgerFigures(store)
        figures.read()
        host.measure { figures.samples }
        host.every(.seconds(60)) { figures.read() }
        host.every(.seconds(1)) {
            let expired = answering.expireHolds()
            if expired > 0 { logger.info("holds expired", metadata: ["count": "\(expired)"]) }
        }
        host.every(.milliseconds(200)) { answering.tidy() }
        let keepHead: @Sendable () -> Void = {
            do { try store.keepHead() } catch {
                logger.error("the ledger's head could not be written down", metadata: ["error": "\(error)"])
            }
        }
        // Elsewhere than where payments wait for the disk.
        host.every(.seconds(60)) { DispatchQueue.global().async(execute: keepHead) }
        try await host.run()
        answering.settle()
        keepHead()
    }
}
