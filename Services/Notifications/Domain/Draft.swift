import Contracts
import Primitives
import Sodium

/// A notice before it has a place in an inbox.
package struct Draft: Sendable, Equatable {
    /// Bytes of UTF-8; what is longer is cut. So a page of notices fits into an envelope.
    package static let titleBytesMax = 300
    package static let textBytesMax = 4000

    package let id: NoticeID
    package let account: PartyID
    package let kind: Notifications.Kind
    package let title: String
    package let text: String
    package let link: String?
    package let time: Timestamp
    /// The merchant who caused it, of a customer's notice.
    package let sender: PartyID?
    /// When it is no news any more: nothing is pushed then. Nil where that is as for all pushes.
    package let expires: Timestamp?

    package init(
        id: NoticeID, account: PartyID, kind: Notifications.Kind, title: String, text: String, link: String?,
        time: Timestamp, sender: PartyID? = nil, expires: Timestamp? = nil
    ) {
        self.id = id
        self.account = account
        self.kind = kind
        self.title = title
        self.text = text
        self.link = link
        self.time = time
        self.sender = sender
        self.expires = expires
    }
}

/// What a merchant's web hook is told.
package struct HookMessage: Sendable, Equatable {
    /// The same for the same fact: from it follows the key that the receiver knows.
    package let id: NoticeID
    package let merchant: PartyID
    /// The fact's type.
    package let type: String
    /// JSON.
    package let data: String
    package let time: Timestamp
}

extension NoticeID {
    /// The notice that a fact makes for an account: the same whenever it is read.
    package init(source: String, sequence: Int64, for account: PartyID) {
        self.init(of: Array("\(source)/\(sequence)".utf8), for: "notice", scope: account.bytes)
    }
}

extension DeliveryID {
    /// The delivery of a notice to an endpoint: the same whenever the notice is made.
    package init(of notice: NoticeID, to endpoint: EndpointID) {
        self.init(of: Array(notice.hex.utf8), for: "delivery", scope: endpoint.bytes)
    }
}
