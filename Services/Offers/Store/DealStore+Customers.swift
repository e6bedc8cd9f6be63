import Bus
import Contracts
import Primitives
import Storage
import Wire

// Customers' subscriptions, preferences and membership in the loyalty programme.

extension DealStore {
    /// - Throws: `offers.too_many_subscriptions`.
    package func subscribe(
        _ customer: PartyID, to merchant: PartyID, _ subscription: Offers.Subscription, max: Int
    ) async throws(Fault) {
        try await write { [self] transaction in
            if subscription == .none {
                try transaction.run("DELETE FROM subscriptions WHERE customer = ? AND merchant = ?", customer, merchant)
            } else {
                let others = try transaction.value(
                    "SELECT count(*) FROM subscriptions WHERE customer = ? AND merchant <> ?", customer, merchant,
                    as: Int.self)
                guard others ?? 0 < max else { throw Fault(.tooManySubscriptions) }
                try transaction.run(
                    """
                    INSERT INTO subscriptions (customer, merchant, ads, coupons) VALUES (?, ?, ?, ?)
                    ON CONFLICT (customer, merchant) DO UPDATE SET ads = excluded.ads, coupons = excluded.coupons
                    """, customer, merchant, subscription.ads, subscription.coupons)
            }
            note { $0.subscribe(customer, to: merchant, subscription) }
        }
    }

    package func setPreferences(_ preferences: Offers.Preferences, of customer: PartyID) async throws(Fault) {
        try await write { [self] transaction in
            try transaction.run(
                """
                INSERT INTO preferences (customer, body) VALUES (?, ?)
                ON CONFLICT (customer) DO UPDATE SET body = excluded.body
                """, customer, preferences.json)
            note { $0.setPreferences(preferences, of: customer) }
        }
    }

    /// Records when a customer joined; nil ends the membership. A member stays one.
    package func join(_ customer: PartyID, since: Timestamp?) async throws(Fault) {
        try await write { [self] transaction in
            if let since {
                let joined = try transaction.run(
                    "INSERT INTO members (customer, since) VALUES (?, ?) ON CONFLICT DO NOTHING", customer, since)
                guard joined > 0 else { return }
                note { $0.changeCustomer(customer) { $0.joined = since } }
                return
            }
            guard try transaction.run("DELETE FROM members WHERE customer = ?", customer) > 0 else { return }
            // Otherwise stars that are still to be written would come back.
            try writeSums(in: transaction)
            try transaction.run("UPDATE histories SET stars = 0 WHERE customer = ?", customer)
            try transaction.run("UPDATE reservations SET stars = 0 WHERE customer = ? AND stars > 0", customer)
            note {
                $0.changeCustomer(customer) { customer in
                    customer.joined = nil
                    for merchant in customer.histories.keys {
                        customer.histories[merchant]?.stars = 0
                        customer.histories[merchant]?.starsSpent = 0
                    }
                }
            }
        }
    }

    /// The coupons that a customer has redeemed, newest first.
    package func used(
        by customer: PartyID, before: Int64?, limit: Int
    ) async throws(Fault) -> (used: [UsedCoupon], next: Int64?) {
        try await read { transaction in
            let used = try transaction.all(
                """
                SELECT * FROM reservations WHERE customer = ? AND state = 1 AND number < ?
                ORDER BY number DESC LIMIT ?
                """, customer, before ?? .max, limit + 1
            ) { row in
                UsedCoupon(
                    number: try row["number"], reservation: try Reservation(row), time: try row["time"],
                    title: try row["title"])
            }
            return (Array(used.prefix(limit)), used.count > limit ? used[limit - 1].number : nil)
        }
    }

    /// When the customer was sent an offer, and how often they have redeemed it.
    package func dealings(
        of customer: PartyID, with offer: OfferID
    ) async throws(Fault) -> (sent: Timestamp?, used: Int) {
        try await read { transaction in
            let sent: Timestamp? = try transaction.value(
                "SELECT time FROM sends WHERE offer = ? AND customer = ?", offer, customer)
            let used: Int? = try transaction.value(
                "SELECT count(*) FROM reservations WHERE customer = ? AND coupon = ? AND state = 1", customer, offer)
            return (sent, used ?? 0)
        }
    }
}

package struct UsedCoupon: Sendable {
    package let number: Int64
    package let reservation: Reservation
    package let time: Timestamp
    package let title: String
}
