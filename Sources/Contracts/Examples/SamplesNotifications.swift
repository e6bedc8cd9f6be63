import Primitives

extension Samples {
    package static let notice = NoticeID(high: 0x019a_9c3d_2c40_000B, low: 0x0071_0071_0071_0071)
    package static let endpoint = EndpointID(high: 0x019a_9c3d_2c40_000C, low: 0x0E4D_0E4D_0E4D_0E4D)
    package static let delivery = DeliveryID(high: 0x019a_9c3d_2c40_000D, low: 0x0DE1_0DE1_0DE1_0DE1)

    package static let noticeAdded = Notifications.NoticeAdded(
        notice: notice, account: customer, number: 42, kind: .offer, time: time)

    package static let noticeView = Notifications.NoticeView(
        notice: notice, number: 8, kind: .request, title: "Corner \"Café\" asks for $3.50", text: memo,
        link: "/charges/\(charge.hex)", time: time, read: later)
    package static let bareNotice = Notifications.NoticeView(
        notice: notice, number: 7, kind: .message, title: "Billfold", text: "", link: nil, time: time, read: nil)
    package static let endpointView = Notifications.EndpointView(
        endpoint: endpoint, type: 3, address: "https://push.example.com/abc", created: time)
    package static let settings = Notifications.SettingsView(
        account: customer, enabled: true, muted: [.offer],
        quiet: Notifications.QuietHours(from: 1320, until: 420, offset: -420, zone: "America/Phoenix"))
    package static let bareSettings = Notifications.SettingsView(
        account: customer, enabled: false, muted: [], quiet: nil)
    package static let deadLetter = Notifications.DeliveryView(
        delivery: delivery, number: 8, notice: notice, account: merchant, type: 4, state: .dead, attempts: 12,
        reason: "HTTP 500", created: time, due: nil, finished: later)
    package static let queued = Notifications.DeliveryView(
        delivery: delivery, number: 9, notice: nil, account: nil, type: 5, state: .queued, attempts: 0, reason: nil,
        created: time, due: later, finished: nil)
    package static let ownDelivery = Notifications.OwnDelivery(
        delivery: delivery, number: 8, title: "payments.charge.captured.v1", state: .dead, attempts: 12,
        reason: "HTTP 500", created: time, due: nil, finished: later)
    package static let ownQueued = Notifications.OwnDelivery(
        delivery: delivery, number: 9, title: "notifications.endpoint.tested.v1", state: .queued, attempts: 0,
        reason: nil, created: time, due: later, finished: nil)
}
