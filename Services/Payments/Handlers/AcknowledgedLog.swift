import Bus
import Contracts
import Primitives

/// Answers reads of payments' facts. A page that ends the log comes only after the facts of all payments that were
/// acknowledged before the ask.
///
/// The wallet decides, and payments' fact follows later. A reader of the log's end must see what customers were told.
package struct AcknowledgedLog: FactLog {
    /// How long an answer waits for the facts.
    private static let patience = Duration.seconds(2)

    private let log: any FactLog
    private let clock: WallClock
    private let caughtUp: @Sendable (Timestamp) async throws -> Void

    /// - Parameter caughtUp: returns once the log has all acknowledged payments; throws at the deadline.
    package init(
        _ log: any FactLog, clock: WallClock, caughtUp: @escaping @Sendable (Timestamp) async throws -> Void
    ) {
        self.log = log
        self.clock = clock
        self.caughtUp = caughtUp
    }

    package func read(after sequence: Int64, limit: Int) async throws -> FactsPage {
        let page = try await log.read(after: sequence, limit: limit)
        guard page.facts.isEmpty else { return page }
        try await caughtUp(clock.now() + Self.patience)
        return try await log.read(after: sequence, limit: limit)
    }
}
