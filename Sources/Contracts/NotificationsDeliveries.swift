import Primitives
import Wire

/// What is on its way out of the house, and what did not arrive.
extension Notifications {
    package enum DeliveryState: String, Codable, Sendable, CaseIterable {
        /// Waits for its turn, or for another try.
        case queued
        case delivered
        /// Given up: a dead letter.
        case dead
    }

    /// One notice, or letter, on its way to one endpoint, or address.
    package struct DeliveryView: WireMessage, Equatable {
        package let delivery: DeliveryID
        /// Its place among all deliveries.
        package let number: Int64
        /// Absent where it is of a fact that only a web hook is told of.
        package let notice: NoticeID?
        package let account: PartyID?
        /// 1 Android, 2 iOS, 3 website, 4 web hook, 5 mail.
        package let type: Int64
        package let state: DeliveryState
        package let attempts: Int64
        /// Why the last attempt failed.
        package let reason: String?
        package let created: Timestamp
        /// Of a queued one: when it is tried next.
        package let due: Timestamp?
        package let finished: Timestamp?

        package init(
            delivery: DeliveryID, number: Int64, notice: NoticeID?, account: PartyID?, type: Int64,
            state: DeliveryState, attempts: Int64, reason: String?, created: Timestamp, due: Timestamp?,
            finished: Timestamp?
        ) {
            self.delivery = delivery
            self.number = number
            self.notice = notice
            self.account = account
            self.type = type
            self.state = state
            self.attempts = attempts
            self.reason = reason
            self.created = created
            self.due = due
            self.finished = finished
        }
    }

    /// Deliveries that were given up, newest first. For administrators and services, as the three that follow.
    package struct ReadDeadLetters: Ask, Equatable {
        package static let type: MessageType = "notifications.deadletters.read.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = []

        package struct Reply: WireMessage, Equatable {
            package let deliveries: [DeliveryView]
            /// Ask for the next page with this as `before`; absent when there is none.
            package let next: Int64?

            package init(deliveries: [DeliveryView], next: Int64?) {
                self.deliveries = deliveries
                self.next = next
            }
        }

        package let before: Int64?
        /// 1 to 100.
        package let limit: Int

        package init(before: Int64?, limit: Int) {
            self.before = before
            self.limit = limit
        }
    }

    /// One delivery with what it says, in whatever state. What a letter says is for its reader only.
    package struct ReadDelivery: Ask, Equatable {
        package static let type: MessageType = "notifications.delivery.read.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [.deliveryNotFound]

        package struct Reply: WireMessage, Equatable {
            package let delivery: DeliveryView
            package let title: String?
            package let text: String?
            package let link: String?
            /// What the local simulator would have sent, as APNs or FCM would have had it (A51).
            package let simulated: String?

            package init(
                delivery: DeliveryView, title: String?, text: String?, link: String?, simulated: String?
            ) {
                self.delivery = delivery
                self.title = title
                self.text = text
                self.link = link
                self.simulated = simulated
            }
        }

        package let delivery: DeliveryID
        package init(delivery: DeliveryID) { self.delivery = delivery }
    }

    /// Queues a dead letter again, under the key that its receiver knows it by. One that is queued again already stays so.
    package struct ReplayDelivery: Ask, Equatable {
        package static let type: MessageType = "notifications.delivery.replay.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [.deliveryNotFound, .deliveryNotReplayable]
        package typealias Reply = DeliveryView

        package let delivery: DeliveryID
        package init(delivery: DeliveryID) { self.delivery = delivery }
    }

    /// Forgets a dead letter.
    package struct DiscardDelivery: Ask, Equatable {
        package static let type: MessageType = "notifications.delivery.discard.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = []

        package struct Reply: WireMessage, Equatable {
            /// Whether there was one.
            package let discarded: Bool
            package init(discarded: Bool) { self.discarded = discarded }
        }

        package let delivery: DeliveryID
        package init(delivery: DeliveryID) { self.delivery = delivery }
    }

    // MARK: Facts

    /// An account has a notice more.
    package struct NoticeAdded: Fact, Equatable {
        package static let type: MessageType = "notifications.notice.added.v1"
        package let notice: NoticeID
        package let account: PartyID
        package let number: Int64
        package let kind: Kind
        package let time: Timestamp

        package init(notice: NoticeID, account: PartyID, number: Int64, kind: Kind, time: Timestamp) {
            self.notice = notice
            self.account = account
            self.number = number
            self.kind = kind
            self.time = time
        }
    }

    /// A receiver has taken a delivery.
    package struct NoticeDelivered: Fact, Equatable {
        package static let type: MessageType = "notifications.notice.delivered.v1"
        package let delivery: DeliveryID
        package let notice: NoticeID?
        package let account: PartyID?
        /// 1 Android, 2 iOS, 3 website, 4 web hook, 5 mail.
        package let channel: Int64
        package let attempts: Int64
        package let time: Timestamp

        package init(
            delivery: DeliveryID, notice: NoticeID?, account: PartyID?, channel: Int64, attempts: Int64,
            time: Timestamp
        ) {
            self.delivery = delivery
            self.notice = notice
            self.account = account
            self.channel = channel
            self.attempts = attempts
            self.time = time
        }
    }

    /// A delivery was given up; it is a dead letter now.
    package struct NoticeFailed: Fact, Equatable {
        package static let type: MessageType = "notifications.notice.failed.v1"
        package let delivery: DeliveryID
        package let notice: NoticeID?
        package let account: PartyID?
        /// 1 Android, 2 iOS, 3 website, 4 web hook, 5 mail.
        package let channel: Int64
        package let attempts: Int64
        package let reason: String
        package let time: Timestamp

        package init(
            delivery: DeliveryID, notice: NoticeID?, account: PartyID?, channel: Int64, attempts: Int64,
            reason: String, time: Timestamp
        ) {
            self.delivery = delivery
            self.notice = notice
            self.account = account
            self.channel = channel
            self.attempts = attempts
            self.reason = reason
            self.time = time
        }
    }
}
