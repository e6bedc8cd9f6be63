import Bus
import Contracts
import Primitives

/// Begins, changes or ends a customer's subscription to a merchant.
package struct SetSubscriptionHandler: Answering {
    private let service: DealService

    package init(_ service: DealService) { self.service = service }

    package func answer(
        _ ask: Offers.SetSubscription, in context: AskContext
    ) async throws(Fault) -> Offers.SubscriptionView {
        let name = try await service.merchantName(ask.merchant, in: context)
        try await service.store.subscribe(
            ask.customer, to: ask.merchant, ask.subscription, max: service.rules.subscriptionsMax)
        return Offers.SubscriptionView(merchant: ask.merchant, name: name, subscription: ask.subscription)
    }
}

extension DealService {
    /// A merchant's name. Asks auth if the fact of the registration has not arrived.
    ///
    /// - Throws: `offers.merchant_not_found`.
    fileprivate func merchantName(_ merchant: PartyID, in context: AskContext) async throws(Fault) -> String {
        let known = try store.index { index throws(Fault) in index.merchants[merchant] }
        if let known, known.isKnown { return known.name }
        guard let account = try await accounts.account(merchant, in: context), account.role == .merchant else {
            throw Fault(.offerMerchantNotFound)
        }
        return account.name
    }
}

package struct ReadSubscriptionsHandler: Answering {
    private let service: DealService

    package init(_ service: DealService) { self.service = service }

    package func answer(
        _ ask: Offers.ReadSubscriptions, in context: AskContext
    ) async throws(Fault) -> Offers.ReadSubscriptions.Reply {
        let wanted = ask.merchants.map(Set.init)
        return try await fittingPage(of: ask.limit) { limit throws(Fault) in
            try service.store.index { index throws(Fault) in
                index.subscriptions(of: ask.customer, among: wanted, after: ask.after, limit: limit)
            }
        }
    }
}

extension OfferIndex {
    fileprivate func subscriptions(
        of customer: PartyID, among wanted: Set<PartyID>?, after: PartyID?, limit: Int
    ) -> Offers.ReadSubscriptions.Reply {
        func isBefore(_ left: PartyID, _ right: PartyID) -> Bool {
            (left.high, left.low) < (right.high, right.low)
        }
        let all = (customers[customer]?.subscriptions ?? [:]).filter { one in
            (after.map { isBefore($0, one.key) } ?? true) && wanted?.contains(one.key) ?? true
        }
        .sorted { isBefore($0.key, $1.key) }
        let page = all.prefix(limit).map { merchant, subscription in
            Offers.SubscriptionView(
                merchant: merchant, name: merchants[merchant]?.name ?? "", subscription: subscription)
        }
        return .init(subscriptions: page, next: all.count > limit ? page.last?.merchant : nil)
    }
}

/// Sets a customer's preferences.
package struct SetPreferencesHandler: Answering {
    private let service: DealService

    package init(_ service: DealService) { self.service = service }

    package func answer(
        _ ask: Offers.SetPreferences, in context: AskContext
    ) async throws(Fault) -> Offers.Preferences {
        try ask.preferences.check()
        try await service.store.setPreferences(ask.preferences, of: ask.customer)
        return try service.preferences(of: ask.customer)
    }
}

package struct ReadPreferencesHandler: Answering {
    private let service: DealService

    package init(_ service: DealService) { self.service = service }

    package func answer(
        _ ask: Offers.ReadPreferences, in context: AskContext
    ) async throws(Fault) -> Offers.Preferences {
        return try service.preferences(of: ask.customer)
    }
}

extension DealService {
    fileprivate func preferences(of customer: PartyID) throws(Fault) -> Offers.Preferences {
        try store.index { index throws(Fault) in index.customers[customer]?.preferences ?? .usual }
    }
}

package struct ReadRewardsHandler: Answering {
    private let service: DealService

    package init(_ service: DealService) { self.service = service }

    package func answer(_ ask: Offers.ReadRewards, in context: AskContext) async throws(Fault) -> Offers.RewardsView {
        await service.readPayments(in: context)
        return try service.rewards(of: ask.customer)
    }
}

package struct JoinRewardsHandler: Answering {
    private let service: DealService

    package init(_ service: DealService) { self.service = service }

    package func answer(_ ask: Offers.JoinRewards, in context: AskContext) async throws(Fault) -> Offers.RewardsView {
        try await service.store.join(ask.customer, since: ask.joined ? service.clock.now() : nil)
        return try service.rewards(of: ask.customer)
    }
}

extension DealService {
    /// Merchants that are listed with their stars.
    private static let merchantsMax = 100

    fileprivate func rewards(of id: PartyID) throws(Fault) -> Offers.RewardsView {
        try store.index { index throws(Fault) in
            let customer = index.customers[id] ?? OfferIndex.Customer()
            let stars = customer.histories.filter { $0.value.starsLeft > 0 }.map { merchant, history in
                Offers.MerchantStars(
                    merchant: merchant, name: index.merchants[merchant]?.name ?? "", stars: history.starsLeft)
            }.sorted { ($1.stars, $0.name, $0.merchant.hex) < ($0.stars, $1.name, $1.merchant.hex) }
            return Offers.RewardsView(
                customer: id, joined: customer.joined != nil, stars: stars.reduce(0) { $0 + $1.stars },
                merchants: Array(stars.prefix(Self.merchantsMax)))
        }
    }
}
