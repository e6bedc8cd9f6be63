import Primitives
import Wire

/// Inboxes, and what leaves the house: pushes, web hooks, mail.
package enum Notifications: FactConsumer, StateOwner {
    package static let service = "notifications"
    package static var sample: any Fact { Samples.noticeAdded }
    package static var consumes: [any FactSource.Type] {
        [Auth.self, Offers.self, Ordering.self, Payments.self, Routines.self]
    }
    package static var withoutFacts: String { "Nobody gets a notice of facts that are left out." }
    package static var withRepeatedFacts: String {
        "People get a second notice of a fact where the first one is no longer in the inbox."
    }
    package static var key: ServiceKey? { ServiceKey(file: "vapid.key", setting: "BILLFOLD_VAPID_KEY_FILE") }

    // MARK: The inbox

    /// What a notice is about. Customers choose by it what they are pushed.
    package enum Kind: String, WireValue, Codable, CaseIterable {
        /// A merchant asks for money.
        case request
        /// A requested charge was paid.
        case payment
        /// A requested charge ended without payment.
        case closing
        case refund
        /// An ad or a coupon.
        case offer
        /// The administrator decided on an offer or a merchant.
        case decision
        /// `SendNotification`.
        case message
        /// Somebody sent money.
        case transfer
        /// Something of a day has begun.
        case reminder
        /// An order came to its merchant, or is ready for its customer.
        case order
    }

    /// One message to one account, in its inbox.
    package struct NoticeView: WireMessage, Equatable {
        package let notice: NoticeID
        /// Its place in the inbox: numbers are given from 1 without a gap, and 1,000 notices are kept.
        package let number: Int64
        package let kind: Kind
        package let title: String
        package let text: String
        /// Where the app opens: a path such as `/deals/…` or `/charges/…`.
        package let link: String?
        package let time: Timestamp
        /// When it was marked as read; absent while it is not.
        package let read: Timestamp?
    }

    /// Notices kept of one account. For one more the oldest that was read goes, or the oldest where none was read.
    package static let inboxMax = 1000

    /// An account's notices: newest first, or, with `after`, those behind that number, oldest first.
    package struct ReadInbox: Ask, Equatable {
        package static let type: MessageType = "notifications.inbox.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.account, .customer, .merchant)
        package static let limits: [Limit<Self>] = [.number(\.limit, 1...100, example: 10)]
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Notifications.ReadInbox(account: Samples.customer, before: 9, after: 7, unread: true, limit: 20),
                bare: Notifications.ReadInbox(account: Samples.customer, limit: 1),
                reply: Notifications.ReadInbox.Reply(
                    notices: [Samples.noticeView, Samples.bareNotice], next: 7, head: 42, unread: 3),
                bareReply: Notifications.ReadInbox.Reply(notices: [], next: nil, head: 0, unread: 0))
        }

        package struct Reply: WireMessage, Equatable {
            package let notices: [NoticeView]
            /// Ask for the next page with this as `before`, or as `after`; absent when there is none.
            package let next: Int64?
            /// The newest notice's number; 0 before the first. A stream begun behind it lacks nothing.
            package let head: Int64
            /// Not yet read, of all that are kept.
            package let unread: Int64
        }

        package let account: PartyID
        package let before: Int64?
        /// Not together with `before`.
        package let after: Int64?
        /// Only those that are not read yet.
        package let unread: Bool?
        /// 1 to 100.
        package let limit: Int
    }

    package struct ReadNotice: Ask, Equatable {
        package static let type: MessageType = "notifications.notice.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.account, .customer, .merchant)
        package static let faults: [FaultCode] = [.noticeNotFound]
        package static var examples: Examples<Self> {
            Examples(
                Notifications.ReadNotice(account: Samples.customer, notice: Samples.notice),
                reply: Samples.noticeView,
                bareReply: Samples.bareNotice)
        }
        package typealias Reply = NoticeView

        package let account: PartyID
        package let notice: NoticeID
    }

    /// Marks a notice as read. The first time counts.
    package struct MarkNotice: Ask, Equatable {
        package static let type: MessageType = "notifications.notice.mark.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .only(\.account, .customer, .merchant)
        package static let faults: [FaultCode] = [.noticeNotFound]
        package static var examples: Examples<Self> {
            Examples(
                Notifications.MarkNotice(account: Samples.customer, notice: Samples.notice),
                reply: Samples.noticeView,
                bareReply: Samples.bareNotice)
        }
        package typealias Reply = NoticeView

        package let account: PartyID
        package let notice: NoticeID
    }

    // MARK: Sending

    /// `sendNotification(type, registrationId, message)`: one message to one registration, and to the inbox of
    /// the account that has it. Keyed on `notice`. For services and administrators.
    package struct SendNotification: Ask, Equatable {
        package static let type: MessageType = "notifications.notification.send.v1"
        package static let effect: Effect<Self> = .keyed(by: \.notice)
        package static let access: Access<Self> = .any(.administrator)
        package static let limits: [Limit<Self>] = [
            .number(\.type, 1...3, or: .endpointInvalid, example: 1),
            .text(\.registrationId, 1...1000, or: .endpointInvalid, example: "bk3RNwTe3H0:CI2k_HHwg"),
            .text(\.message, 1...1000, or: .messageInvalid, example: "Your table is ready")
        ]
        package static let faults: [FaultCode] = [.endpointInvalid, .messageInvalid, .noticeIDReused]
        package static var examples: Examples<Self> {
            Examples(
                Notifications.SendNotification(
                    notice: Samples.notice, type: 2, registrationId: String(Samples.digest.prefix(64)),
                    message: Samples.memo),
                reply: Notifications.SendNotification.Reply(result: "failed:BadDeviceToken", replayed: false))
        }

        package struct Reply: WireMessage, Equatable {
            /// `sent`, `queued` or `failed:<reason>`.
            package let result: String
            package let replayed: Bool
        }

        package let notice: NoticeID
        /// 1 Android, 2 iOS, 3 website.
        package let type: Int64
        /// What the push service calls the app's installation; of a website the URL of its subscription.
        package let registrationId: String
        /// 1 to 1000 bytes of UTF-8.
        package let message: String
    }

    /// Sends one letter to one address, and to no inbox: what a person without a session has asked for, such as a code
    /// to set a new password. Keyed on `notice`. For services.
    package struct SendMail: Ask, Equatable {
        package static let type: MessageType = "notifications.mail.send.v1"
        package static let effect: Effect<Self> = .keyed(by: \.notice)
        package static let access: Access<Self> = .services
        package static let limits: [Limit<Self>] = [
            .text(\.to, 3...254, or: .addressInvalid, example: "ada@example.com"),
            .text(\.subject, 1...200, or: .messageInvalid, example: "A new password"),
            .text(\.text, 1...16_384, or: .messageInvalid, example: "The code is 7H4KX…")
        ]
        package static let faults: [FaultCode] = [.addressInvalid, .messageInvalid, .noticeIDReused]
        package static var examples: Examples<Self> {
            Examples(
                Notifications.SendMail(
                    notice: Samples.notice, to: "ada@example.com", subject: "Your code", text: "4711\n",
                    expires: Samples.later),
                reply: Notifications.SendMail.Reply(replayed: true))
        }

        package struct Reply: WireMessage, Equatable {
            package let replayed: Bool
        }

        package let notice: NoticeID
        /// One address, RFC 5321's Mailbox; at most 254 bytes.
        package let to: String
        /// One line.
        package let subject: String
        package let text: String
        /// After this it is sent no more.
        package let expires: Timestamp
    }
}
