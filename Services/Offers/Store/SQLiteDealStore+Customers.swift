import Bus
import Contracts
import Foundation
import GRDB
import Primitives
import Storage
import Wire

// What customers say of themselves: whom they want to hear of, how much, and whether they take part in the stars.

extension SQLiteDealStore {
    /// - Throws: `offers.too_many_subscriptions`.
    package func subscribe(
        _ customer: PartyID, to merchant: PartyID, _ subscription: Offers.Subscription, max: Int
    ) async throws(Fault) {
        try await write { [self] database in
            if subscription == .none {
                try database.execute(
                    sql: "DELETE FROM subscriptions WHERE customer = ? AND merchant = ?",
                    arguments: [customer.column, merchant.column])
            } else {
                let others = try Int.fetchOne(
                    database, sql: "SELECT count(*) FROM subscriptions WHERE customer = ? AND merchant <> ?",
                    arguments: [customer.column, merchant.column])
                guard others ?? 0 < max else { throw Fault(.tooManySubscriptions) }
                try database.execute(
                    sql: """
                        INSERT INTO subscriptions (customer, merchant, ads, coupons) VALUES (?, ?, ?, ?)
                        ON CONFLICT (customer, merchant) DO UPDATE SET ads = excluded.ads, coupons = excluded.coupons
                        """,
                    arguments: [customer.column, merchant.column, subscription.ads, subscription.coupons])
            }
            note { $0.subscribe(customer, to: merchant, subscription) }
        }
    }

    package func setPreferences(_ preferences: Offers.Preferences, of customer: PartyID) async throws(Fault) {
        try await write { [self] database in
            try database.execute(
                sql: """
                    INSERT INTO preferences (customer, body) VALUES (?, ?)
                    ON CONFLICT (customer) DO UPDATE SET body = excluded.body
                    """, arguments: [customer.column, Data(preferences.json)])
            note { $0.setPreferences(preferences, of: customer) }
        }
    }

    /// Records since when a customer takes part; nil: no longer. Who takes part already stays.
    package func join(_ customer: PartyID, since: Timestamp?) async throws(Fault) {
        try await write { [self] database in
            if let since {
                try database.execute(
                    sql: "INSERT OR IGNORE INTO members (customer, since) VALUES (?, ?)",
                    arguments: [customer.column, since.column])
                guard database.changesCount > 0 else { return }
                note { $0.changeCustomer(customer) { $0.joined = since } }
                return
            }
            // Stars that are still to be written would come back.
            try writeSums(in: database)
            for sql in [
                "DELETE FROM members WHERE customer = ?",
                "UPDATE histories SET stars = 0 WHERE customer = ?",
                "UPDATE reservations SET stars = 0 WHERE customer = ?"
            ] {
                try database.execute(sql: sql, arguments: [customer.column])
            }
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

    /// Coupons that the customer has redeemed, newest first.
    package func used(
        by customer: PartyID, before: Int64?, limit: Int
    ) async throws(Fault) -> (used: [UsedCoupon], next: Int64?) {
        try await read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM reservations WHERE customer = ? AND state = 1 AND number < ?
                    ORDER BY number DESC LIMIT ?
                    """, arguments: [customer.column, before ?? .max, limit + 1])
            let next: Int64? = rows.count > limit ? rows[limit - 1]["number"] : nil
            let used = try rows.prefix(limit).map { row in
                UsedCoupon(
                    number: row["number"], reservation: try Reservation(row), time: row.time("time"),
                    title: row["title"])
            }
            return (used, next)
        }
    }

    /// When the customer was sent the offer, and how often they have redeemed it.
    package func dealings(
        of customer: PartyID, with offer: OfferID
    ) async throws(Fault) -> (sent: Timestamp?, used: Int) {
        try await read { database in
            let sent = try Int64.fetchOne(
                database, sql: "SELECT time FROM sends WHERE offer = ? AND customer = ?",
                arguments: [offer.column, customer.column])
            let used = try Int.fetchOne(
                database, sql: "SELECT count(*) FROM reservations WHERE customer = ? AND coupon = ? AND state = 1",
                arguments: [customer.column, offer.column])
            return (sent.map(Timestamp.init(milliseconds:)), used ?? 0)
        }
    }
}

package struct UsedCoupon: Sendable {
    package let number: Int64
    package let reservation: Reservation
    package let time: Timestamp
    package let title: String
}
