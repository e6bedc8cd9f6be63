import Glibc
import Logging
import Storage
import WalletService

/// Logs the ledger's troubles.
struct LedgerAlarms: Sendable {
    private let logger: Logger

    init(_ logger: Logger) { self.logger = logger }

    /// - Parameter sealed: the last fact that was sealed while the file was opened; nil where the file had its chain.
    func report(anchorProblems problems: [String], sealed: Int64?) {
        if let sealed, sealed > 0 {
            logger.critical(
                "the ledger had no hash chain and has one now, over its facts as they were. Expected once, after an upgrade",
                metadata: ["facts": "\(sealed)"])
        }
        for problem in problems {
            logger.critical("the ledger is not whole: nothing is written", metadata: ["problem": "\(problem)"])
        }
    }

    /// - Parameter ahead: nil when the clock is right again.
    func clock(ahead: Duration?) {
        guard let ahead else { return logger.notice("the clock is right again: the ledger goes on") }
        logger.critical(
            """
            the clock is ahead of what the ledger knows: nothing is written until it is right again. If it is right \
            now, restart the wallet; if the ledger has rested for longer than BILLFOLD_CLOCK_GAP_DAYS, set that higher
            """, metadata: ["seconds": "\(ahead.components.seconds)"])
    }

    /// Ends the process: what is on the disk is unknown, and the next process reads it and goes on from there.
    func storageFailed(_ failure: StoreFailure) {
        logger.critical("the ledger's storage failed; ending", metadata: ["error": "\(failure)"])
        _exit(EX_IOERR)
    }

    func holdsExpired(_ count: Int) {
        if count > 0 { logger.info("holds expired", metadata: ["count": "\(count)"]) }
    }

    func headNotKept(_ error: any Error) {
        logger.error("the ledger's head could not be written down", metadata: ["error": "\(error)"])
    }
}
