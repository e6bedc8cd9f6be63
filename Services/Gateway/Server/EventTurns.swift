import NIOCore
import Synchronization

/// Writes an event stream to its connection, one turn after the other. Each run of turns is a task of its own, whose
/// memory goes with it.
final class EventTurns: Sendable {
    private struct State {
        var isRunning = false
        /// Woken since the last turn began.
        var isDue = false
        var isOver = false
    }

    private let feed: any EventFeed
    private let body: StreamedBody
    private let executor: EventLoopTaskExecutor
    private let ended: @Sendable (_ isWhole: Bool) -> Void
    private let state = Mutex(State())

    /// - Parameter ended: called once, on the executor, unless the turns are cancelled before: whether the body was
    ///   written to its end.
    init(
        of feed: any EventFeed, to body: StreamedBody, on executor: EventLoopTaskExecutor,
        ended: @escaping @Sendable (_ isWhole: Bool) -> Void
    ) {
        self.feed = feed
        self.body = body
        self.executor = executor
        self.ended = ended
    }

    /// Begins the first turn. Later ones come while somebody holds this.
    func begin() {
        feed.whenDue { [weak self] in self?.wake() }
        wake()
    }

    /// No turn begins any more, and the present one can write nothing.
    func cancel() { state.withLock { $0.isOver = true } }

    private func wake() {
        let mustRun = state.withLock { state in
            guard !state.isOver else { return false }
            state.isDue = true
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if mustRun { Task(executorPreference: executor) { await self.run() } }
    }

    private func run() async {
        do {
            while takeTurn() {
                guard try await feed.turn(write) else {
                    try await body.finish(nil)
                    return end(isWhole: true)
                }
            }
        } catch {
            end(isWhole: false)
        }
    }

    private func takeTurn() -> Bool {
        state.withLock { state in
            state.isRunning = state.isDue && !state.isOver
            state.isDue = false
            return state.isRunning
        }
    }

    private func write(_ part: ByteBuffer) async throws {
        guard !state.withLock(\.isOver) else { throw CancellationError() }
        try await body.write(part)
    }

    private func end(isWhole: Bool) {
        let isCancelled = state.withLock { state in
            defer { state.isOver = true }
            return state.isOver
        }
        if !isCancelled { ended(isWhole) }
    }
}
