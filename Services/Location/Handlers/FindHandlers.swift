import Bus
import Contracts
import Primitives

/// Shows a merchant which customers are near, and about how far; never where.
package struct FindCustomersHandler: Answering {
    private let service: PresenceService

    package init(_ service: PresenceService) { self.service = service }

    package func answer(
        _ ask: Location.FindCustomers, in context: AskContext
    ) async throws(Fault) -> Location.FindCustomers.Reply {
        let freshness = ask.freshSeconds.map { Duration.seconds($0) } ?? service.rules.freshness
        let now = service.clock.now()
        // A merchant whom nobody has approved sees nobody, also while auth cannot say.
        if try await service.accounts.isRefused(ask.merchant, in: context) {
            return .init(customers: [], total: 0, next: nil)
        }
        let skip = Int(ask.skip ?? 0)
        let found = try service.with { tracker throws(Fault) in
            try tracker.customers(
                near: ask.merchant, place: ask.place, freshness: freshness, limit: skip + ask.limit, at: now)
        }
        let page = found.nearest.dropFirst(skip)
        let accounts = await service.accounts(of: page.map(\.customer), in: context)
        return .init(
            customers: page.map { near in
                Location.NearbyCustomer(
                    customer: near.customer, username: accounts[near.customer]?.username, place: near.place,
                    distanceMetres: service.rules.coarse(near.metres), time: near.time)
            }, total: Int64(found.total), next: next(behind: skip + page.count, of: found.total))
    }
}

/// Where the next page begins; nil at the end.
private func next(behind shown: Int, of total: Int) -> Int64? { shown < total ? Int64(shown) : nil }

/// Shows a customer which merchants are near.
package struct FindMerchantsHandler: Answering {
    private let service: PresenceService

    package init(_ service: PresenceService) { self.service = service }

    package func answer(
        _ ask: Location.FindMerchants, in context: AskContext
    ) async throws(Fault) -> Location.FindMerchants.Reply {
        try await fittingPage(of: ask.limit) { limit throws(Fault) in try await page(of: limit, ask, in: context) }
    }

    private func page(
        of limit: Int, _ ask: Location.FindMerchants, in context: AskContext
    ) async throws(Fault) -> Location.FindMerchants.Reply {
        let now = service.clock.now()
        let skip = Int(ask.skip ?? 0)
        // One deadline for all names: many hidden merchants at one point must not make auth answer for long.
        let patient = context.by(now + PresenceService.namesPatience)
        var page: ArraySlice<(place: MerchantPlace, metres: Double)> = []
        var total = 0
        var accounts: [PartyID: Auth.AccountView] = [:]
        var hidden: [PartyID] = []
        // Places of merchants whom nobody has approved are shown to nobody. Each is met once.
        repeat {
            let found = try service.with { tracker throws(Fault) in
                try tracker.merchants(near: ask.customer, limit: skip + limit, at: now)
            }
            (page, total) = (found.nearest.dropFirst(skip), found.total)
            let merchants = page.map(\.place.merchant)
            accounts = await service.accounts(of: merchants, in: patient)
            let approvals = accounts.mapValues(\.isApproved)
            hidden = try service.with { tracker throws(Fault) in
                tracker.hide(merchants, by: approvals, until: now + PresenceService.hiddenTime)
            }
            for merchant in hidden { service.accounts.forget(merchant) }
        } while !hidden.isEmpty
        return .init(
            merchants: page.map { place, metres in
                Location.NearbyMerchant(
                    merchant: place.merchant, username: accounts[place.merchant]?.username,
                    merchantName: accounts[place.merchant]?.name, place: place.id, name: place.name,
                    latitude: Int64(place.point.latitude), longitude: Int64(place.point.longitude),
                    distanceMetres: Int64(metres.rounded(.up)))
            }, total: Int64(total), next: next(behind: skip + page.count, of: total))
    }
}

/// Tells services which of some merchants have a place near a point.
package struct FindNearHandler: Answering {
    private let service: PresenceService

    package init(_ service: PresenceService) { self.service = service }

    package func answer(_ ask: Location.FindNear, in context: AskContext) async throws(Fault) -> Location.FindNear.Reply
    {
        guard let point = Coordinate(latitude: ask.latitude, longitude: ask.longitude) else {
            throw Fault(.coordinateInvalid)
        }
        let near = try service.with { tracker throws(Fault) in
            ask.merchants.compactMap { merchant in
                tracker.places(of: merchant).map { $0.point.metres(to: point) }.min().map { (merchant, $0) }
            }
        }
        return .init(
            merchants: near.filter { $0.1 <= Double(ask.radiusMetres) }.map { merchant, metres in
                Location.NearMerchant(merchant: merchant, distanceMetres: Int64(metres.rounded(.up)))
            })
    }
}
