import Synchronization

/// A number that only grows, and that tests can wait for.
package final class Counter: Sendable {
    private struct State {
        var count = 0
        var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }
    private let state = Mutex(State())

    package init() {}

    package var count: Int { state.withLock { $0.count } }

    package func add(_ number: Int = 1) {
        let reached = state.withLock { state in
            state.count += number
            let reached = state.waiting.filter { $0.count <= state.count }
            state.waiting.removeAll { $0.count <= state.count }
            return reached
        }
        for waiter in reached { waiter.continuation.resume() }
    }

    /// Waits until it has grown to `count`.
    package func reach(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                if state.count < count { state.waiting.append((count, continuation)) }
                return state.count >= count
            }
            if isReached { continuation.resume() }
        }
    }
}
