import Bus
import Contracts

/// Remembers that a customer has looked at a deal.
package struct SeeDealHandler: Answering {
    private let service: DealService

    package init(_ service: DealService) { self.service = service }

    package func answer(_ ask: Offers.SeeDeal, in context: AskContext) async throws(Fault) -> Offers.SeeDeal.Reply {
        guard let offer = try await service.store.offer(ask.offer), offer.accepted == .accepted else {
            throw Fault(.offerNotFound)
        }
        let seen = try await service.store.see(offer.id, by: ask.customer, at: service.clock.now())
        return .init(seen: seen)
    }
}

/// Says what came of an offer.
package struct ReadOutcomeHandler: Answering {
    private let service: DealService

    package init(_ service: DealService) { self.service = service }

    package func answer(
        _ ask: Offers.ReadOutcome, in context: AskContext
    ) async throws(Fault) -> Offers.ReadOutcome.Reply {
        let offer = try await service.offer(ask.offer, in: context)
        return try await service.store.outcome(of: offer.id)
    }
}
