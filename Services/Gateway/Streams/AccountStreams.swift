import Bus
import Contracts
import Primitives
import Sodium
import Synchronization

/// Limits of the streams of one kind of news.
package struct StreamRules: Sendable {
    /// Streams open at once.
    package var countMax = 20_000
    /// Of one account.
    package var perAccountMax = 8
    /// How often a stream hears something, if only that the connection is there.
    package var beatTime = Duration.seconds(15)
    /// How often a stream looks at a heartbeat whether it lacks something: word of news may be lost.
    package var lookTime = Duration.seconds(30)

    package init() {}
}

/// Clients that listen for one kind of news of their account: what comes to an inbox, who is near a merchant. Each is
/// one open connection.
///
/// News is only that something has changed. It wakes the account's streams, each of which looks at what there is now:
/// so what the services keep decides what a stream tells, and who reads slowly is told the newest.
package final class AccountStreams: Sendable {
    /// Parts of the streams that are looked after in turn, so that not all of them write in the same moment.
    package static let partCount = 10

    private struct State {
        /// By their numbers, in parts.
        var parts = [[UInt64: AccountStream]](repeating: [:], count: AccountStreams.partCount)
        var count = 0
        var ofAccount: [PartyID: [AccountStream]] = [:]
        var openedEver: UInt64 = 0
        var newsEver: UInt64 = 0
        var nextPart = 0
        var isClosed = false

        var all: [AccountStream] { parts.flatMap(\.values) }
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
        // Anywhere in the first interval, so that streams that were opened together do not beat together.
        let share = Int(truncatingIfNeeded: Randomness.shared.pair().0 % 1000)
        let beaten = now - rules.beatTime * share / 1000
        let stream: AccountStream? = state.withLock { state in
            guard !state.isClosed, state.count < rules.countMax,
                state.ofAccount[account]?.count ?? 0 < rules.perAccountMax
            else { return nil }
            state.openedEver += 1
            state.count += 1
            let stream = AccountStream(state.openedEver, session, beaten: beaten, looked: now)
            state.parts[stream.part(of: Self.partCount)][stream.number] = stream
            state.ofAccount[account, default: []].append(stream)
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
            state.parts[stream.part(of: Self.partCount)][stream.number] = nil
            state.count -= 1
            state.ofAccount[stream.account]?.removeAll { $0 === stream }
            if state.ofAccount[stream.account]?.isEmpty == true { state.ofAccount[stream.account] = nil }
        }
    }

    /// Something of this account has changed.
    package func changed(_ account: PartyID) {
        let now = clock.now()
        let (streams, news) = state.withLock { state in
            state.newsEver += 1
            return (state.ofAccount[account] ?? [], state.newsEver)
        }
        for stream in streams { stream.changed(news, at: now) }
    }

    /// Sends heartbeats, looks, and ends streams without a session, in the next part of the streams. To be called
    /// ``partCount`` times a second.
    package func tickPart() {
        let now = clock.now()
        let streams = state.withLock { state in
            state.nextPart = (state.nextPart + 1) % Self.partCount
            return Array(state.parts[state.nextPart].values)
        }
        for stream in streams { stream.tick(at: now, rules) }
    }

    /// Ends everything, so that nobody waits for events of a gateway that goes.
    package func closeAll() {
        let streams = state.withLock { state in
            state.isClosed = true
            return state.all
        }
        for stream in streams { stream.wake(.end) }
    }

    package func samples(of news: String) -> [ServiceStats.Sample] {
        let (open, ever) = state.withLock { ($0.count, $0.openedEver) }
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
        /// The number of the newest word of a change.
        var news: UInt64 = 0
        var beaten: Timestamp
        var looked: Timestamp
        var wake: @Sendable () -> Void = {}

        mutating func note(_ signal: Signal) {
            if signal.rawValue > self.signal?.rawValue ?? -1 { self.signal = signal }
        }
    }

    let number: UInt64
    let account: PartyID
    private let expires: Timestamp
    private let state: Mutex<State>

    fileprivate init(_ number: UInt64, _ session: LiveSession, beaten: Timestamp, looked: Timestamp) {
        self.number = number
        account = session.view.account
        expires = session.view.expires
        state = Mutex(State(beaten: beaten, looked: looked))
    }

    fileprivate func part(of count: Int) -> Int { Int(number % UInt64(count)) }

    /// Calls `wake` for each signal from now on, until another takes its place.
    func whenDue(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

    /// The most urgent signal that was not taken yet, and the number of the newest word of a change.
    func take() -> (signal: Signal, news: UInt64)? {
        state.withLock { state in
            guard let signal = state.signal else { return nil }
            state.signal = nil
            return (signal, state.news)
        }
    }

    func wake(_ signal: Signal) {
        let wake = state.withLock { state in
            state.note(signal)
            return state.wake
        }
        wake()
    }

    fileprivate func changed(_ news: UInt64, at now: Timestamp) {
        let wake = state.withLock { state in
            state.note(.look)
            state.news = max(state.news, news)
            // A look is a sign of life, too.
            state.beaten = max(state.beaten, now)
            state.looked = max(state.looked, now)
            return state.wake
        }
        wake()
    }

    fileprivate func tick(at now: Timestamp, _ rules: StreamRules) {
        if now >= expires { return wake(.end) }
        let signal: Signal? = state.withLock { state in
            guard now.isApart(from: state.beaten, by: rules.beatTime) else { return nil }
            state.beaten = now
            guard now.isApart(from: state.looked, by: rules.lookTime) else { return .heartbeat }
            state.looked = now
            return .look
        }
        if let signal { wake(signal) }
    }
}
