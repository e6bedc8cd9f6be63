import Contracts
import Primitives

/// Notifications in a few lines: one inbox with one notice, one phone, one dead letter.
enum FakeNotifications {
    static let notice = NoticeID(high: 0x7, low: 0x7)

    static func answer(_ ask: any Ask) throws(Fault) -> any Sendable {
        switch ask {
        case let ask as Notifications.ReadInbox:
            let isBehind = ask.after.map { $0 < 1 } ?? true
            return Notifications.ReadInbox.Reply(
                notices: isBehind ? [view(notice)] : [], next: nil, head: 1, unread: 1)
        case let ask as Notifications.ReadNotice: return view(ask.notice)
        case let ask as Notifications.MarkNotice: return view(ask.notice, read: FakeServices.time)
        case is Notifications.SendNotification:
            return Notifications.SendNotification.Reply(result: "sent", replayed: false)
        case let ask as Notifications.AddEndpoint:
            return Notifications.AddEndpoint.Reply(
                endpoint: .init(
                    endpoint: ask.endpoint, type: ask.type, address: ask.address, created: FakeServices.time),
                secret: ask.type == 4 ? "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" : nil, replayed: false)
        case is Notifications.ReadEndpoints: return Notifications.ReadEndpoints.Reply(endpoints: [])
        case is Notifications.RemoveEndpoint: return Notifications.RemoveEndpoint.Reply(removed: true)
        case is Notifications.ReadDeliveries:
            return Notifications.ReadDeliveries.Reply(deliveries: [own(DeliveryID(high: 1, low: 1))], next: 7)
        case let ask as Notifications.TestEndpoint:
            return Notifications.TestEndpoint.Reply(delivery: own(ask.delivery), replayed: false)
        case is Notifications.ReadPushKey: return Notifications.ReadPushKey.Reply(publicKey: "BP4z")
        case let ask as Notifications.ReadSettings:
            return Notifications.SettingsView(account: ask.account, enabled: true, muted: [], quiet: nil)
        case let ask as Notifications.SetSettings:
            return Notifications.SettingsView(
                account: ask.account, enabled: ask.enabled, muted: ask.muted, quiet: ask.quiet)
        case is Notifications.ReadDeadLetters:
            return Notifications.ReadDeadLetters.Reply(deliveries: [delivery(DeliveryID(high: 1, low: 1))], next: nil)
        case let ask as Notifications.ReadDelivery:
            return Notifications.ReadDelivery.Reply(
                delivery: delivery(ask.delivery), title: "Coffee", text: "", link: nil, simulated: nil)
        case let ask as Notifications.ReplayDelivery: return delivery(ask.delivery)
        case is Notifications.DiscardDelivery: return Notifications.DiscardDelivery.Reply(discarded: true)
        default: throw Fault(.unknownType)
        }
    }

    private static func view(_ notice: NoticeID, read: Timestamp? = nil) -> Notifications.NoticeView {
        Notifications.NoticeView(
            notice: notice, number: 1, kind: .offer, title: "Coffee", text: "Half price", link: "/deals/1",
            time: FakeServices.time, read: read)
    }

    private static func delivery(_ id: DeliveryID) -> Notifications.DeliveryView {
        Notifications.DeliveryView(
            delivery: id, number: 1, notice: nil, account: nil, type: 4, state: .dead, attempts: 12,
            reason: "HTTP 500", created: FakeServices.time, due: nil, finished: FakeServices.time)
    }

    private static func own(_ id: DeliveryID) -> Notifications.OwnDelivery {
        Notifications.OwnDelivery(
            delivery: id, number: 8, title: "payments.charge.captured.v1", state: .delivered, attempts: 1, reason: nil,
            created: FakeServices.time, due: nil, finished: FakeServices.time)
    }
}
