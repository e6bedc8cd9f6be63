import Synchronization

/// What a connection is good for at this moment. Written by its event loop, read by whoever looks for one that can go.
package final class ConnectionUse: Sendable {
    package enum Phase: UInt64, Sendable {
        /// Its first request has not come whole.
        case new
        /// Its client is waited for: a later request has begun to come, or an answer is not taken.
        case waiting
        /// Between two requests.
        case idle
        /// A request is being answered.
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

    /// The phase, and since when.
    var now: (phase: Phase, since: UInt64) {
        let value = state.load(ordering: .relaxed)
        return (Phase(rawValue: value & 3) ?? .busy, value >> 2)
    }
}
