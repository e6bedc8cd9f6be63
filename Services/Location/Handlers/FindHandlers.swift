import Bus
import Contracts
import Primitives

/// Shows a merchant who is near (001-79): who, and about how far, never where.
package struct FindCustomersHandler: Answering {
    private let desk: LocationDesk

    package init(_ desk: LocationDesk) { self.desk = desk }

    package func answer(
        _ ask: Location.FindCustomers, in context: AskContext
    ) async throws(Fault) -> Location.FindCustomers.Reply {
        let freshness = ask.freshSeconds.map { Duration.seconds($0) } ?? desk.rules.freshness
        let now = desk.clock.now()
        let found = try desk.with { whereabouts throws(Fault) in
            try whereabouts.customers(
                near: ask.merchant, place: ask.place, freshness: freshness, limit: ask.limit, at: now)
        }
        let accounts = await desk.accounts.found(
            found.nearest.map(\.customer), within: LocationDesk.namesPatience, in: context)
        return .init(
            customers: found.nearest.map { near in
                Location.NearbyCustomer(
                    customer: near.customer, username: accounts[near.customer]?.username, place: near.place,
                    distanceMetres: desk.rules.coarse(near.metres), time: near.time)
            }, total: Int64(found.total))
    }
}

/// Shows a customer which merchants are near (001-80, A45).
package struct FindMerchantsHandler: Answering {
    private let desk: LocationDesk

    package init(_ desk: LocationDesk) { self.desk = desk }

    package func answer(
        _ ask: Location.FindMerchants, in context: AskContext
    ) async throws(Fault) -> Location.FindMerchants.Reply {
        let now = desk.clock.now()
        let found = try desk.with { whereabouts throws(Fault) in
            try whereabouts.merchants(near: ask.customer, limit: ask.limit, at: now)
        }
        let accounts = await desk.accounts.found(
            found.nearest.map(\.place.merchant), within: LocationDesk.namesPatience, in: context)
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
