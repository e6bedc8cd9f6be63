import Primitives
import Wire

/// All that one may ask of notifications, or hear from it: the inbox, and what leaves the house.
package enum Notifications: FactSource {
    package static let service = "notifications"

    // MARK: The inbox

    /// What a notice is about. Customers choose by it what they are pushed (A85).
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// A merchant asks for money.
        case request
        /// A requested charge was paid.
        case payment
        /// A requested charge ended without payment.
        case closing
        case refund
        /// An ad or a coupon (001-13, 001-15).
        case offer
        /// The administrator decided on an offer or a merchant.
        case decision
        /// `SendNotification`.
        case message
    }

    /// One message to one account, in its inbox.
    package struct NoticeView: WireMessage, Equatable {
        package let notice: NoticeID
        /// Its place in the inbox: numbers are given from 1 without a gap, and 1,000 notices are kept.
        package let number: Int64
        package let kind: Kind
        package let title: String
        package let text: String
        /// Where the app opens (001-15): a path such as `/deals/…` or `/charges/…`.
        package let link: String?
        package let time: Timestamp
        /// When it was marked as read; absent while it is not.
        package let read: Timestamp?

        package init(
            notice: NoticeID, number: Int64, kind: Kind, title: String, text: String, link: String?, time: Timestamp,
            read: Timestamp?
        ) {
            self.notice = notice
            self.number = number
            self.kind = kind
            self.title = title
            self.text = text
            self.link = link
            self.time = time
            self.read = read
        }
    }

    /// Notices kept of one account. For one more the oldest that was read goes, or the oldest where none was read.
    package static let inboxMax = 1000

    /// An account's notices: newest first, or, with `after`, those behind that number, oldest first.
    package struct ReadInbox: Ask, Equatable {
        package static let type: MessageType = "notifications.inbox.read.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = []

        package struct Reply: WireMessage, Equatable {
            package let notices: [NoticeView]
            /// Ask for the next page with this as `before`, or as `after`; absent when there is none.
            package let next: Int64?
            /// The newest notice's number; 0 before the first. A stream begun behind it lacks nothing.
            package let head: Int64
            /// Not yet read, of all that are kept (001-36, A54).
            package let unread: Int64

            package init(notices: [NoticeView], next: Int64?, head: Int64, unread: Int64) {
                self.notices = notices
                self.next = next
                self.head = head
                self.unread = unread
            }
        }

        package let account: PartyID
        package let before: Int64?
        /// Not together with `before`.
        package let after: Int64?
        /// Only those that are not read yet.
        package let unread: Bool?
        /// 1 to 100.
        package let limit: Int

        package init(
            account: PartyID, before: Int64? = nil, after: Int64? = nil, unread: Bool? = nil, limit: Int
        ) {
            self.account = account
            self.before = before
            self.after = after
            self.unread = unread
            self.limit = limit
        }
    }

    package struct ReadNotice: Ask, Equatable {
        package static let type: MessageType = "notifications.notice.read.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [.noticeNotFound]
        package typealias Reply = NoticeView

        package let account: PartyID
        package let notice: NoticeID

        package init(account: PartyID, notice: NoticeID) {
            self.account = account
            self.notice = notice
        }
    }

    /// Marks a notice as read. The first time counts.
    package struct MarkNotice: Ask, Equatable {
        package static let type: MessageType = "notifications.notice.mark.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [.noticeNotFound]
        package typealias Reply = NoticeView

        package let account: PartyID
        package let notice: NoticeID

        package init(account: PartyID, notice: NoticeID) {
            self.account = account
            self.notice = notice
        }
    }

    // MARK: Sending

    /// 001-77, `sendNotification(type, registrationId, message)`: one message to one registration, and to the inbox of
    /// the account that has it. Keyed on `notice`. For services and administrators.
    package struct SendNotification: Ask, Equatable {
        package static let type: MessageType = "notifications.notification.send.v1"
        package static let retry = RetryClass.keyed
        package static let faults: [FaultCode] = [.endpointInvalid, .messageInvalid, .noticeIDReused]

        package struct Reply: WireMessage, Equatable {
            /// `sent`, `queued` or `failed:<reason>` (A51).
            package let result: String
            package let replayed: Bool

            package init(result: String, replayed: Bool) {
                self.result = result
                self.replayed = replayed
            }
        }

        package let notice: NoticeID
        /// 1 Android, 2 iOS, 3 website (A51).
        package let type: Int64
        /// What the push service calls the app's installation; of a website the URL of its subscription.
        package let registrationId: String
        /// 1 to 1000 bytes of UTF-8.
        package let message: String

        package init(notice: NoticeID, type: Int64, registrationId: String, message: String) {
            self.notice = notice
            self.type = type
            self.registrationId = registrationId
            self.message = message
        }
    }

    /// Sends one letter to one address, and to no inbox: what a person without a session has asked for, such as a code to
    /// set a new password (A42). Keyed on `notice`. For services.
    package struct SendMail: Ask, Equatable {
        package static let type: MessageType = "notifications.mail.send.v1"
        package static let retry = RetryClass.keyed
        package static let faults: [FaultCode] = [.addressInvalid, .messageInvalid, .noticeIDReused]

        package struct Reply: WireMessage, Equatable {
            package let replayed: Bool
            package init(replayed: Bool) { self.replayed = replayed }
        }

        package let notice: NoticeID
        /// One address, RFC 5321's Mailbox; at most 254 bytes.
        package let to: String
        /// One line.
        package let subject: String
        package let text: String
        /// After this it is sent no more.
        package let expires: Timestamp

        package init(notice: NoticeID, to: String, subject: String, text: String, expires: Timestamp) {
            self.notice = notice
            self.to = to
            self.subject = subject
            self.text = text
            self.expires = expires
        }
    }
}
