import Bus
import Contracts
import Primitives
import Synchronization
import ZMTP

/// The asks of one connection that wait for their outcome: an answer, a refusal of the broker's, the deadline, a
/// cancellation, or the loss of the broker.
///
/// For any thread; nothing is resumed while the table is locked.
package final class AsksInFlight: Sendable {
    /// Milliseconds beyond an ask's deadline in which the broker's own answer may come: it knows whether anything was
    /// done.
    private static let grace: Int64 = 150
    private static let waitMax: Int64 = 86_400_000

    private struct State {
        var asks = PendingAsks()
        /// Which broker is at the other end.
        var instance: UInt64?
        /// Whether the connection to it was lost since.
        var isLost = false
    }

    private let state = Mutex(State())
    private let clock: WallClock

    package init(clock: WallClock) { self.clock = clock }

    package var count: Int { state.withLock { $0.asks.count } }

    /// Asks, and waits for the outcome.
    ///
    /// - Parameter send: gives the ask to the connection, with the tag that its answer will have.
    package nonisolated(nonsending) func ask(
        service: String, retry: RetryClass, deadline: Timestamp, body: [UInt8],
        send: (_ header: [UInt8], _ tag: UInt64) -> Void
    ) async -> TransportAnswer {
        let (tag, refusal) = reserve(until: deadline, body)
        guard let tag else { return .refused(refusal) }
        return await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                guard wait(tag, .task(continuation)) else { return }
                send(PeerFrames.ask(service: service, retry: retry, tag: tag, deadline: deadline), tag)
            }
        } onCancel: {
            cancel(tag)
        }
    }

    /// The same for a caller that does not wait in a task.
    ///
    /// - Parameter then: gets the outcome, on whichever thread it comes.
    package func ask(
        service: String, retry: RetryClass, deadline: Timestamp, body: [UInt8],
        send: (_ header: [UInt8], _ tag: UInt64) -> Void, then: @escaping @Sendable (TransportAnswer) -> Void
    ) {
        let (tag, refusal) = reserve(until: deadline, body)
        guard let tag else { return then(.refused(refusal)) }
        guard wait(tag, .call(then)) else { return }
        send(PeerFrames.ask(service: service, retry: retry, tag: tag, deadline: deadline), tag)
    }

    /// Takes a message of the broker's that concerns asks.
    ///
    /// - Returns: what the message is.
    @discardableResult
    package func take(_ frames: LinkFrames) -> PeerFrames.Incoming? {
        let message = PeerFrames.read(frames[0])
        switch message {
        case .answer(let tag, let status): answer(tag, status: status, frames.body)
        case .pong(let instance): meet(instance)
        default: break
        }
        return message
    }

    /// Makes room for an ask, or says why there is none.
    private func reserve(until deadline: Timestamp, _ body: [UInt8]) -> (tag: UInt64?, refusal: FaultCode) {
        let left = deadline.milliseconds - clock.now().milliseconds
        guard left > 0 else { return (nil, .deadlineExceeded) }
        guard body.count <= Envelope.bytesMax else { return (nil, .tooLarge) }
        let end = monotonicNanoseconds() + UInt64(min(left, Self.waitMax) + Self.grace) * 1_000_000
        return (state.withLock { $0.asks.reserve(deadline: end) }, .queueFull)
    }

    /// Registers the waiter.
    ///
    /// - Returns: false when it has been resumed already, by a cancellation that came first.
    private func wait(_ tag: UInt64, _ waiter: PendingAsks.Waiter) -> Bool {
        guard let early = state.withLock({ $0.asks.wait(tag, waiter) }) else { return true }
        waiter.resume(returning: early)
        return false
    }

    package func cancel(_ tag: UInt64) {
        let answer = TransportAnswer.refused(.cancelled)
        state.withLock { $0.asks.end(tag, early: answer) }?.resume(returning: answer)
    }

    /// Hands an answer to its waiter, if there still is one.
    private func answer(_ tag: UInt64, status: UInt8, _ body: UnsafeRawBufferPointer?) {
        guard let waiter = state.withLock({ $0.asks.end(tag) }) else { return }
        waiter.resume(
            returning: status == 0
                ? .envelope(body.map { [UInt8]($0) } ?? []) : .refused(PeerFrames.refusal(status: status)))
    }

    /// Refuses an ask that has not been sent.
    package func refuse(_ tag: UInt64, _ code: FaultCode) {
        state.withLock { $0.asks.end(tag) }?.resume(returning: .refused(code))
    }

    /// Whether an ask still waits for its outcome.
    package func waits(_ tag: UInt64) -> Bool { state.withLock { $0.asks.waits(tag) } }

    /// The connection is lost, with the answers to what was sent on it: also where the broker goes on. What is asked
    /// from now on may be sent once the broker has said which one it is.
    package func connectionLost() {
        state.withLock { state in
            state.isLost = true
            state.asks.connectionLost()
        }
    }

    /// A broker that has just started knows nothing of what its predecessor had.
    private func meet(_ instance: UInt64) {
        let lost = state.withLock { state in
            defer { (state.instance, state.isLost) = (instance, false) }
            if state.isLost { return state.asks.removeLost() }
            return state.instance ?? instance != instance ? state.asks.removeAll() : []
        }
        for waiter in lost { waiter.resume(returning: .refused(.workerLost)) }
    }

    /// Ends those whose time is up, with an outcome that nobody knows.
    ///
    /// - Parameter now: monotonic nanoseconds.
    package func expire(at now: UInt64) {
        for waiter in state.withLock({ $0.asks.expired(at: now) }) {
            waiter.resume(returning: .refused(.outcomeUnknown))
        }
    }

    package func cancelAll() {
        for waiter in state.withLock({ $0.asks.removeAll() }) { waiter.resume(returning: .refused(.cancelled)) }
    }
}
