import Bus
import Contracts
import Primitives

/// Payments' facts as others read them. An empty page, which says that there are no more, comes after the facts of
/// every payment that was acknowledged before the ask.
///
/// The wallet decides, and payments' own fact follows. A reader of the end of the log sees what a customer was told.
package struct AcknowledgedLog: FactLog {
    /// How long an answer may wait for the facts.
    private static let patience = Duration.seconds(2)

    private let log: any FactLog
    private let clock: WallClock
    private let caughtUp: @Sendable (Timestamp) async throws -> Void

    /// - Parameter caughtUp: returns once the log holds all that was acknowledged; throws at the deadline.
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
