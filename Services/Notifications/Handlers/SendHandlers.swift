import Bus
import Contracts
import Primitives
import Sodium

/// `sendNotification(type, registrationId, message)`.
package struct SendNotificationHandler: Answering {
    /// How long an answer waits for the first attempt before it says `queued`.
    package static let patience = Duration.seconds(2)
    /// The title of a message without one.
    private static let title = "Billfold"

    private let service: NoticeService

    package init(_ service: NoticeService) { self.service = service }

    package func answer(
        _ ask: Notifications.SendNotification, in context: AskContext
    ) async throws(Fault) -> Notifications.SendNotification.Reply {
        let channel = try service.addresses.channel(ask.type)
        let address = try service.addresses.checked(ask.registrationId, channel)
        guard Self.isMessage(ask.message) else {
            throw Fault(
                .messageInvalid,
                "besides new lines a message has no control or invisible characters, and something to see")
        }
        let now = service.clock.now()
        let order = SendOrder(
            notice: ask.notice, channel: channel, address: address, title: Self.title, text: ask.message,
            expires: now + service.rules.ageMax,
            fingerprint: Digest.sha256(Array("\(ask.type)\0\(ask.registrationId)\0\(ask.message)".utf8)))
        let outcome = try await service.store.send(order, at: now)
        if case .recorded(let queued?) = outcome {
            await service.dispatcher.enqueue(
                queued, waitingAtMost: min(Self.patience, max(.zero, context.deadline - now) / 2))
        }
        if outcome == .reused { throw Fault(.noticeIDReused) }
        guard let stored = try await service.store.delivery(order.delivery) else { throw Fault(.unavailable) }
        return .init(result: Self.result(stored.view), replayed: outcome == .existed)
    }

    /// The result as `sendNotification` returns it.
    private static func result(_ delivery: Notifications.DeliveryView) -> String {
        switch delivery.state {
        case .queued: "queued"
        case .delivered: "sent"
        case .dead: "failed:\(delivery.reason ?? "unknown")"
        }
    }

    private static func isMessage(_ text: String) -> Bool {
        text.unicodeScalars.contains { !$0.properties.isWhitespace }
            && text.split { $0 == "\n" || $0 == "\r\n" }.allSatisfy { String($0).isShown }
    }
}

/// Sends a letter.
package struct SendMailHandler: Answering {
    private let service: NoticeService

    package init(_ service: NoticeService) { self.service = service }

    package func answer(
        _ ask: Notifications.SendMail, in context: AskContext
    ) async throws(Fault) -> Notifications.SendMail.Reply {
        let now = service.clock.now()
        let order = try SendOrder(
            letter: ask.notice, to: ask.to, subject: ask.subject, text: ask.text, expires: ask.expires, at: now)
        switch try await service.store.send(order, at: now) {
        case .recorded(let queued):
            service.dispatcher.enqueue(queued.map { [$0] } ?? [])
            return .init(replayed: false)
        case .existed: return .init(replayed: true)
        case .reused: throw Fault(.noticeIDReused)
        }
    }
}
