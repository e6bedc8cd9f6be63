import Bus
import Contracts
import Primitives

/// Subscribes a customer to a merchant's ads and coupons, or no longer (001-108, 001-109).
package struct SetSubscriptionHandler: Answering {
    private let desk: DealDesk

    package init(_ desk: DealDesk) { self.desk = desk }

    package func answer(
        _ ask: Offers.SetSubscription, in context: AskContext
    ) async throws(Fault) -> Offers.SubscriptionView {
        let name = try await desk.merchantName(ask.merchant, in: context)
        try await desk.store.subscribe(
            ask.customer, to: ask.merchant, ask.subscription, max: desk.rules.subscriptionsMax)
        return Offers.SubscriptionView(merchant: ask.merchant, name: name, subscription: ask.subscription)
    }
}

extension DealDesk {
    /// A merchant's name. The fact of one who has just registered may still be on its way.
    ///
    /// - Throws: `offers.merchant_not_found`.
    fileprivate func merchantName(_ merchant: PartyID, in context: AskContext) async throws(Fault) -> String {
        let known = try store.market { market throws(Fault) in market.merchants[merchant] }
        if let known, known.isKnown { return known.name }
        guard let account = try await accounts.account(merchant, in: context), account.role == .merchant else {
            throw Fault(.offerMerchantNotFound)
        }
        return account.name
    }
}

package struct ReadSubscriptionsHandler: Answering {
    private let desk: DealDesk

    package init(_ desk: DealDesk) { self.desk = desk }

    package func answer(
        _ ask: Offers.ReadSubscriptions, in context: AskContext
    ) async throws(Fault) -> Offers.ReadSubscriptions.Reply {
        let wanted = ask.merchants.map(Set.init)
        return try await desk.page(ask.limit) { limit throws(Fault) in
            try desk.store.market { market throws(Fault) in
                market.subscriptions(of: ask.customer, among: wanted, after: ask.after, limit: limit)
            }
        }
    }
}

extension Market {
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

/// Takes a customer's own limits (001-5, A85).
package struct SetPreferencesHandler: Answering {
    private let desk: DealDesk

    package init(_ desk: DealDesk) { self.desk = desk }

    package func answer(
        _ ask: Offers.SetPreferences, in context: AskContext
    ) async throws(Fault) -> Offers.Preferences {
        try ask.preferences.check()
        try await desk.store.setPreferences(ask.preferences, of: ask.customer)
        return try desk.preferences(of: ask.customer)
    }
}

package struct ReadPreferencesHandler: Answering {
    private let desk: DealDesk

    package init(_ desk: DealDesk) { self.desk = desk }

    package func answer(
        _ ask: Offers.ReadPreferences, in context: AskContext
    ) async throws(Fault) -> Offers.Preferences {
        return try desk.preferences(of: ask.customer)
    }
}

extension DealDesk {
    fileprivate func preferences(of customer: PartyID) throws(Fault) -> Offers.Preferences {
        try store.market { market throws(Fault) in market.customers[customer]?.preferences ?? .usual }
    }
}

package struct ReadRewardsHandler: Answering {
    private let desk: DealDesk

    package init(_ desk: DealDesk) { self.desk = desk }

    package func answer(_ ask: Offers.ReadRewards, in context: AskContext) async throws(Fault) -> Offers.RewardsView {
        await desk.readPayments(in: context)
        return try desk.rewards(of: ask.customer)
    }
}

package struct JoinRewardsHandler: Answering {
    private let desk: DealDesk

    package init(_ desk: DealDesk) { self.desk = desk }

    package func answer(_ ask: Offers.JoinRewards, in context: AskContext) async throws(Fault) -> Offers.RewardsView {
        try await desk.store.join(ask.customer, since: ask.joined ? desk.clock.now() : nil)
        return try desk.rewards(of: ask.customer)
    }
}

extension DealDesk {
    /// Merchants shown with their stars.
    private static let merchantsMax = 100

    fileprivate func rewards(of id: PartyID) throws(Fault) -> Offers.RewardsView {
        try store.market { market throws(Fault) in
            let customer = market.customers[id] ?? Market.Customer()
            let stars = customer.histories.filter { $0.value.starsLeft > 0 }.map { merchant, history in
                Offers.MerchantStars(
                    merchant: merchant, name: market.merchants[merchant]?.name ?? "", stars: history.starsLeft)
            }.sorted { ($1.stars, $0.name, $0.merchant.hex) < ($0.stars, $1.name, $1.merchant.hex) }
            return Offers.RewardsView(
                customer: id, joined: customer.joined != nil, stars: stars.reduce(0) { $0 + $1.stars },
                merchants: Array(stars.prefix(Self.merchantsMax)))
        }
    }
}
