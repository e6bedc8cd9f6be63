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
        // A merchant whom nobody has approved sees nobody (A95).
        let own = await desk.accounts.found([ask.merchant], within: LocationDesk.namesPatience, in: context)
        if own[ask.merchant]?.mayBeSeen == false {
            desk.accounts.forget(ask.merchant)
            return .init(customers: [], total: 0, next: nil)
        }
        let skip = Int(ask.skip ?? 0)
        let found = try desk.with { whereabouts throws(Fault) in
            try whereabouts.customers(
                near: ask.merchant, place: ask.place, freshness: freshness, limit: skip + ask.limit, at: now)
        }
        let page = found.nearest.dropFirst(skip)
        let accounts = await desk.accounts.found(
            page.map(\.customer), within: LocationDesk.namesPatience, in: context)
        return .init(
            customers: page.map { near in
                Location.NearbyCustomer(
                    customer: near.customer, username: accounts[near.customer]?.username, place: near.place,
                    distanceMetres: desk.rules.coarse(near.metres), time: near.time)
            }, total: Int64(found.total), next: next(behind: skip + page.count, of: found.total))
    }
}

/// Where the next page begins; nil at the end.
private func next(behind shown: Int, of total: Int) -> Int64? { shown < total ? Int64(shown) : nil }

/// Shows a customer which merchants are near (001-80, A45).
package struct FindMerchantsHandler: Answering {
    private let desk: LocationDesk

    package init(_ desk: LocationDesk) { self.desk = desk }

    package func answer(
        _ ask: Location.FindMerchants, in context: AskContext
    ) async throws(Fault) -> Location.FindMerchants.Reply {
        let now = desk.clock.now()
        let skip = Int(ask.skip ?? 0)
        func search() throws(Fault) -> (nearest: [(place: MerchantPlace, metres: Double)], total: Int) {
            try desk.with { whereabouts throws(Fault) in
                try whereabouts.merchants(near: ask.customer, limit: skip + ask.limit, at: now)
            }
        }
        var found = try search()
        var accounts = await names(found.nearest.dropFirst(skip).map(\.place.merchant), in: context)
        // Places of merchants whom nobody has approved are shown to nobody (A95). Each is met once.
        while case let hidden = Array(accounts.filter { !$0.value.mayBeSeen }.keys), !hidden.isEmpty {
            try desk.with { whereabouts throws(Fault) in
                for merchant in hidden { whereabouts.hide(merchant, until: now + LocationDesk.hiddenTime) }
            }
            for merchant in hidden { desk.accounts.forget(merchant) }
            found = try search()
            accounts = await names(found.nearest.dropFirst(skip).map(\.place.merchant), in: context)
        }
        let page = found.nearest.dropFirst(skip)
        return .init(
            merchants: page.map { place, metres in
                Location.NearbyMerchant(
                    merchant: place.merchant, username: accounts[place.merchant]?.username,
                    merchantName: accounts[place.merchant]?.name, place: place.id, name: place.name,
                    latitude: Int64(place.point.latitude), longitude: Int64(place.point.longitude),
                    distanceMetres: Int64(metres.rounded(.up)))
            }, total: Int64(found.total), next: next(behind: skip + page.count, of: found.total))
    }

    private func names(_ merchants: [PartyID], in context: AskContext) async -> [PartyID: Auth.AccountView] {
        await desk.accounts.found(merchants, within: LocationDesk.namesPatience, in: context)
    }
}

extension Auth.AccountView {
    /// An auth that says nothing of approvals is older than they are.
    fileprivate var mayBeSeen: Bool { status ?? .approved == .approved }
}
