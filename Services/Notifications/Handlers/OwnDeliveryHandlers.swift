import Bus
import Contracts
import Primitives

/// Lists what was sent to one of an account's endpoints.
package struct ReadDeliveriesHandler: Answering {
    private let service: NoticeService

    package init(_ service: NoticeService) { self.service = service }

    package func answer(
        _ ask: Notifications.ReadDeliveries, in context: AskContext
    ) async throws(Fault) -> Notifications.ReadDeliveries.Reply {
        let found = try await service.store.deliveries(
            to: ask.endpoint, of: ask.account, before: ask.before, limit: ask.limit + 1)
        guard let found else { throw Fault(.endpointNotFound) }
        let page = Array(found.prefix(ask.limit))
        return .init(deliveries: page, next: found.count > page.count ? page.last?.number : nil)
    }
}

/// Sends a web hook a test.
package struct TestEndpointHandler: Answering {
    private let service: NoticeService

    package init(_ service: NoticeService) { self.service = service }

    package func answer(
        _ ask: Notifications.TestEndpoint, in context: AskContext
    ) async throws(Fault) -> Notifications.TestEndpoint.Reply {
        let now = service.clock.now()
        guard let outcome = try await service.store.test(ask, at: now) else { throw Fault(.endpointNotFound) }
        if outcome == .reused { throw Fault(.noticeIDReused) }
        if case .recorded(let queued?) = outcome {
            await service.dispatcher.enqueue(
                queued, waitingAtMost: min(SendNotificationHandler.patience, max(.zero, context.deadline - now) / 2))
        }
        // It went with its endpoint.
        guard let delivery = try await service.store.ownDelivery(ask.delivery) else { throw Fault(.endpointNotFound) }
        return .init(delivery: delivery, replayed: outcome == .existed)
    }
}
