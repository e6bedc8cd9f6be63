import Bus
import Contracts
import Primitives
import Sodium
import Synchronization

/// Ends event streams when their sessions end: at once where auth's fact arrives, and within half a minute where it
/// does not, as each session is read now and then.
package final class SessionWatch: Sendable {
    /// How often each session is read. `Sessions` may know it from up to five seconds ago, and ticks are a second
    /// apart: so a stream outlives its session by less than half a minute.
    package static let checkTime = Duration.seconds(20)

    private struct Watched {
        let digest: TokenDigest
        var checked: Timestamp
        /// By the number of who watches.
        var ends: [UInt64: @Sendable () -> Void] = [:]
    }

    private struct State {
        var sessions: [SessionID: Watched] = [:]
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
        let id = session.view.session
        let number = state.withLock { state in
            state.watchedEver += 1
            state.sessions[id, default: Watched(digest: session.digest, checked: checked)].ends[state.watchedEver] = end
            return state.watchedEver
        }
        return Watching(number, of: id, by: self)
    }

    final class Watching: Sendable {
        private let number: UInt64
        private let session: SessionID
        private let watch: SessionWatch

        fileprivate init(_ number: UInt64, of session: SessionID, by watch: SessionWatch) {
            self.number = number
            self.session = session
            self.watch = watch
        }

        deinit { watch.remove(number, of: session) }
    }

    private func remove(_ number: UInt64, of session: SessionID) {
        state.withLock { state in
            state.sessions[session]?.ends[number] = nil
            if state.sessions[session]?.ends.isEmpty == true { state.sessions[session] = nil }
        }
    }

    func sessionEnded(_ session: SessionID) {
        let ends = state.withLock { state in Array(state.sessions[session]?.ends.values ?? [:].values) }
        for end in ends { end() }
    }

    /// Checks the sessions whose turn it is. To be called every second.
    package func tick() {
        let now = clock.now()
        let due = state.withLock { state in
            let due = state.sessions.filter { now.isApart(from: $0.value.checked, by: Self.checkTime) }
            for session in due.keys { state.sessions[session]?.checked = now }
            return due.map { ($0.key, $0.value.digest) }
        }
        for (session, digest) in due { check(session, digest, at: now) }
    }

    private func check(_ session: SessionID, _ digest: TokenDigest, at now: Timestamp) {
        Task { [sessions, asking, patience] in
            do throws(Fault) {
                _ = try await sessions.session(
                    of: digest, at: now, asking: asking, in: AskContext(deadline: now + patience))
            } catch {
                // With another trouble than its end the stream stays, and is checked again.
                if error.code == .sessionNotFound { sessionEnded(session) }
            }
        }
    }
}
