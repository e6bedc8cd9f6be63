import Bus
import Contracts

/// Lists dead letters.
package struct ReadDeadLettersHandler: Answering {
    private let service: NoticeService

    package init(_ service: NoticeService) { self.service = service }

    package func answer(
        _ ask: Notifications.ReadDeadLetters, in context: AskContext
    ) async throws(Fault) -> Notifications.ReadDeadLetters.Reply {
        let found = try await service.store.deadLetters(before: ask.before, limit: ask.limit + 1)
        let page = Array(found.prefix(ask.limit))
        return .init(deliveries: page, next: found.count > page.count ? page.last?.number : nil)
    }
}

/// Shows one delivery with its text; of a letter, without.
package struct ReadDeliveryHandler: Answering {
    private let service: NoticeService

    package init(_ service: NoticeService) { self.service = service }

    package func answer(
        _ ask: Notifications.ReadDelivery, in context: AskContext
    ) async throws(Fault) -> Notifications.ReadDelivery.Reply {
        guard let stored = try await service.store.delivery(ask.delivery) else { throw Fault(.deliveryNotFound) }
        let isLetter = stored.view.type == Medium.mail.rawValue
        return .init(
            delivery: stored.view, title: isLetter ? nil : stored.title, text: isLetter ? nil : stored.text,
            link: stored.link, simulated: stored.simulated)
    }
}

/// Queues a dead letter again under its first key.
package struct ReplayDeliveryHandler: Answering {
    private let service: NoticeService

    package init(_ service: NoticeService) { self.service = service }

    package func answer(
        _ ask: Notifications.ReplayDelivery, in context: AskContext
    ) async throws(Fault) -> Notifications.DeliveryView {
        switch try await service.store.replay(ask.delivery, at: service.clock.now()) {
        case .queued(let queued, let view):
            service.dispatcher.enqueue([queued])
            return view
        case .waits(let view): return view
        case .unknown: throw Fault(.deliveryNotFound)
        case .notReplayable: throw Fault(.deliveryNotReplayable)
        }
    }
}

package struct DiscardDeliveryHandler: Answering {
    private let service: NoticeService

    package init(_ service: NoticeService) { self.service = service }

    package func answer(
        _ ask: Notifications.DiscardDelivery, in context: AskContext
    ) async throws(Fault) -> Notifications.DiscardDelivery.Reply {
        return .init(discarded: try await service.store.discard(ask.delivery))
    }
}
