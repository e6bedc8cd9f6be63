import Contracts
import Foundation
import Ledger
import ServiceKit
import Storage

@main
struct WalletMain {
    static func main() async { await ServiceHost.main("wallet", serve) }

    private static func serve() async throws {
        let config = try WalletConfig.fromEnvironment()
        // Every payment waits for its commit. As a batch it waited, when its sync had ended, up to 4 ms for others' turns.
        let host = try ServiceHost(Wallet.service, config: config.host, scheduling: .other)
        let logger = host.logger
        let store = try SQLiteLedgerStore(path: "\(config.data)/ledger.sqlite", rules: config.rules)
        let publisher = host.publish(Wallet.self, from: LedgerFactLog(store))
        let answering = try WalletAnswering(store: store, facts: publisher, clock: host.clock) { failure in
            // What is on the disk is unknown: the next process reads it and goes on from there.
            logger.critical("the ledger's storage failed; ending", metadata: ["error": "\(failure)"])
            _exit(EX_IOERR)
        }
        host.keeps(
            Wallet.self, in: "\(config.data)/ledger.sqlite", keys: ["card-number.key": config.keyFile]
        ) { try await store.copy(to: $0) }
        host.answer(inBatches: answering, credit: config.credit)
        let figures = LedgerFigures(store)
        figures.read()
        host.measure { figures.samples }
        host.every(.seconds(60)) { figures.read() }
        host.every(.seconds(1)) {
            let expired = answering.expireHolds()
            if expired > 0 { logger.info("holds expired", metadata: ["count": "\(expired)"]) }
        }
        host.every(.milliseconds(200)) { answering.tidy() }
        try await host.run()
        answering.settle()
    }
}
