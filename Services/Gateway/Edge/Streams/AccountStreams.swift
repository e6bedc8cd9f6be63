import Bus
import Contracts
import Primitives
import Synchronization

/// Clients that listen for news of an account, such as who is near a merchant. Each is one open connection.
///
/// News is only that something has changed: each client then looks at what it is now, so that none of it is missed or
/// told twice, and one who reads slowly is told the newest.
package final class AccountStreams: Sendable {
    /// Streams at once, in all and of one account.
    static let countMax = 20_000
    static let perAccountMax = 8
    /// How often a stream without news beats. Below what proxies cut connections at.
    static let beatTime = Duration.seconds(15)

    private struct State {
        var streams: [UInt64: AccountStream] = [:]
        var ofAccount: [PartyID: [UInt64]] = [:]
        var openedEver: UInt64 = 0
        var isClosed = false
        var beaten = Timestamp(milliseconds: 0)
    }

    private let clock: WallClock
    private let state = Mutex(State())

    init(clock: WallClock) { self.clock = clock }

    /// From now on news is kept for whoever asked, until they let go of what is returned.
    ///
    /// - Throws: `gateway.too_many_listeners`.
    func open(for session: LiveSession) throws(Fault) -> OpenStream {
        let account = session.view.account
        let stream: AccountStream? = state.withLock { state in
            guard !state.isClosed, state.streams.count < Self.countMax,
                state.ofAccount[account, default: []].count < Self.perAccountMax
            else { return nil }
            state.openedEver += 1
            let stream = AccountStream(number: state.openedEver, session: session.view)
            state.streams[stream.number] = stream
            state.ofAccount[account, default: []].append(stream.number)
            return stream
        }
        guard let stream else { throw Fault(.tooManyListeners, retryAfterSeconds: 5) }
        return OpenStream(stream, in: self)
    }

    fileprivate func close(_ stream: AccountStream) {
        state.withLock { state in
            guard state.streams.removeValue(forKey: stream.number) != nil else { return }
            let account = stream.session.account
            state.ofAccount[account]?.removeAll { $0 == stream.number }
            if state.ofAccount[account]?.isEmpty == true { state.ofAccount[account] = nil }
        }
        stream.signal(.closed)
    }

    /// Something of this account has changed.
    package func changed(_ account: PartyID) {
        for stream in streams(of: account) { stream.signal(.changed) }
    }

    /// A session has ended: nobody is told anything in its name any more.
    func sessionEnded(_ session: SessionID, of account: PartyID) {
        for stream in streams(of: account) where stream.session.session == session { close(stream) }
    }

    /// Beats, and ends the streams of sessions whose time is up. To be called every second.
    package func tick() {
        let now = clock.now()
        let due: [AccountStream] = state.withLock { state in
            guard now - state.beaten >= Self.beatTime else { return [] }
            state.beaten = now
            return Array(state.streams.values)
        }
        for stream in due {
            if stream.session.expires <= now { close(stream) } else { stream.signal(.beat) }
        }
    }

    /// Ends all, so that nobody waits for a gateway that goes.
    package func closeAll() {
        let streams = state.withLock { state in
            state.isClosed = true
            return Array(state.streams.values)
        }
        for stream in streams { close(stream) }
    }

    package var samples: [ServiceStats.Sample] {
        let (open, ever) = state.withLock { ($0.streams.count, $0.openedEver) }
        return [
            .init(name: "event_streams", kind: "gauge", labels: [:], value: Int64(open)),
            .init(name: "event_streams_opened_total", kind: "counter", labels: [:], value: Int64(ever))
        ]
    }

    private func streams(of account: PartyID) -> [AccountStream] {
        state.withLock { state in (state.ofAccount[account] ?? []).compactMap { state.streams[$0] } }
    }
}

/// One client's stream, as the table has it.
final class AccountStream: Sendable {
    enum Signal: Comparable {
        /// Nothing new: to see whether the connection is there.
        case beat
        case changed
        case closed
    }

    let number: UInt64
    let session: Auth.SessionView
    private let waiting = Mutex<Signal?>(nil)
    private let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    fileprivate init(number: UInt64, session: Auth.SessionView) {
        self.number = number
        self.session = session
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    fileprivate func signal(_ signal: Signal) {
        waiting.withLock { $0 = max($0 ?? signal, signal) }
        wake.yield()
    }

    /// The strongest signal since the last look; `closed` also when the task is cancelled.
    fileprivate func next() async -> Signal {
        var iterator = wakes.makeAsyncIterator()
        while await iterator.next() != nil {
            if let signal = waiting.withLock({ $0.take() }) {
                if signal == .closed { wake.finish() }
                return signal
            }
        }
        return .closed
    }
}

/// A stream that ends, in the table too, when it is let go.
final class OpenStream: Sendable {
    private let stream: AccountStream
    private let table: AccountStreams

    fileprivate init(_ stream: AccountStream, in table: AccountStreams) {
        self.stream = stream
        self.table = table
    }

    deinit { table.close(stream) }

    func next() async -> AccountStream.Signal { await stream.next() }
}
