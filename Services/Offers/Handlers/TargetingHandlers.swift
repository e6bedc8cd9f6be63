import Bus
import Contracts
import Primitives

/// Explains to an administrator why a customer gets an offer or does not.
package struct ExplainOfferHandler: Answering {
    private let service: DealService

    package init(_ service: DealService) { self.service = service }

    package func answer(
        _ ask: Offers.ExplainOffer, in context: AskContext
    ) async throws(Fault) -> Offers.ExplainOffer.Reply {
        let point = try service.point(ask.latitude, ask.longitude)
        guard let offer = try await service.store.offer(ask.offer) else { throw Fault(.offerNotFound) }
        let isKnown = try service.store.index { index throws(Fault) in index.customers[ask.customer]?.isKnown }
        guard isKnown == true else { throw Fault(.offerCustomerNotFound) }
        let position =
            if let point { point as Coordinate? } else { await service.position(of: ask.customer, in: context) }
        let now = service.clock.now()
        let lately = try await service.store.sentLately(to: ask.customer, at: now)
        let moment = Moment(now: now, position: position, sentLately: lately)
        let verdicts = try service.store.index { index throws(Fault) in
            let target = Target(offer)
            return Targeting.verdicts(target, index.subject(ask.customer, for: target), moment)
        }
        let passed = Set(verdicts.filter(\.passes).map(\.rule))
        return .init(
            offer: ask.offer, customer: ask.customer, shown: passed.isSuperset(of: Targeting.shown),
            sent: passed.isSuperset(of: Targeting.sent), verdicts: verdicts)
    }
}

/// Counts the customers that an offer would reach, before it is approved.
package struct CountAudienceHandler: Answering {
    private let service: DealService

    package init(_ service: DealService) { self.service = service }

    package func answer(
        _ ask: Offers.CountAudience, in context: AskContext
    ) async throws(Fault) -> Offers.CountAudience.Reply {
        let offer = try await service.offer(ask.offer, in: context)
        let counted = try await service.audience(of: offer)
        return .init(
            offer: ask.offer, customers: Int64(counted.customers), subscribed: Int64(counted.subscribed),
            audience: Int64(counted.audience),
            excluded: Offers.Rule.allCases.compactMap { rule in
                counted.excluded[rule].map { Offers.CountAudience.Excluded(rule: rule, customers: Int64($0)) }
            })
    }
}

extension DealService {
    /// Subscribers counted in one turn: bounds how long other asks wait for the index and this thread.
    private static let countedAtOnce = 1_000

    fileprivate func audience(of offer: Offer) async throws(Fault) -> OfferIndex.Audience {
        let now = clock.now()
        var audience = OfferIndex.Audience()
        let subscribers = try store.index { index throws(Fault) in
            audience.customers = index.knownCustomers
            return index.subscribers(of: offer)
        }
        for start in stride(from: 0, to: subscribers.count, by: Self.countedAtOnce) {
            let some = subscribers[start..<min(start + Self.countedAtOnce, subscribers.count)]
            try store.index { index throws(Fault) in
                index.count(some, for: offer, at: now, into: &audience)
            }
            await Task.yield()
        }
        return audience
    }
}

/// Sends a merchant's offer to customers near the merchant's places.
package struct PushOfferHandler: Answering {
    private let service: DealService

    package init(_ service: DealService) { self.service = service }

    package func answer(_ ask: Offers.PushOffer, in context: AskContext) async throws(Fault) -> Offers.PushOffer.Reply {
        if let known = try await service.store.push(ask) { return known }
        guard let offer = try await service.store.offer(ask.offer), offer.merchant == ask.merchant else {
            throw Fault(.offerNotFound)
        }
        let now = service.clock.now()
        let isApproved = try service.store.index { index throws(Fault) in
            index.merchants[ask.merchant]?.isApproved == true
        }
        guard offer.isLive, isApproved, offer.sendTime <= now, now <= offer.expires else { throw Fault(.offerNotLive) }
        let near: Location.FindCustomers.Reply
        do throws(Fault) {
            near = try await service.bus.ask(
                Location.FindCustomers(merchant: ask.merchant, place: ask.place, limit: DealRules.pushMax),
                in: context)
        } catch {
            throw error.code == .placeNotFound ? Fault(.offerPlaceNotFound) : error
        }
        var candidates: [Candidate] = []
        for customer in near.customers {
            // A customer near the merchant may be far from the offer's target.
            let position = offer.area == nil ? nil : await service.position(of: customer.customer, in: context)
            candidates.append(Candidate(customer: customer.customer, place: customer.place, position: position))
        }
        return try await service.store.push(
            ask, to: candidates, nearby: near.total, at: now, causedBy: context)
    }
}

extension DealService {
    /// Sends the offers for customers who have entered fences.
    package func apply(_ facts: [Envelope]) async throws {
        let now = clock.now()
        var positions: [PartyID: Coordinate] = [:]
        for fact in facts {
            guard let entered = try DealStore.fresh(fact, rules, at: now) else { continue }
            let needsPosition = try store.index { index throws(Fault) in
                index.sentOnEntry(by: entered.merchant).contains { $0.area != nil }
            }
            guard needsPosition, positions[entered.customer] == nil else { continue }
            positions[entered.customer] = await position(
                of: entered.customer, in: AskContext(deadline: clock.now() + .seconds(5)))
        }
        try await store.applyLocation(facts, positions: positions, rules: rules, at: now)
    }
}
