import Bus
import Contracts
import NIOCore
import Primitives
import Synchronization

/// Tells an account what comes to its inbox, each notice once: the number of the last one told is where the next look
/// begins.
final class NoticeStream: EventFeed {
    /// Notices asked for at once.
    static let pageMax = 50

    private struct State {
        /// The number of the last notice that the client has.
        var last: Int64
        /// The notices behind that one which were there when the stream was opened; nil once they are written.
        var first: InboxPages.Page?
    }

    private let lease: AccountStreams.Lease
    private let pages: InboxPages
    private let asking: any Asking
    private let clock: WallClock
    private let context: AskContext
    private let patience: Duration
    private let state: Mutex<State>

    /// - Parameters:
    ///   - after: the number of the last notice that the client has.
    ///   - first: what there is already behind that.
    init(
        _ lease: AccountStreams.Lease, pages: InboxPages, asking: any Asking, clock: WallClock, context: AskContext,
        patience: Duration, after: Int64, first: InboxPages.Page
    ) {
        self.lease = lease
        self.pages = pages
        self.asking = asking
        self.clock = clock
        self.context = context
        self.patience = patience
        state = Mutex(State(last: after, first: first))
    }

    func whenDue(_ wake: @escaping @Sendable () -> Void) { lease.stream.whenDue(wake) }

    func turn(_ write: (ByteBuffer) async throws -> Void) async throws -> Bool {
        let first = state.withLock { state in
            defer { state.first = nil }
            return state.first
        }
        if let first {
            // At once, so that the client knows that it is listened to.
            try await write(EventText.heartbeat)
            try await send(first, news: 0, write)
        }
        while let (signal, news) = lease.stream.take() {
            switch signal {
            case .heartbeat: try await write(EventText.heartbeat)
            case .look:
                let before = last
                try await look(news: news, write)
                if last == before { try await write(EventText.heartbeat) }
            case .end:
                try await write(EventText.closed)
                return false
            }
        }
        return true
    }

    private var last: Int64 { state.withLock(\.last) }

    private func look(news: UInt64, _ write: (ByteBuffer) async throws -> Void) async throws {
        let place = InboxPages.Place(account: lease.stream.account, after: last, news: news)
        let page = await pages.page(at: place) {
            var context = context
            context.deadline = clock.now() + patience
            let ask = Notifications.ReadInbox(account: place.account, after: place.after, limit: Self.pageMax)
            // Notifications is asked again at the next turn: the inbox keeps every notice.
            return (try? await asking.ask(ask, in: context)).map { InboxPages.Page($0) }
        }
        guard let page else { return }
        try await send(page, news: news, write)
    }

    private func send(
        _ page: InboxPages.Page, news: UInt64, _ write: (ByteBuffer) async throws -> Void
    ) async throws {
        for notice in page.notices where notice.number > last {
            try await write(notice.event)
            state.withLock { $0.last = notice.number }
        }
        if page.hasMore { try await look(news: news, write) }
    }
}
