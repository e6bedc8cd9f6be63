import Bus
import Contracts
import Primitives

/// Shows a customer their coupons or ads.
package struct FindDealsHandler: Answering {
    private let service: DealService

    package init(_ service: DealService) { self.service = service }

    package func answer(_ ask: Offers.FindDeals, in context: AskContext) async throws(Fault) -> Offers.Deals {
        guard let point = try service.point(ask.latitude, ask.longitude) else {
            guard ask.radiusMetres == nil else { throw Fault(.malformed, "'radiusMetres' needs a position") }
            return try await fittingPage(of: ask.limit) { limit throws(Fault) in
                try await service.find(ask.customer, kind: ask.kind, at: nil, limit: limit, in: context)
            }
        }
        let near = try await service.merchantsNear(
            point, within: ask.radiusMetres ?? DealRules.radiusMetres, of: ask.customer, kind: ask.kind, in: context)
        return try await fittingPage(of: ask.limit) { limit throws(Fault) in
            try service.deals(ask.customer, ask.kind, nil, near: near, at: point, limit).deals
        }
    }
}

extension DealService {
    /// Merchants that location is asked about at once.
    private static let merchantsAtOnce = 500

    /// How far the places of those merchants are whose offers without an area the customer might be shown.
    ///
    /// - Throws: location's fault: a list without them would look complete.
    fileprivate func merchantsNear(
        _ point: Coordinate, within metres: Int64, of customer: PartyID, kind: Offers.Kind?, in context: AskContext
    ) async throws(Fault) -> [PartyID: Double] {
        let moment = Moment(now: clock.now(), position: point)
        let merchants = try store.index { index throws(Fault) in
            index.merchantsWithoutArea(for: customer, kind: kind, at: moment)
        }
        var near: [PartyID: Double] = [:]
        for start in stride(from: 0, to: merchants.count, by: Self.merchantsAtOnce) {
            let some = Array(merchants[start..<min(start + Self.merchantsAtOnce, merchants.count)])
            let found = try await bus.ask(
                Location.FindNear(
                    merchants: some, latitude: Int64(point.latitude), longitude: Int64(point.longitude),
                    radiusMetres: metres), in: context.onOwnBehalf)
            for one in found.merchants { near[one.merchant] = Double(one.distanceMetres) }
        }
        return near
    }

    /// A customer's deals now. Reads the customer's position only if it could find more.
    func find(
        _ customer: PartyID, kind: Offers.Kind?, of merchants: Set<PartyID>? = nil, at point: Coordinate?, limit: Int,
        in context: AskContext
    ) async throws(Fault) -> Offers.Deals {
        let (first, wantsPosition) = try deals(customer, kind, merchants, near: nil, at: point, limit)
        guard wantsPosition, let position = await position(of: customer, in: context) else { return first }
        return try deals(customer, kind, merchants, near: nil, at: position, limit).deals
    }

    fileprivate func deals(
        _ customer: PartyID, _ kind: Offers.Kind?, _ merchants: Set<PartyID>?, near: [PartyID: Double]?,
        at point: Coordinate?, _ limit: Int
    ) throws(Fault) -> (deals: Offers.Deals, wantsPosition: Bool) {
        let moment = Moment(now: clock.now(), position: point)
        return try store.index { index throws(Fault) in
            index.deals(customer, kind: kind, of: merchants, near: near, at: moment, limit: limit)
        }
    }
}

extension OfferIndex {
    /// A customer's deals, and whether a position would have found more.
    package func deals(
        _ customer: PartyID, kind: Offers.Kind?, of merchants: Set<PartyID>? = nil, near: [PartyID: Double]? = nil,
        at moment: Moment, limit: Int
    ) -> (deals: Offers.Deals, wantsPosition: Bool) {
        let found = find(customer, kind: kind, of: merchants, near: near, at: moment, limit: limit)
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
        guard let offer = try await service.store.offer(ask.offer)?.shown else { throw Fault(.offerNotFound) }
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
