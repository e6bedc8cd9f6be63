import Bus
import Contracts
import NIOCore
import Primitives

/// Tells an account what comes to its inbox, each notice once: the number of the last one told is where the next look
/// begins.
struct NoticeStream: Sendable {
    /// Notices asked for at once.
    static let pageMax = 50

    let lease: AccountStreams.Lease
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
        try await writer(ByteBuffer(bytes: EventText.heartbeat))
        var last = after
        try await send(first, &last, writer)
        try await lease.stream.run { signal in
            switch signal {
            case .heartbeat: try await writer(ByteBuffer(bytes: EventText.heartbeat))
            case .look:
                let before = last
                try await look(&last, writer)
                if last == before { try await writer(ByteBuffer(bytes: EventText.heartbeat)) }
            case .end: try await writer(ByteBuffer(bytes: EventText.closed))
            }
        }
    }

    private func look(_ last: inout Int64, _ writer: (ByteBuffer) async throws -> Void) async throws {
        var context = context
        context.deadline = clock.now() + patience
        let ask = Notifications.ReadInbox(
            account: lease.stream.account, after: last, limit: Self.pageMax)
        // Notifications is asked again at the next turn: the inbox keeps every notice.
        guard let page = try? await asking.ask(ask, in: context) else { return }
        try await send(page, &last, writer)
    }

    private func send(
        _ first: Notifications.ReadInbox.Reply, _ last: inout Int64, _ writer: (ByteBuffer) async throws -> Void
    ) async throws {
        for notice in first.notices where notice.number > last {
            try await writer(ByteBuffer(bytes: EventText.of(notice)))
            last = notice.number
        }
        if first.next != nil { try await look(&last, writer) }
    }
}
