import Bus
import Contracts
import Primitives

package struct ReadOrderHandler: Answering {
    private let service: OrderService

    package init(_ service: OrderService) { self.service = service }

    package func answer(_ ask: Ordering.ReadOrder, in context: AskContext) async throws(Fault) -> Ordering.OrderView {
        // To others it does not exist.
        guard let order = try await service.store.order(ask.order), ask.party.map(order.isSeen) ?? true else {
            throw Fault(.orderNotFound)
        }
        return try await service.views(of: [order], for: order.customer, in: context)[0]
    }
}

package struct ReadCartHandler: Answering {
    private let service: OrderService

    package init(_ service: OrderService) { self.service = service }

    package func answer(
        _ ask: Ordering.ReadCart, in context: AskContext
    ) async throws(Fault) -> Ordering.ReadCart.Reply {
        .init(order: try await service.store.cart(of: ask.customer, at: ask.merchant)?.view)
    }
}

package struct ReadOrdersHandler: Answering {
    private let service: OrderService

    package init(_ service: OrderService) { self.service = service }

    package func answer(
        _ ask: Ordering.ReadOrders, in context: AskContext
    ) async throws(Fault) -> Ordering.ReadOrders.Reply {
        let isMerchant = try await isMerchant(ask.party, in: context)
        return try await fittingPage(of: ask.limit) { limit throws(Fault) in
            let page = try await service.store.orders(
                of: ask.party, asMerchant: isMerchant, waiting: ask.waiting, before: ask.before, limit: limit)
            return .init(
                orders: try await service.views(of: page.orders, for: ask.party, in: context), next: page.next)
        }
    }

    /// By the actor's role; a service that asks for itself leaves it to auth.
    private func isMerchant(_ party: PartyID, in context: AskContext) async throws(Fault) -> Bool {
        if let actor = context.actor { return actor.role == .merchant }
        return try await service.accounts.account(party, in: context)?.role == .merchant
    }
}
