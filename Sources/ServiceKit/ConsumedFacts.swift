import Bus
import Contracts
import Logging
import Primitives

/// All facts of another service, applied from a durable cursor on.
package struct ConsumedFacts: Sendable {
    let source: any FactSource.Type
    /// Runs before the service is ready.
    let prepare: @Sendable (Logger, WallClock) async throws -> Void
    /// Runs until the service stops.
    let run: @Sendable (Logger) async throws -> Void
    let metrics: @Sendable () -> [ServiceStats.Sample]
    /// Moves the cursor from one fact to another; returns the source's newest.
    let move: @Sendable (_ begin: Int64, _ end: Int64, _ deadline: Timestamp) async throws(Fault) -> Int64

    /// Facts without which the service's state is incomplete: READY waits until they have been applied, however long
    /// the source is away. A source whose log is not the one that was read before ends the process (`FactsDiverged`);
    /// started again, it refuses asks until the cursor or the log is put right.
    ///
    /// - Parameter store: keeps the cursor.
    package static func required<Source: FactSource>(
        _ subscription: FactSubscription<Source>, in store: any CursorStore
    ) -> ConsumedFacts {
        ConsumedFacts(subscription, store) { logger, clock in
            subscription.listen()
            try await catchUp(subscription, logger, clock)
        } run: { logger in
            await subscription.run { report($0, of: Source.service, logger) }
            if let diverged = subscription.diverged { throw diverged }
        }
    }

    /// Facts that the service can do without for a while: they are applied whenever the source is there. A log that is
    /// not the one that was read before is logged as an error, and read again once it is.
    ///
    /// - Parameter store: keeps the cursor.
    package static func optional<Source: FactSource>(
        _ subscription: FactSubscription<Source>, in store: any CursorStore
    ) -> ConsumedFacts {
        ConsumedFacts(subscription, store) { _, _ in
            subscription.listen()
        } run: { logger in
            while true {
                await subscription.run { report($0, of: Source.service, logger) }
                guard let diverged = subscription.diverged, !Task.isCancelled else { return }
                logger.error("facts are not read", metadata: ["source": "\(Source.service)", "error": "\(diverged)"])
                try await Task.sleep(for: pauseAfterDivergence)
            }
        }
    }

    /// It takes an operator to end a divergence.
    static let pauseAfterDivergence = Duration.seconds(5)
    private static let pauseBeforeSource = Duration.milliseconds(100)
    private static let patience = Duration.seconds(5)

    private init<Source: FactSource>(
        _ subscription: FactSubscription<Source>, _ store: any CursorStore,
        prepare: @escaping @Sendable (Logger, WallClock) async throws -> Void,
        run: @escaping @Sendable (Logger) async throws -> Void
    ) {
        source = Source.self
        self.prepare = prepare
        self.run = run
        move = { begin, end, deadline throws(Fault) in
            try await subscription.move(from: begin, to: end, in: store, deadline: deadline)
        }
        metrics = {
            let (position, head) = (subscription.position, subscription.head)
            let labels = ["source": Source.service]
            return [
                .gauge("facts_position", Int(position), labels: labels),
                .gauge("facts_behind", Int(max(0, head - position)), labels: labels),
                .gauge("facts_diverged", subscription.diverged == nil ? 0 : 1, labels: labels),
                .gauge("facts_stopped", subscription.isStopped ? 1 : 0, labels: labels)
            ]
        }
    }

    /// Waits for a source that does not answer, and logs it: half a state is worse than a late start.
    private static func catchUp<Source: FactSource>(
        _ subscription: FactSubscription<Source>, _ logger: Logger, _ clock: WallClock
    ) async throws {
        while true {
            do { return try await subscription.catchUp(deadline: clock.now() + patience) } catch {
                if error is FactsDiverged { throw error }
                try Task.checkCancellation()
                logger.notice("waiting for facts", metadata: ["source": "\(Source.service)", "error": "\(error)"])
                try await Task.sleep(for: pauseBeforeSource)
            }
        }
    }

    private static func report(_ error: any Error, of source: String, _ logger: Logger) {
        logger.warning("facts are late", metadata: ["source": "\(source)", "error": "\(error)"])
    }
}

/// Facts of one type, seen as they are published and not read again: for caches and displays.
package struct ObservedFacts: Sendable {
    let start: @Sendable (Bus) -> Void

    package init<F: Fact>(_ type: F.Type, _ body: @escaping @Sendable (F) -> Void) {
        start = { $0.observe(type, body) }
    }
}
