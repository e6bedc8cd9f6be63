import Bus
import Contracts
import Primitives
import Synchronization
import ZMTP

/// The asks of one connection, from the place that each takes until it is answered or refused: by the broker, at its deadline, by
/// who asked, or because another broker has come.
///
/// For any thread; nothing is resumed while the table is locked.
package final class AsksInFlight: Sendable {
    /// What the broker is waited for beyond an ask's deadline, in milliseconds: it answers at the deadline, and knows whether
    /// anything was done.
    private static let grace: Int64 = 50
    private static let waitMax: Int64 = 86_400_000

    private struct State {
        var places = PendingAsks()
        /// Which broker is at the other end.
        var instance: UInt64?
    }

    private let state = Mutex(State())
    private let clock: WallClock

    package init(clock: WallClock) { self.clock = clock }

    package var count: Int { state.withLock { $0.places.count } }

    /// A place for an ask's answer, or why there is none.
    package func reserve(until deadline: Timestamp, _ body: [UInt8]) -> (tag: UInt64?, refusal: FaultCode) {
        let left = deadline.milliseconds - clock.now().milliseconds
        guard left > 0 else { return (nil, .deadlineExceeded) }
        guard body.count <= Envelope.bytesMax else { return (nil, .tooLarge) }
        let end = monotonicNanoseconds() + UInt64(min(left, Self.waitMax) + Self.grace) * 1_000_000
        return (state.withLock { $0.places.reserve(deadline: end) }, .queueFull)
    }

    /// Registers who waits.
    ///
    /// - Returns: false for who has got their answer already, by a cancellation that came first.
    package func wait(_ tag: UInt64, _ waiter: PendingAsks.Waiter) -> Bool {
        guard let early = state.withLock({ $0.places.wait(tag, waiter) }) else { return true }
        waiter.resume(returning: early)
        return false
    }

    package func cancel(_ tag: UInt64) {
        let answer = TransportAnswer.refused(.cancelled)
        state.withLock { $0.places.end(tag, early: answer) }?.resume(returning: answer)
    }

    /// Hands an answer to who waits for it, if anyone still does.
    package func answer(_ tag: UInt64, status: UInt8, _ body: UnsafeRawBufferPointer?) {
        guard let waiter = state.withLock({ $0.places.end(tag) }) else { return }
        waiter.resume(
            returning: status == 0
                ? .envelope(body.map { [UInt8]($0) } ?? []) : .refused(PeerFrames.refusal(status: status)))
    }

    /// A broker that has just started knows nothing of what its predecessor had.
    package func meet(_ instance: UInt64) {
        let lost = state.withLock { state in
            defer { state.instance = instance }
            return state.instance ?? instance == instance ? [] : state.places.removeAll()
        }
        for waiter in lost { waiter.resume(returning: .refused(.workerLost)) }
    }

    /// Ends those whose time is up, with an outcome that nobody knows.
    ///
    /// - Parameter now: monotonic nanoseconds.
    package func expire(at now: UInt64) {
        for waiter in state.withLock({ $0.places.expired(at: now) }) {
            waiter.resume(returning: .refused(.outcomeUnknown))
        }
    }

    package func cancelAll() {
        for waiter in state.withLock({ $0.places.removeAll() }) { waiter.resume(returning: .refused(.cancelled)) }
    }
}
