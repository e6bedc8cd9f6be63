import Synchronization

/// What a connection is good for at this moment. Written by its event loop, read by whoever looks for one that can go.
package final class ConnectionUse: Sendable {
    package enum Phase: UInt64, Sendable {
        /// Its first request has not come whole.
        case new
        /// A later request has begun to come.
        case reading
        /// Between two requests.
        case idle
        /// A request is being answered, or its answer is on its way.
        case busy
    }

    /// Nanoseconds of the monotonic clock since when, above the phase's two bits.
    private let state: Atomic<UInt64>
    /// Tells the connection to close, if it is not busy by then.
    let leave: @Sendable () -> Void

    package init(since nanoseconds: UInt64, leave: @escaping @Sendable () -> Void = {}) {
        state = Atomic(nanoseconds << 2)
        self.leave = leave
    }

    package func set(_ phase: Phase, at nanoseconds: UInt64) {
        state.store(nanoseconds << 2 | phase.rawValue, ordering: .relaxed)
    }

    var phase: Phase { Phase(rawValue: state.load(ordering: .relaxed) & 3) ?? .busy }

    /// How long a client has for its first words before others that do nothing are more useful.
    private static let grace: UInt64 = 1_000_000_000

    /// The lower, the sooner it goes: who has sent no whole request for a while, then who is idle, then who has only just
    /// come; of each kind the one that has waited longest. Nil: it stays.
    func rank(at now: UInt64) -> (kind: Int, since: UInt64)? {
        let value = state.load(ordering: .relaxed)
        let since = value >> 2
        switch Phase(rawValue: value & 3) {
        case .new, .reading: return (now > since && now - since >= Self.grace ? 0 : 2, since)
        case .idle: return (1, since)
        case .busy, nil: return nil
        }
    }
}
