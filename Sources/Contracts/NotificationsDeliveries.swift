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
    }

    /// Deliveries that were given up, newest first. For administrators and services, as the three that follow.
    package struct ReadDeadLetters: Ask, Equatable {
        package static let type: MessageType = "notifications.deadletters.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .any(.administrator)
        package static let limits: [Limit<Self>] = [.number(\.limit, 1...100, example: 10)]
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Notifications.ReadDeadLetters(before: 9, limit: 20),
                bare: Notifications.ReadDeadLetters(before: nil, limit: 1),
                reply: Notifications.ReadDeadLetters.Reply(deliveries: [Samples.deadLetter], next: 7),
                bareReply: Notifications.ReadDeadLetters.Reply(deliveries: [], next: nil))
        }

        package struct Reply: WireMessage, Equatable {
            package let deliveries: [DeliveryView]
            /// Ask for the next page with this as `before`; absent when there is none.
            package let next: Int64?
        }

        package let before: Int64?
        /// 1 to 100.
        package let limit: Int
    }

    /// One delivery with what it says, in whatever state. What a letter says is for its reader only.
    package struct ReadDelivery: Ask, Equatable {
        package static let type: MessageType = "notifications.delivery.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .any(.administrator)
        package static let faults: [FaultCode] = [.deliveryNotFound]
        package static var examples: Examples<Self> {
            Examples(
                Notifications.ReadDelivery(delivery: Samples.delivery),
                reply: Notifications.ReadDelivery.Reply(
                    delivery: Samples.deadLetter, title: "Corner \"Café\"", text: Samples.memo, link: "/charges/1",
                    simulated: "{}"),
                bareReply: Notifications.ReadDelivery.Reply(
                    delivery: Samples.queued, title: nil, text: nil, link: nil, simulated: nil))
        }

        package struct Reply: WireMessage, Equatable {
            package let delivery: DeliveryView
            package let title: String?
            package let text: String?
            package let link: String?
            /// What the local simulator would have sent, as APNs or FCM would have had it.
            package let simulated: String?
        }

        package let delivery: DeliveryID
    }

    /// Queues a dead letter again, under the key that its receiver knows it by. One that is queued again already stays
    /// so.
    package struct ReplayDelivery: Ask, Equatable {
        package static let type: MessageType = "notifications.delivery.replay.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .any(.administrator)
        package static let faults: [FaultCode] = [.deliveryNotFound, .deliveryNotReplayable]
        package static var examples: Examples<Self> {
            Examples(
                Notifications.ReplayDelivery(delivery: Samples.delivery),
                reply: Samples.deadLetter,
                bareReply: Samples.queued)
        }
        package typealias Reply = DeliveryView

        package let delivery: DeliveryID
    }

    /// Forgets a dead letter.
    package struct DiscardDelivery: Ask, Equatable {
        package static let type: MessageType = "notifications.delivery.discard.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .any(.administrator)
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Notifications.DiscardDelivery(delivery: Samples.delivery),
                reply: Notifications.DiscardDelivery.Reply(discarded: true))
        }

        package struct Reply: WireMessage, Equatable {
            /// Whether there was one.
            package let discarded: Bool
        }

        package let delivery: DeliveryID
    }

    // MARK: An account's own

    /// A delivery as the owner of its endpoint sees it.
    package struct OwnDelivery: WireMessage, Equatable {
        package let delivery: DeliveryID
        /// Its place among all deliveries.
        package let number: Int64
        /// The title of a push; of a web hook's the type of what it tells.
        package let title: String
        package let state: DeliveryState
        package let attempts: Int64
        /// Why the last attempt failed.
        package let reason: String?
        package let created: Timestamp
        /// Of a queued one: when it is tried next.
        package let due: Timestamp?
        package let finished: Timestamp?
    }

    /// Deliveries to one of the account's endpoints, newest first. One that was made long ago is forgotten.
    package struct ReadDeliveries: Ask, Equatable {
        package static let type: MessageType = "notifications.deliveries.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.account, .customer, .merchant)
        package static let limits: [Limit<Self>] = [.number(\.limit, 1...100, example: 10)]
        package static let faults: [FaultCode] = [.endpointNotFound]
        package static var examples: Examples<Self> {
            Examples(
                Notifications.ReadDeliveries(
                    account: Samples.merchant, endpoint: Samples.endpoint, before: 9, limit: 20),
                bare: Notifications.ReadDeliveries(
                    account: Samples.merchant, endpoint: Samples.endpoint, before: nil, limit: 1),
                reply: Notifications.ReadDeliveries.Reply(
                    deliveries: [Samples.ownDelivery, Samples.ownQueued], next: 8),
                bareReply: Notifications.ReadDeliveries.Reply(deliveries: [], next: nil))
        }

        package struct Reply: WireMessage, Equatable {
            package let deliveries: [OwnDelivery]
            /// Ask for the next page with this as `before`; absent when there is none.
            package let next: Int64?
        }

        package let account: PartyID
        package let endpoint: EndpointID
        package let before: Int64?
        /// 1 to 100.
        package let limit: Int
    }

    /// Sends a web hook a message that says nothing but that it is a test, signed like all others, and waits a moment
    /// for its first attempt. Keyed on `delivery`.
    package struct TestEndpoint: Ask, Equatable {
        package static let type: MessageType = "notifications.endpoint.test.v1"
        package static let effect: Effect<Self> = .keyed(by: \.delivery)
        package static let access: Access<Self> = .only(\.account, .merchant)
        package static let faults: [FaultCode] = [.endpointNotFound, .noticeIDReused]
        package static var examples: Examples<Self> {
            Examples(
                Notifications.TestEndpoint(
                    delivery: Samples.delivery, account: Samples.merchant, endpoint: Samples.endpoint),
                reply: Notifications.TestEndpoint.Reply(delivery: Samples.ownDelivery, replayed: true),
                bareReply: Notifications.TestEndpoint.Reply(delivery: Samples.ownQueued, replayed: false))
        }

        package struct Reply: WireMessage, Equatable {
            package let delivery: OwnDelivery
            package let replayed: Bool
        }

        package let delivery: DeliveryID
        package let account: PartyID
        /// One of the account's web hooks.
        package let endpoint: EndpointID
    }

    // MARK: Facts

    /// An account has a notice more.
    package struct NoticeAdded: Fact, FastCoded, Equatable {
        package static let type: MessageType = "notifications.notice.added.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Samples.noticeAdded)
        }
        package let notice: NoticeID
        package let account: PartyID
        package let number: Int64
        package let kind: Kind
        package let time: Timestamp
    }

    /// A receiver has taken a delivery.
    package struct NoticeDelivered: Fact, Equatable {
        package static let type: MessageType = "notifications.notice.delivered.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Notifications.NoticeDelivered(
                    delivery: Samples.delivery, notice: Samples.notice, account: Samples.customer, channel: 3,
                    attempts: 1, time: Samples.time),
                bare: Notifications.NoticeDelivered(
                    delivery: Samples.delivery, notice: nil, account: nil, channel: 5, attempts: 1, time: Samples.time))
        }
        package let delivery: DeliveryID
        package let notice: NoticeID?
        package let account: PartyID?
        /// 1 Android, 2 iOS, 3 website, 4 web hook, 5 mail.
        package let channel: Int64
        package let attempts: Int64
        package let time: Timestamp
    }

    /// A delivery was given up; it is a dead letter now.
    package struct NoticeFailed: Fact, Equatable {
        package static let type: MessageType = "notifications.notice.failed.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Notifications.NoticeFailed(
                    delivery: Samples.delivery, notice: Samples.notice, account: Samples.customer, channel: 4,
                    attempts: 12, reason: "HTTP 500",
                    time: Samples.time),
                bare: Notifications.NoticeFailed(
                    delivery: Samples.delivery, notice: nil, account: nil, channel: 5, attempts: 1, reason: "SMTP 550",
                    time: Samples.time))
        }
        package let delivery: DeliveryID
        package let notice: NoticeID?
        package let account: PartyID?
        /// 1 Android, 2 iOS, 3 website, 4 web hook, 5 mail.
        package let channel: Int64
        package let attempts: Int64
        package let reason: String
        package let time: Timestamp
    }
}
