import LoadReport
import Synchronization

/// What the generator's thread and the others share while it runs.
package final class LiveBoard: Sendable {
    package struct Figures: Sendable {
        package var isWarmUp = true
        package var ok = 0
        package var refused = 0
        package var trouble = 0
        package var inFlight = 0
        package var last: LoadInterval?
        package var step: String?
    }

    private let figures = Mutex(Figures())
    private let begun = Atomic(false)
    private let stopped = Atomic(false)
    private let ended = Atomic(false)

    package init() {}

    package var now: Figures { figures.withLock { $0 } }
    package func update(_ change: (inout Figures) -> Void) { figures.withLock { change(&$0) } }

    func begin() { begun.store(true, ordering: .releasing) }
    var hasBegun: Bool { begun.load(ordering: .acquiring) }

    /// Asks the generator to send no more, and to come to an end.
    package func stop() { stopped.store(true, ordering: .relaxed) }
    package var isStopped: Bool { stopped.load(ordering: .relaxed) }

    package func end() { ended.store(true, ordering: .releasing) }
    package var isEnded: Bool { ended.load(ordering: .acquiring) }
}
