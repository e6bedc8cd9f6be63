import Bus
import Contracts
import Primitives

/// Shows a customer their coupons or ads.
package struct FindDealsHandler: Answering {
    private let service: DealService

    package init(_ service: DealService) { self.service = service }

    package func answer(_ ask: Offers.FindDeals, in context: AskContext) async throws(Fault) -> Offers.Deals {
        let point = try service.point(ask.latitude, ask.longitude)
        return try await fittingPage(of: ask.limit) { limit throws(Fault) in
            try await service.find(ask.customer, kind: ask.kind, at: point, limit: limit, in: context)
        }
    }
}

extension DealService {
    /// A customer's deals now. Reads the customer's position only if it could find more.
    func find(
        _ customer: PartyID, kind: Offers.Kind?, of merchants: Set<PartyID>? = nil, at point: Coordinate?, limit: Int,
        in context: AskContext
    ) async throws(Fault) -> Offers.Deals {
        let (first, wantsPosition) = try deals(customer, kind, merchants, at: point, limit)
        guard wantsPosition, let position = await position(of: customer, in: context) else { return first }
        return try deals(customer, kind, merchants, at: position, limit).deals
    }

    private func deals(
        _ customer: PartyID, _ kind: Offers.Kind?, _ merchants: Set<PartyID>?, at point: Coordinate?, _ limit: Int
    ) throws(Fault) -> (deals: Offers.Deals, wantsPosition: Bool) {
        let moment = Moment(now: clock.now(), position: point)
        return try store.index { index throws(Fault) in
            index.deals(customer, kind: kind, of: merchants, at: moment, limit: limit)
        }
    }
}

extension OfferIndex {
    /// A customer's deals, and whether a position would have found more.
    package func deals(
        _ customer: PartyID, kind: Offers.Kind?, of merchants: Set<PartyID>? = nil, at moment: Moment, limit: Int
    ) -> (deals: Offers.Deals, wantsPosition: Bool) {
        let found = find(customer, kind: kind, of: merchants, at: moment, limit: limit)
        let deals = found.first.compactMap { match in
            offer(number: match.number).map { deal($0, metres: match.metres) }
        }
        return (Offers.Deals(deals: deals, total: Int64(found.total)), found.wantsPosition)
    }

    func deal(_ offer: Offer, metres: Double) -> Offers.Deal {
        Offers.Deal(
            offer: offer.id, kind: offer.kind, merchant: offer.merchant,
            merchantName: merchants[offer.merchant]?.name ?? "", title: offer.terms.title,
            content: offer.terms.content, expires: offer.expires, latitude: offer.terms.targetLat,
            longitude: offer.terms.targetLon, distanceMetres: metres.isFinite ? Int64(metres.rounded(.up)) : nil,
            discount: offer.terms.discount, minimum: offer.terms.minimum, stars: offer.terms.stars)
    }
}

/// Finds deals by merchant name and product type.
package struct SearchDealsHandler: Answering {
    private let service: DealService

    package init(_ service: DealService) { self.service = service }

    package func answer(
        _ ask: Offers.SearchDeals, in context: AskContext
    ) async throws(Fault) -> Offers.SearchDeals.Reply {
        guard ask.merchant != nil || ask.product != nil else {
            throw Fault(.malformed, "a search is for a 'merchant', a 'product' or both")
        }
        let point = try service.point(ask.latitude, ask.longitude)
        return try await fittingPage(of: ask.limit) { limit throws(Fault) in
            let merchants = try service.store.index { index throws(Fault) in
                index.merchants(named: ask.merchant, selling: ask.product)
            }
            let found = try await service.find(
                ask.customer, kind: nil, of: Set(merchants), at: point, limit: limit, in: context)
            let views = try service.store.index { index throws(Fault) in
                merchants.prefix(limit).map { index.found($0, for: ask.customer) }
            }
            return .init(deals: found.deals, total: found.total, merchants: views)
        }
    }
}

extension OfferIndex {
    fileprivate func found(_ id: PartyID, for customer: PartyID) -> Offers.MerchantFound {
        Offers.MerchantFound(
            merchant: id, name: merchants[id]?.name ?? "", productTypes: merchants[id]?.productTypes.map(\.type) ?? [],
            subscription: customers[customer]?.subscriptions[id] ?? .none)
    }
}

/// Shows one deal to a customer who may use it, was sent it or has used it.
package struct ReadDealHandler: Answering {
    private let service: DealService

    package init(_ service: DealService) { self.service = service }

    package func answer(_ ask: Offers.ReadDeal, in context: AskContext) async throws(Fault) -> Offers.ReadDeal.Reply {
        let point = try service.point(ask.latitude, ask.longitude)
        // An edited offer is not approved, even if it was sent before.
        guard let offer = try await service.store.offer(ask.offer), offer.accepted == .accepted else {
            throw Fault(.offerNotFound)
        }
        let dealings = try await service.store.dealings(of: ask.customer, with: ask.offer)
        let position =
            if let point { point } else if offer.area == nil { nil as Coordinate? } else {
                await service.position(of: ask.customer, in: context)
            }
        let moment = Moment(now: service.clock.now(), position: position)
        return try service.store.index { index throws(Fault) in
            let target = Target(offer)
            let usable = Targeting.allows(
                Targeting.shown, target, index.subject(ask.customer, for: target), moment)
            guard usable || dealings.sent != nil || dealings.used > 0 else { throw Fault(.offerNotFound) }
            let metres = target.area.flatMap { area in position.map { area.point.metres(to: $0) } } ?? .infinity
            return Offers.ReadDeal.Reply(
                deal: index.deal(offer, metres: metres), usable: usable, sent: dealings.sent, used: dealings.used,
                ended: offer.end(at: moment.now))
        }
    }
}

/// Lists the deals that a customer can use now and has used before.
package struct ReadHistoryHandler: Answering {
    private let service: DealService

    package init(_ service: DealService) { self.service = service }

    package func answer(
        _ ask: Offers.ReadHistory, in context: AskContext
    ) async throws(Fault) -> Offers.ReadHistory.Reply {
        let point = try service.point(ask.latitude, ask.longitude)
        return try await fittingPage(of: ask.limit) { limit throws(Fault) in
            let page = try await service.store.used(by: ask.customer, before: ask.before, limit: limit)
            let usable =
                ask.before == nil
                ? try await service.find(ask.customer, kind: nil, at: point, limit: limit, in: context).deals : []
            return try service.store.index { index throws(Fault) in
                .init(usable: usable, used: page.used.map { index.view($0) }, next: page.next)
            }
        }
    }
}

extension OfferIndex {
    fileprivate func view(_ used: UsedCoupon) -> Offers.UsedDeal {
        let reservation = used.reservation
        return Offers.UsedDeal(
            index: used.number, offer: reservation.coupon, charge: reservation.charge, merchant: reservation.merchant,
            merchantName: merchants[reservation.merchant]?.name ?? "", title: used.title,
            discount: reservation.discount, time: used.time)
    }
}
