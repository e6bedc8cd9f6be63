import Bus
import Contracts
import NIOCore
import Primitives
import Synchronization

/// Limits of streams of notices.
package struct NoticeStreamRules: Sendable {
    /// Streams open at once.
    package var countMax = 20_000
    /// Of one account.
    package var perAccountMax = 8
    /// How often a stream hears something, if only that the connection is there.
    package var beatTime = Duration.seconds(15)
    /// How often a stream looks whether it lacks something: word of a notice may be lost.
    package var lookTime = Duration.seconds(30)
    /// Notices asked for at once.
    package var pageMax = 50

    package init() {}
}

/// All streams of notices: word of a new one wakes its account's streams, which read the inbox from where they are. So
/// the durable inbox decides what a stream tells, and nothing comes twice or not at all.
package final class NoticeStreams: Sendable {
    private struct State {
        var streams: [UInt64: NoticeStream] = [:]
        var ofAccount: [PartyID: Set<UInt64>] = [:]
        var openedEver: UInt64 = 0
    }

    let rules: NoticeStreamRules
    private let clock: WallClock
    private let state = Mutex(State())

    init(_ rules: NoticeStreamRules, clock: WallClock) {
        self.rules = rules
        self.clock = clock
    }

    /// From now on news are kept for whoever asked, until that is deallocated.
    /// - Throws: `gateway.too_many_streams`.
    func open(_ session: LiveSession) throws(Fault) -> Lease {
        let account = session.view.account
        let now = clock.now()
        let stream: NoticeStream? = state.withLock { state in
            guard state.streams.count < rules.countMax,
                state.ofAccount[account, default: []].count < rules.perAccountMax
            else { return nil }
            state.openedEver += 1
            let stream = NoticeStream(state.openedEver, session, at: now)
            state.streams[stream.number] = stream
            state.ofAccount[account, default: []].insert(stream.number)
            return stream
        }
        guard let stream else { throw Fault(.tooManyStreams, retryAfterSeconds: 1) }
        return Lease(stream, of: self)
    }

    /// Holds a place among the streams until it is deallocated, whether anything was ever written or not.
    final class Lease: Sendable {
        let stream: NoticeStream
        let streams: NoticeStreams

        fileprivate init(_ stream: NoticeStream, of streams: NoticeStreams) {
            self.stream = stream
            self.streams = streams
        }

        deinit { streams.close(stream) }
    }

    private func close(_ stream: NoticeStream) {
        state.withLock { state in
            state.streams[stream.number] = nil
            state.ofAccount[stream.account]?.remove(stream.number)
            if state.ofAccount[stream.account]?.isEmpty == true { state.ofAccount[stream.account] = nil }
        }
    }

    /// There is a new notice.
    package func added(to account: PartyID) {
        for stream in streams(of: account) { stream.wake(.look) }
    }

    /// A session has ended: so do its streams.
    func sessionEnded(_ session: SessionID, of account: PartyID) {
        for stream in streams(of: account) where stream.session == session { stream.wake(.end) }
    }

    private func streams(of account: PartyID) -> [NoticeStream] {
        state.withLock { state in state.ofAccount[account, default: []].compactMap { state.streams[$0] } }
    }

    /// Beats, looks, and ends what has no session any more. To be called every second.
    package func tick() {
        let now = clock.now()
        for stream in state.withLock({ Array($0.streams.values) }) { stream.tick(at: now, rules) }
    }

    /// Ends everything, so that nobody waits for events of a gateway that goes.
    package func closeAll() { for stream in state.withLock({ Array($0.streams.values) }) { stream.wake(.end) } }

    package var samples: [ServiceStats.Sample] {
        let count = state.withLock { $0.streams.count }
        return [.init(name: "notice_streams", kind: "gauge", labels: [:], value: Int64(count))]
    }
}

/// One who listens to an inbox.
final class NoticeStream: Sendable {
    enum Signal: Int, Sendable {
        case beat, look, end
    }

    private struct State {
        /// The most urgent that was not taken yet.
        var signal: Signal?
        var beaten: Timestamp
        var looked: Timestamp
    }

    let number: UInt64
    let account: PartyID
    let session: SessionID
    private let expires: Timestamp
    private let state: Mutex<State>
    private let signals: AsyncStream<Void>
    private let bell: AsyncStream<Void>.Continuation

    fileprivate init(_ number: UInt64, _ session: LiveSession, at now: Timestamp) {
        self.number = number
        account = session.view.account
        self.session = session.view.session
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

    fileprivate func tick(at now: Timestamp, _ rules: NoticeStreamRules) {
        if now >= expires { return wake(.end) }
        let signal: Signal? = state.withLock { state in
            if now - state.looked >= rules.lookTime {
                state.looked = now
                state.beaten = now
                return .look
            }
            guard now - state.beaten >= rules.beatTime else { return nil }
            state.beaten = now
            return .beat
        }
        if let signal { wake(signal) }
    }

    /// Calls `tell` whenever there is something to do, until the stream ends, the task is cancelled, or `tell` throws.
    func run(_ tell: (Signal) async throws -> Void) async throws {
        var iterator = signals.makeAsyncIterator()
        while await iterator.next() != nil {
            let signal = state.withLock { state in
                defer { state.signal = nil }
                return state.signal
            }
            guard let signal else { continue }
            try await tell(signal)
            if signal == .end { return }
        }
    }
}

/// What is written to one stream.
struct NoticeWriting: Sendable {
    let lease: NoticeStreams.Lease
    let asking: any Asking
    let clock: WallClock
    let context: AskContext
    let patience: Duration
    /// The number of the last notice that the client has.
    let after: Int64
    /// What there is already behind that.
    let first: Notifications.ReadInbox.Reply

    func write(to writer: (ByteBuffer) async throws -> Void) async throws {
        // At once, so that the client knows that it is listened to.
        try await writer(ByteBuffer(string: ":\n\n"))
        var last = after
        try await tell(first, &last, writer)
        try await lease.stream.run { signal in
            switch signal {
            case .beat: try await writer(ByteBuffer(string: ":\n\n"))
            case .look:
                let before = last
                try await look(&last, writer)
                if last == before { try await writer(ByteBuffer(string: ":\n\n")) }
            case .end: try await writer(ByteBuffer(string: "event: closed\ndata: {}\n\n"))
            }
        }
    }

    private func look(_ last: inout Int64, _ writer: (ByteBuffer) async throws -> Void) async throws {
        var context = context
        context.deadline = clock.now() + patience
        let ask = Notifications.ReadInbox(
            account: lease.stream.account, after: last, limit: lease.streams.rules.pageMax)
        // A service that is not there is asked again at the next look: nothing is lost by waiting.
        guard let page = try? await asking.ask(ask, in: context) else { return }
        try await tell(page, &last, writer)
    }

    private func tell(
        _ first: Notifications.ReadInbox.Reply, _ last: inout Int64, _ writer: (ByteBuffer) async throws -> Void
    ) async throws {
        for notice in first.notices where notice.number > last {
            try await writer(ByteBuffer(bytes: EventText.of(notice)))
            last = notice.number
        }
        if first.next != nil { try await look(&last, writer) }
    }
}
