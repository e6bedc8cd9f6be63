import Bus
import Contracts
import Foundation
import GRDB
import Primitives
import Sodium
import Storage
import Wire

// Offers from their submission to the administrator's decision.

extension SQLiteDealStore {
    /// Keeps an offer that is new. Fact: `OfferSubmitted`.
    ///
    /// - Throws: `offers.id_reused` where the id is that of something else, `offers.too_many_offers`.
    package func submit(
        _ ask: Offers.SubmitOffer, _ terms: Offers.Terms, rules: DealRules, at now: Timestamp,
        causedBy context: AskContext
    ) async throws(Fault) -> (offer: Offer, replayed: Bool) {
        let submission = Data(Digest.sha256(ask.json))
        return try await write { [self] database in
            if let row = try Row.fetchOne(
                database, sql: "SELECT * FROM offers WHERE id = ?", arguments: [ask.offer.column])
            {
                guard row["submission"] as Data == submission else { throw Fault(.idReusedForCoupon) }
                return (try Offer(row), true)
            }
            let count = try Int.fetchOne(
                database, sql: "SELECT count(*) FROM offers WHERE merchant = ? AND expires >= ?",
                arguments: [ask.merchant.column, now.column])
            guard count ?? 0 < rules.offersPerMerchantMax else { throw Fault(.tooManyOffers) }
            let offer = Offer(id: ask.offer, kind: ask.kind, merchant: ask.merchant, terms: terms, submitted: now)
            try database.cachedStatement(
                sql: """
                    INSERT INTO offers (id, kind, merchant, terms, accepted, enabled, revision, submission, submitted,
                        expires) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [
                offer.id.column, offer.kind.rawValue, offer.merchant.column, offer.termsColumn,
                offer.accepted.rawValue, offer.enabled, offer.revision, submission, now.column, offer.expires.column
            ])
            try Self.tell(offer.wasSubmitted(at: now), in: database, at: now, context)
            note { $0.put(offer) }
            return (offer, false)
        }
    }

    /// Makes a change of one offer; whatever of it the change leaves as it was is not written. Facts as given.
    ///
    /// - Parameter change: gives whether it changed anything, and throws its refusals.
    /// - Throws: `offers.offer_not_found`, also for another merchant's.
    package func change(
        _ id: OfferID, of merchant: PartyID? = nil, at now: Timestamp, causedBy context: AskContext,
        tell: @escaping @Sendable (Offer) -> (any Fact)?,
        _ change: @escaping @Sendable (inout Offer) throws(Fault) -> Bool
    ) async throws(Fault) -> (offer: Offer, changed: Bool) {
        try await write { [self] database in
            guard var offer = try Self.find(id, in: database), merchant == nil || offer.merchant == merchant else {
                throw Fault(.offerNotFound)
            }
            guard try change(&offer) else { return (offer, false) }
            try database.cachedStatement(
                sql: """
                    UPDATE offers SET terms = ?, accepted = ?, reason = ?, enabled = ?, revision = ?, decided = ?,
                        expires = ? WHERE id = ?
                    """
            ).execute(arguments: [
                offer.termsColumn, offer.accepted.rawValue, offer.reason, offer.enabled, offer.revision,
                offer.decided?.column, offer.expires.column, id.column
            ])
            if let fact = tell(offer) { try Self.tell(fact, in: database, at: now, context) }
            note { $0.put(offer) }
            return (offer, true)
        }
    }

    package func offer(_ id: OfferID) async throws(Fault) -> Offer? {
        try await read { try Self.find(id, in: $0) }
    }

    /// A merchant's offers, or everybody's; newest first.
    ///
    /// - Parameter before: only those older than the one at this place.
    /// - Returns: the offers, and the place to ask on from, nil at the end.
    package func offers(
        of merchant: PartyID?, kind: Offers.Kind?, accepted: Offers.Acceptance?, before: Int64?, limit: Int
    ) async throws(Fault) -> (offers: [Offer], next: Int64?) {
        try await read { database in
            // Named one by one, so that each finds its index.
            var conditions = ["number < :before"]
            var arguments: [String: (any DatabaseValueConvertible)?] = ["before": before ?? .max, "limit": limit + 1]
            if let merchant {
                conditions.append("merchant = :merchant")
                arguments["merchant"] = merchant.column
            }
            if let kind {
                conditions.append("kind = :kind")
                arguments["kind"] = kind.rawValue
            }
            if let accepted { conditions.append("accepted = '\(accepted.rawValue)'") }
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM offers WHERE \(conditions.joined(separator: " AND "))
                    ORDER BY number DESC LIMIT :limit
                    """, arguments: StatementArguments(arguments))
            let next: Int64? = rows.count > limit ? rows[limit - 1]["number"] : nil
            return (try rows.prefix(limit).map { try Offer($0) }, next)
        }
    }

    static func find(_ id: OfferID, in database: Database) throws -> Offer? {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT * FROM offers WHERE id = ?"), arguments: [id.column]
        ).map { try Offer($0) }
    }
}

extension Offer {
    func wasSubmitted(at now: Timestamp) -> Offers.OfferSubmitted {
        Offers.OfferSubmitted(
            offer: id, kind: kind, merchant: merchant, title: terms.title, revision: revision, time: now)
    }

    func wasDecided(at now: Timestamp) -> Offers.OfferDecided {
        Offers.OfferDecided(
            offer: id, kind: kind, merchant: merchant, title: terms.title, acceptance: accepted, reason: reason,
            time: now)
    }
}
