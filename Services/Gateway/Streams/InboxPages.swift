import Contracts
import NIOCore
import Primitives
import Synchronization

/// Reads pages of inboxes for event streams, once for all streams of an account that want the same page at once.
final class InboxPages: Sendable {
    struct Place: Hashable, Sendable {
        let account: PartyID
        /// The number of the notice before the page.
        let after: Int64
        /// The newest word of this account's notices that the stream has had: a read that began before it may lack
        /// what it told of.
        let news: UInt64
    }

    /// Notices as they are written to each stream.
    struct Page: Sendable {
        let notices: [(number: Int64, event: ByteBuffer)]
        let hasMore: Bool

        init(_ reply: Notifications.ReadInbox.Reply) {
            notices = reply.notices.map { ($0.number, ByteBuffer(bytes: EventText.of($0))) }
            hasMore = reply.next != nil
        }
    }

    private enum Share: Sendable {
        /// Nobody else reads it: whoever asked does.
        case own
        case read(Page?)
    }

    private let waiting = Mutex<[Place: [CheckedContinuation<Share, Never>]]>([:])

    /// - Returns: nil where `read` gives nil.
    nonisolated(nonsending) func page(
        at place: Place, _ read: nonisolated(nonsending) () async -> Page?
    ) async -> Page? {
        let share = await withCheckedContinuation { continuation in
            let isFirst = waiting.withLock { waiting in
                guard waiting[place] == nil else {
                    waiting[place]?.append(continuation)
                    return false
                }
                waiting[place] = []
                return true
            }
            if isFirst { continuation.resume(returning: .own) }
        }
        if case .read(let page) = share { return page }
        let page = await read()
        for other in waiting.withLock({ $0.removeValue(forKey: place) ?? [] }) { other.resume(returning: .read(page)) }
        return page
    }
}
