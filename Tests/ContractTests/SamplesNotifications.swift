import Contracts
import Primitives

extension Samples {
    static let notice = NoticeID(high: 0x019a_9c3d_2c40_000B, low: 0x0071_0071_0071_0071)
    static let endpoint = EndpointID(high: 0x019a_9c3d_2c40_000C, low: 0x0E4D_0E4D_0E4D_0E4D)
    static let delivery = DeliveryID(high: 0x019a_9c3d_2c40_000D, low: 0x0DE1_0DE1_0DE1_0DE1)

    static let notifications: [Sample] = inbox + sending + endpoints + deliveries + notificationsFacts

    private static let inbox: [Sample] =
        ask(
            Notifications.ReadInbox(account: customer, before: 9, after: 7, unread: true, limit: 20),
            bare: Notifications.ReadInbox(account: customer, limit: 1),
            reply: Notifications.ReadInbox.Reply(notices: [noticeView, bareNotice], next: 7, head: 42, unread: 3),
            bareReply: Notifications.ReadInbox.Reply(notices: [], next: nil, head: 0, unread: 0))
        + ask(Notifications.ReadNotice(account: customer, notice: notice), reply: noticeView, bareReply: bareNotice)
        + ask(Notifications.MarkNotice(account: customer, notice: notice), reply: noticeView, bareReply: bareNotice)

    private static let sending: [Sample] =
        ask(
            Notifications.SendNotification(
                notice: notice, type: 2, registrationId: String(digest.prefix(64)), message: memo),
            reply: Notifications.SendNotification.Reply(result: "failed:BadDeviceToken", replayed: false))
        + ask(
            Notifications.SendMail(
                notice: notice, to: "ada@example.com", subject: "Your code", text: "4711\n", expires: later),
            reply: Notifications.SendMail.Reply(replayed: true))

    private static let endpoints: [Sample] =
        ask(
            Notifications.AddEndpoint(
                endpoint: endpoint, account: customer, type: 3, address: "https://push.example.com/abc",
                p256dh:
                    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
                auth: "BTBZMqHH6r4Tts7J_aSIgg"),
            bare: Notifications.AddEndpoint(endpoint: endpoint, account: customer, type: 1, address: "token"),
            reply: Notifications.AddEndpoint.Reply(
                endpoint: endpointView, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", replayed: true),
            bareReply: Notifications.AddEndpoint.Reply(endpoint: endpointView, secret: nil, replayed: false))
        + ask(
            Notifications.ReadEndpoints(account: customer),
            reply: Notifications.ReadEndpoints.Reply(endpoints: [endpointView]),
            bareReply: Notifications.ReadEndpoints.Reply(endpoints: []))
        + ask(
            Notifications.RemoveEndpoint(account: customer, endpoint: endpoint),
            reply: Notifications.RemoveEndpoint.Reply(removed: true))
        + ask(
            Notifications.ReadPushKey(),
            reply: Notifications.ReadPushKey.Reply(
                publicKey:
                    "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"))
        + ask(Notifications.ReadSettings(account: customer), reply: settings, bareReply: bareSettings)
        + ask(
            Notifications.SetSettings(
                account: customer, enabled: true, muted: [.offer], quiet: settings.quiet),
            bare: Notifications.SetSettings(account: customer, enabled: false, muted: [], quiet: nil),
            reply: settings, bareReply: bareSettings)

    private static let deliveries: [Sample] =
        ask(
            Notifications.ReadDeadLetters(before: 9, limit: 20),
            bare: Notifications.ReadDeadLetters(before: nil, limit: 1),
            reply: Notifications.ReadDeadLetters.Reply(deliveries: [deadLetter], next: 7),
            bareReply: Notifications.ReadDeadLetters.Reply(deliveries: [], next: nil))
        + ask(
            Notifications.ReadDelivery(delivery: delivery),
            reply: Notifications.ReadDelivery.Reply(
                delivery: deadLetter, title: "Corner \"Café\"", text: memo, link: "/charges/1", simulated: "{}"),
            bareReply: Notifications.ReadDelivery.Reply(
                delivery: queued, title: nil, text: nil, link: nil, simulated: nil))
        + ask(Notifications.ReplayDelivery(delivery: delivery), reply: deadLetter, bareReply: queued)
        + ask(
            Notifications.DiscardDelivery(delivery: delivery),
            reply: Notifications.DiscardDelivery.Reply(discarded: true))

    private static let notificationsFacts: [Sample] =
        fact(noticeAdded)
        + fact(
            Notifications.NoticeDelivered(
                delivery: delivery, notice: notice, account: customer, channel: 3, attempts: 1, time: time),
            bare: Notifications.NoticeDelivered(
                delivery: delivery, notice: nil, account: nil, channel: 5, attempts: 1, time: time))
        + fact(
            Notifications.NoticeFailed(
                delivery: delivery, notice: notice, account: customer, channel: 4, attempts: 12, reason: "HTTP 500",
                time: time),
            bare: Notifications.NoticeFailed(
                delivery: delivery, notice: nil, account: nil, channel: 5, attempts: 1, reason: "SMTP 550",
                time: time))

    static let noticeAdded = Notifications.NoticeAdded(
        notice: notice, account: customer, number: 42, kind: .offer, time: time)

    private static let noticeView = Notifications.NoticeView(
        notice: notice, number: 8, kind: .request, title: "Corner \"Café\" asks for $3.50", text: memo,
        link: "/charges/\(charge.hex)", time: time, read: later)
    private static let bareNotice = Notifications.NoticeView(
        notice: notice, number: 7, kind: .message, title: "Billfold", text: "", link: nil, time: time, read: nil)
    private static let endpointView = Notifications.EndpointView(
        endpoint: endpoint, type: 3, address: "https://push.example.com/abc", created: time)
    private static let settings = Notifications.SettingsView(
        account: customer, enabled: true, muted: [.offer],
        quiet: Notifications.QuietHours(from: 1320, until: 420, offset: -420))
    private static let bareSettings = Notifications.SettingsView(
        account: customer, enabled: false, muted: [], quiet: nil)
    private static let deadLetter = Notifications.DeliveryView(
        delivery: delivery, number: 8, notice: notice, account: merchant, type: 4, state: .dead, attempts: 12,
        reason: "HTTP 500", created: time, due: nil, finished: later)
    private static let queued = Notifications.DeliveryView(
        delivery: delivery, number: 9, notice: nil, account: nil, type: 5, state: .queued, attempts: 0, reason: nil,
        created: time, due: later, finished: nil)
}
