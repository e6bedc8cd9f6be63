import Synchronization

/// Lets tasks wait for the end of a thread.
final class ThreadEnd: Sendable {
    private struct State {
        var ended = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }
    private let state = Mutex(State())

    func wait() async {
        await withCheckedContinuation { continuation in
            let now = state.withLock { state in
                if !state.ended { state.waiters.append(continuation) }
                return state.ended
            }
            if now { continuation.resume() }
        }
    }

    func signal() {
        let waiters = state.withLock { state in
            state.ended = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
