import Bus
import Contracts
import Primitives
import Synchronization

/// Limits of the streams of one kind of news.
package struct StreamRules: Sendable {
    /// Streams open at once.
    package var countMax = 20_000
    /// Of one account.
    package var perAccountMax = 8
    /// How often a stream hears something, if only that the connection is there.
    package var beatTime = Duration.seconds(15)
    /// How often a stream looks whether it lacks something: word of news may be lost.
    package var lookTime = Duration.seconds(30)

    package init() {}
}

/// Clients that listen for one kind of news of their account: what comes to an inbox, who is near a merchant. Each is
/// one open connection.
///
/// News is only that something has changed. It wakes the account's streams, each of which looks at what there is now:
/// so what the services keep decides what a stream tells, and who reads slowly is told the newest.
package final class AccountStreams: Sendable {
    private struct State {
        var streams: [UInt64: AccountStream] = [:]
        var ofAccount: [PartyID: Set<UInt64>] = [:]
        var openedEver: UInt64 = 0
        var isClosed = false
    }

    let rules: StreamRules
    private let watch: SessionWatch
    private let clock: WallClock
    private let state = Mutex(State())

    init(_ rules: StreamRules, watch: SessionWatch, clock: WallClock) {
        self.rules = rules
        self.watch = watch
        self.clock = clock
    }

    /// From now on news are kept for whoever asked, until that is deallocated.
    /// - Throws: `gateway.too_many_streams`.
    func open(_ session: LiveSession) throws(Fault) -> Lease {
        let account = session.view.account
        let now = clock.now()
        let stream: AccountStream? = state.withLock { state in
            guard !state.isClosed, state.streams.count < rules.countMax,
                state.ofAccount[account, default: []].count < rules.perAccountMax
            else { return nil }
            state.openedEver += 1
            let stream = AccountStream(state.openedEver, session, at: now)
            state.streams[stream.number] = stream
            state.ofAccount[account, default: []].insert(stream.number)
            return stream
        }
        guard let stream else { throw Fault(.tooManyStreams, retryAfterSeconds: 1) }
        return Lease(stream, of: self, watch.watch(session) { stream.wake(.end) })
    }

    /// Holds a place among the streams until it is deallocated, whether anything was ever written or not.
    final class Lease: Sendable {
        let stream: AccountStream
        let streams: AccountStreams
        private let watching: SessionWatch.Watching

        fileprivate init(_ stream: AccountStream, of streams: AccountStreams, _ watching: SessionWatch.Watching) {
            self.stream = stream
            self.streams = streams
            self.watching = watching
        }

        deinit { streams.close(stream) }
    }

    private func close(_ stream: AccountStream) {
        state.withLock { state in
            state.streams[stream.number] = nil
            state.ofAccount[stream.account]?.remove(stream.number)
            if state.ofAccount[stream.account]?.isEmpty == true { state.ofAccount[stream.account] = nil }
        }
    }

    /// Something of this account has changed.
    package func changed(_ account: PartyID) {
        for stream in streams(of: account) { stream.wake(.look) }
    }

    private func streams(of account: PartyID) -> [AccountStream] {
        state.withLock { state in state.ofAccount[account, default: []].compactMap { state.streams[$0] } }
    }

    /// Beats, looks, and ends what has no session any more. To be called every second.
    package func tick() {
        let now = clock.now()
        for stream in state.withLock({ Array($0.streams.values) }) { stream.tick(at: now, rules) }
    }

    /// Ends everything, so that nobody waits for events of a gateway that goes.
    package func closeAll() {
        let streams = state.withLock { state in
            state.isClosed = true
            return Array(state.streams.values)
        }
        for stream in streams { stream.wake(.end) }
    }

    package func samples(of news: String) -> [ServiceStats.Sample] {
        let (open, ever) = state.withLock { ($0.streams.count, $0.openedEver) }
        return [
            .init(name: "event_streams", kind: "gauge", labels: ["news": news], value: Int64(open)),
            .init(name: "event_streams_opened_total", kind: "counter", labels: ["news": news], value: Int64(ever))
        ]
    }
}

/// One who listens.
final class AccountStream: Sendable {
    enum Signal: Int, Sendable {
        case heartbeat, look, end
    }

    private struct State {
        /// The most urgent that was not taken yet.
        var signal: Signal?
        var beaten: Timestamp
        var looked: Timestamp
    }

    let number: UInt64
    let account: PartyID
    private let expires: Timestamp
    private let state: Mutex<State>
    private let signals: AsyncStream<Void>
    private let bell: AsyncStream<Void>.Continuation

    fileprivate init(_ number: UInt64, _ session: LiveSession, at now: Timestamp) {
        self.number = number
        account = session.view.account
        expires = session.view.expires
        state = Mutex(State(beaten: now, looked: now))
        (signals, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func wake(_ signal: Signal) {
        state.withLock { state in
            if signal.rawValue > state.signal?.rawValue ?? -1 { state.signal = signal }
        }
        bell.yield()
    }

    fileprivate func tick(at now: Timestamp, _ rules: StreamRules) {
        if now >= expires { return wake(.end) }
        let signal: Signal? = state.withLock { state in
            if now - state.looked >= rules.lookTime {
                state.looked = now
                state.beaten = now
                return .look
            }
            guard now - state.beaten >= rules.beatTime else { return nil }
            state.beaten = now
            return .heartbeat
        }
        if let signal { wake(signal) }
    }

    /// Calls `tell` whenever there is something to do, until the stream ends, the task is cancelled, or `tell` throws.
    func run(_ send: (Signal) async throws -> Void) async throws {
        var iterator = signals.makeAsyncIterator()
        while await iterator.next() != nil {
            let signal = state.withLock { state in
                defer { state.signal = nil }
                return state.signal
            }
            guard let signal else { continue }
            try await send(signal)
            if signal == .end { return }
        }
    }
}
