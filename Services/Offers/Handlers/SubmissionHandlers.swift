import Bus
import Contracts
import Primitives

/// Adds a merchant's ad or coupon, pending approval.
package struct SubmitOfferHandler: Answering {
    private let service: DealService

    package init(_ service: DealService) { self.service = service }

    package func answer(_ ask: Offers.SubmitOffer, in context: AskContext) async throws(Fault) -> Offers.OfferReply {
        let now = service.clock.now()
        let (offer, replayed) = try await service.store.submit(
            ask, rules: service.rules, at: now, causedBy: context)
        return Offers.OfferReply(offer: offer.view, replayed: replayed)
    }
}

/// Changes an offer; it is pending again.
package struct EditOfferHandler: Answering {
    private let service: DealService

    package init(_ service: DealService) { self.service = service }

    package func answer(_ ask: Offers.EditOffer, in context: AskContext) async throws(Fault) -> Offers.OfferView {
        let now = service.clock.now()
        return try await service.store.change(
            ask.offer, of: ask.merchant, rules: service.rules, at: now, causedBy: context
        ) { offer in
            offer.wasSubmitted(at: now)
        } _: { offer throws(Fault) in
            let terms = try ask.terms.keeping(offer).resolved(offer.kind, sendTime: offer.sendTime, at: now)
            return try offer.edit(terms, revision: ask.revision)
        }.offer.view
    }
}

extension Offers.Terms {
    /// Completes terms with the offer's times: an edit without them leaves them as they are.
    fileprivate func keeping(_ offer: Offer) -> Offers.Terms {
        Offers.Terms(
            title: title, content: content, minAge: minAge, maxAge: maxAge, targetGender: targetGender,
            student: student, sendTime: sendTime ?? offer.sendTime,
            expDate: expDate ?? (sendTime == nil ? offer.expires : nil), targetLat: targetLat, targetLon: targetLon,
            radiusMetres: radiusMetres, minVisits: minVisits, maxVisits: maxVisits, withinDays: withinDays,
            sendOnEntry: sendOnEntry, discount: discount, minimum: minimum, usesPerCustomer: usesPerCustomer,
            usesInAll: usesInAll, stars: stars)
    }
}

package struct EnableOfferHandler: Answering {
    private let service: DealService

    package init(_ service: DealService) { self.service = service }

    package func answer(_ ask: Offers.EnableOffer, in context: AskContext) async throws(Fault) -> Offers.OfferView {
        return try await service.store.change(
            ask.offer, of: ask.merchant, rules: service.rules, at: service.clock.now(), causedBy: context
        ) { _ in
            nil
        } _: { offer throws(Fault) in
            defer { offer.enabled = ask.enabled }
            return offer.enabled != ask.enabled
        }.offer.view
    }
}

/// Applies an administrator's decision.
package struct DecideOfferHandler: Answering {
    private let service: DealService

    package init(_ service: DealService) { self.service = service }

    package func answer(_ ask: Offers.DecideOffer, in context: AskContext) async throws(Fault) -> Offers.OfferReply {
        guard ask.accepted != .pending else { throw Fault(.malformed, "'accepted' is accepted or rejected") }
        guard ask.accepted == .rejected || ask.reason == nil else {
            throw Fault(.offerInvalid, "only a rejection has a reason")
        }
        if let reason = ask.reason {
            guard reason.isShownAndVisible else { throw Fault(.offerInvalid, "a reason has something to see") }
        }
        let now = service.clock.now()
        let (offer, changed) = try await service.store.change(
            ask.offer, rules: service.rules, at: now, causedBy: context
        ) { offer in
            offer.wasDecided(at: now)
        } _: { offer throws(Fault) in
            try offer.decide(ask.accepted, reason: ask.reason, revision: ask.revision, at: now)
        }
        return Offers.OfferReply(offer: offer.view, replayed: !changed)
    }
}

package struct ReadOfferHandler: Answering {
    private let service: DealService

    package init(_ service: DealService) { self.service = service }

    package func answer(_ ask: Offers.ReadOffer, in context: AskContext) async throws(Fault) -> Offers.OfferView {
        try await service.offer(ask.offer, in: context).view
    }
}

extension DealService {
    /// An offer that the actor may see: the merchant's own, or any for administrators.
    func offer(_ id: OfferID, in context: AskContext) async throws(Fault) -> Offer {
        let merchant = context.merchantSeen
        guard let offer = try await store.offer(id), merchant == nil || offer.merchant == merchant else {
            throw Fault(.offerNotFound)
        }
        return offer
    }
}

package struct ReadOffersHandler: Answering {
    private let service: DealService

    package init(_ service: DealService) { self.service = service }

    package func answer(_ ask: Offers.ReadOffers, in context: AskContext) async throws(Fault) -> Offers.OffersPage {
        return try await fittingPage(of: ask.limit) { limit throws(Fault) in
            let page = try await service.store.offers(
                of: ask.merchant, kind: ask.kind, accepted: ask.accepted, before: ask.before, limit: limit)
            return Offers.OffersPage(offers: page.offers.map(\.view), next: page.next)
        }
    }
}

package struct ReadPendingHandler: Answering {
    private let service: DealService

    package init(_ service: DealService) { self.service = service }

    package func answer(_ ask: Offers.ReadPending, in context: AskContext) async throws(Fault) -> Offers.OffersPage {
        return try await fittingPage(of: ask.limit) { limit throws(Fault) in
            let page = try await service.store.offers(
                of: nil, kind: nil, accepted: .pending, before: ask.before, limit: limit)
            return Offers.OffersPage(offers: page.offers.map(\.view), next: page.next)
        }
    }
}

/// Shows a merchant's product types.
package struct ReadProductTypesHandler: Answering {
    private let service: DealService

    package init(_ service: DealService) { self.service = service }

    package func answer(
        _ ask: Offers.ReadProductTypes, in context: AskContext
    ) async throws(Fault) -> Offers.ProductTypes {
        let types = try service.store.index { index throws(Fault) in index.merchants[ask.merchant]?.productTypes }
        return Offers.ProductTypes(merchant: ask.merchant, types: types ?? [])
    }
}
