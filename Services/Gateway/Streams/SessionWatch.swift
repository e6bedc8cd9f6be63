import Bus
import Contracts
import Primitives
import Sodium
import Synchronization

/// Ends event streams when their sessions end: at once where auth's fact arrives, and within half a minute where it
/// does not, as each stream's session is read now and then.
package final class SessionWatch: Sendable {
    /// How often each session is read. `Sessions` may know it from up to five seconds ago, and ticks are a second
    /// apart: so a stream outlives its session by less than half a minute.
    package static let checkTime = Duration.seconds(20)

    private struct Watched {
        let digest: TokenDigest
        let session: SessionID
        var checked: Timestamp
        let end: @Sendable () -> Void
    }

    private struct State {
        var watched: [UInt64: Watched] = [:]
        var ofSession: [SessionID: Set<UInt64>] = [:]
        var watchedEver: UInt64 = 0
    }

    private let sessions: Sessions
    private let asking: any Asking
    private let clock: WallClock
    private let patience: Duration
    private let state = Mutex(State())

    init(_ sessions: Sessions, asking: any Asking, clock: WallClock, patience: Duration) {
        self.sessions = sessions
        self.asking = asking
        self.clock = clock
        self.patience = patience
    }

    /// Calls `end` when the session has ended, until what is returned is deallocated.
    func watch(_ session: LiveSession, _ end: @escaping @Sendable () -> Void) -> Watching {
        // Anywhere in the first interval, so that streams that were opened together are not checked together.
        let share = Int64(truncatingIfNeeded: Randomness.shared.pair().0 % 1000)
        let checked = clock.now() - Self.checkTime * Int(share) / 1000
        let number = state.withLock { state in
            state.watchedEver += 1
            state.watched[state.watchedEver] = Watched(
                digest: session.digest, session: session.view.session, checked: checked, end: end)
            state.ofSession[session.view.session, default: []].insert(state.watchedEver)
            return state.watchedEver
        }
        return Watching(number, by: self)
    }

    final class Watching: Sendable {
        private let number: UInt64
        private let watch: SessionWatch

        fileprivate init(_ number: UInt64, by watch: SessionWatch) {
            self.number = number
            self.watch = watch
        }

        deinit { watch.remove(number) }
    }

    private func remove(_ number: UInt64) {
        state.withLock { state in
            guard let session = state.watched.removeValue(forKey: number)?.session else { return }
            state.ofSession[session]?.remove(number)
            if state.ofSession[session]?.isEmpty == true { state.ofSession[session] = nil }
        }
    }

    func sessionEnded(_ session: SessionID) {
        let ends = state.withLock { state in
            (state.ofSession[session] ?? []).compactMap { state.watched[$0]?.end }
        }
        for end in ends { end() }
    }

    /// Checks the sessions whose turn it is. To be called every second.
    package func tick() {
        let now = clock.now()
        let due = state.withLock { state in
            let due = state.watched.filter { now - $0.value.checked >= Self.checkTime }
            for number in due.keys { state.watched[number]?.checked = now }
            return Array(due.values)
        }
        for one in due { check(one, at: now) }
    }

    private func check(_ one: Watched, at now: Timestamp) {
        Task { [sessions, asking, patience] in
            do throws(Fault) {
                _ = try await sessions.session(
                    of: one.digest, at: now, asking: asking, in: AskContext(deadline: now + patience))
            } catch {
                // With another trouble than its end the stream stays, and is checked again.
                if error.code == .sessionNotFound { one.end() }
            }
        }
    }
}
