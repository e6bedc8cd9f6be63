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
        let found = try service.with { tracker throws(Fault) in
            try tracker.customers(
                near: ask.merchant, place: ask.place, freshness: freshness, limit: ask.limit, at: now)
        }
        let accounts = await service.accounts.found(
            found.nearest.map(\.customer), within: PresenceService.namesPatience, in: context)
        return .init(
            customers: found.nearest.map { near in
                Location.NearbyCustomer(
                    customer: near.customer, username: accounts[near.customer]?.username, place: near.place,
                    distanceMetres: service.rules.coarse(near.metres), time: near.time)
            }, total: Int64(found.total))
    }
}

/// Shows a customer which merchants are near.
package struct FindMerchantsHandler: Answering {
    private let service: PresenceService

    package init(_ service: PresenceService) { self.service = service }

    package func answer(
        _ ask: Location.FindMerchants, in context: AskContext
    ) async throws(Fault) -> Location.FindMerchants.Reply {
        let now = service.clock.now()
        let found = try service.with { tracker throws(Fault) in
            try tracker.merchants(near: ask.customer, limit: ask.limit, at: now)
        }
        let accounts = await service.accounts.found(
            found.nearest.map(\.place.merchant), within: PresenceService.namesPatience, in: context)
        return .init(
            merchants: found.nearest.map { place, metres in
                Location.NearbyMerchant(
                    merchant: place.merchant, username: accounts[place.merchant]?.username, place: place.id,
                    name: place.name,
                    latitude: Int64(place.point.latitude), longitude: Int64(place.point.longitude),
                    distanceMetres: Int64(metres.rounded(.up)))
            }, total: Int64(found.total))
    }
}
