import Contracts
import Primitives
import Storage

// What came of an offer.

extension DealStore {
    /// Remembers the customer's first look at an offer.
    ///
    /// - Returns: when that was.
    package func see(_ offer: OfferID, by customer: PartyID, at now: Timestamp) async throws(Fault) -> Timestamp {
        let known: Timestamp? = try await read { try Self.seen(offer, by: customer, in: $0) }
        if let known { return known }
        return try await write { transaction in
            try transaction.run(
                "INSERT INTO looks (offer, customer, time) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", offer, customer,
                now)
            return try Self.seen(offer, by: customer, in: transaction) ?? now
        }
    }

    private static func seen(
        _ offer: OfferID, by customer: PartyID, in transaction: Transaction
    ) throws -> Timestamp? {
        try transaction.value("SELECT time FROM looks WHERE offer = ? AND customer = ?", offer, customer)
    }

    /// Whom an offer was sent to, who looked at it, and what was paid with it.
    package func outcome(of offer: OfferID) async throws(Fault) -> Offers.ReadOutcome.Reply {
        try await read { transaction in
            let sent: Int64? = try transaction.value("SELECT count(*) FROM sends WHERE offer = ?", offer)
            let seen: Int64? = try transaction.value("SELECT count(*) FROM looks WHERE offer = ?", offer)
            // A reservation has what was asked for; the discount came off that.
            let paid = try transaction.first(
                """
                SELECT count(DISTINCT customer), count(*), CAST(coalesce(sum(discount), 0) AS INTEGER),
                    CAST(coalesce(sum(amount - discount), 0) AS INTEGER) FROM reservations WHERE coupon = ? AND state = 1
                """, offer
            ) { row in
                (customers: row.int64(0), used: row.int64(1), discount: row.int64(2), paid: row.int64(3))
            }
            return Offers.ReadOutcome.Reply(
                offer: offer, sent: sent ?? 0, seen: seen ?? 0, customers: paid?.customers ?? 0,
                used: paid?.used ?? 0, discount: Money(paid?.discount ?? 0), paid: Money(paid?.paid ?? 0))
        }
    }
}
