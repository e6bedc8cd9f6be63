import Bus
import Contracts

/// Shows an account its notices.
package struct ReadInboxHandler: Answering {
    private let service: NoticeService

    package init(_ service: NoticeService) { self.service = service }

    package func answer(
        _ ask: Notifications.ReadInbox, in context: AskContext
    ) async throws(Fault) -> Notifications.ReadInbox.Reply {
        guard ask.before == nil || ask.after == nil else {
            throw Fault(.malformed, "'before' and 'after' are two directions")
        }
        return try await service.store.inbox(ask)
    }
}

package struct ReadNoticeHandler: Answering {
    private let service: NoticeService

    package init(_ service: NoticeService) { self.service = service }

    package func answer(
        _ ask: Notifications.ReadNotice, in context: AskContext
    ) async throws(Fault) -> Notifications.NoticeView {
        guard let notice = try await service.store.notice(ask.notice, of: ask.account) else {
            throw Fault(.noticeNotFound)
        }
        return notice
    }
}

package struct MarkNoticeHandler: Answering {
    private let service: NoticeService

    package init(_ service: NoticeService) { self.service = service }

    package func answer(
        _ ask: Notifications.MarkNotice, in context: AskContext
    ) async throws(Fault) -> Notifications.NoticeView {
        guard let notice = try await service.store.markRead(ask.notice, of: ask.account, at: service.clock.now()) else {
            throw Fault(.noticeNotFound)
        }
        return notice
    }
}
