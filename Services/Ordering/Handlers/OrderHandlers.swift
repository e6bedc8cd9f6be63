import Bus
import Contracts
import Primitives

package struct BeginOrderHandler: Answering {
    private let service: OrderService

    package init(_ service: OrderService) { self.service = service }

    package func answer(_ ask: Ordering.BeginOrder, in context: AskContext) async throws(Fault) -> Ordering.OrderReply {
        let now = service.clock.now()
        let isShown = try await service.accounts.isShown(ask.merchant, in: context)
        // The name only adorns what the merchant reads.
        let name = await service.accounts.found([ask.customer], within: Self.patience, in: context)[ask.customer]?.name
        let begun = try await service.store.begin(
            ask, isShown: isShown, customerName: name, merchantName: service.accounts.known(ask.merchant)?.name,
            at: now)
        return Ordering.OrderReply(order: begun.order.view, replayed: begun.replayed)
    }

    private static let patience = Duration.milliseconds(500)
}

package struct AddItemHandler: Answering {
    private let service: OrderService

    package init(_ service: OrderService) { self.service = service }

    package func answer(_ ask: Ordering.AddItem, in context: AskContext) async throws(Fault) -> Ordering.OrderReply {
        let added = try await service.store.add(ask)
        return Ordering.OrderReply(order: added.order.view, replayed: added.replayed)
    }
}

package struct DiscardOrderHandler: Answering {
    private let service: OrderService

    package init(_ service: OrderService) { self.service = service }

    package func answer(
        _ ask: Ordering.DiscardOrder, in context: AskContext
    ) async throws(Fault) -> Ordering.OrderReply {
        let discarded = try await service.store.discard(ask, at: service.clock.now())
        return Ordering.OrderReply(order: discarded.order.view, replayed: discarded.replayed)
    }
}

package struct PayOrderHandler: Answering {
    private let service: OrderService

    package init(_ service: OrderService) { self.service = service }

    package func answer(_ ask: Ordering.PayOrder, in context: AskContext) async throws(Fault) -> Ordering.OrderReply {
        let placed = try await service.store.place(
            ask, in: service.currency, settles: context.deadline, at: service.clock.now(), because: context)
        if placed.isPaid { return Ordering.OrderReply(order: placed.view, replayed: true) }
        let paid = try await service.pay(placed, card: ask.card, in: context)
        return Ordering.OrderReply(order: paid.order.view, replayed: paid.replayed)
    }
}

package struct FinishOrderHandler: Answering {
    private let service: OrderService

    package init(_ service: OrderService) { self.service = service }

    package func answer(_ ask: Ordering.FinishOrder, in context: AskContext) async throws(Fault) -> Ordering.OrderReply
    {
        // A customer who got the money back is not told to come.
        let isRefunded = try await service.isRefunded(ask.order, of: ask.merchant, in: context)
        let finished = try await service.store.finish(
            ask, tells: !isRefunded, at: service.clock.now(), because: context)
        return Ordering.OrderReply(order: finished.order.view, replayed: finished.replayed)
    }
}
