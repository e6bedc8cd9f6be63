import Bus
import Contracts
import Primitives
import Sodium
import Storage
import Wire

// Submission, changes and decisions of offers.

extension DealStore {
    /// Stores a new offer. Fact: `OfferSubmitted`.
    ///
    /// - Throws: `offers.id_reused` if the id has other content, `offers.too_many_offers`.
    package func submit(
        _ ask: Offers.SubmitOffer, rules: DealRules, at now: Timestamp, causedBy context: AskContext
    ) async throws(Fault) -> (offer: Offer, replayed: Bool) {
        let submission = Digest.sha256(ask.json)
        return try await write { [self] transaction in
            let known = try transaction.first("SELECT * FROM offers WHERE id = ?", ask.offer) { row in
                (offer: try Offer(row), isSame: try row["submission"] == submission)
            }
            if let (offer, isSame) = known {
                guard isSame else { throw Fault(.idReusedForCoupon) }
                return (offer, true)
            }
            let terms = try ask.terms.resolved(ask.kind, sendTime: now, at: now)
            try Self.expectRoom(for: ask.merchant, rules, at: now, in: transaction)
            let offer = Offer(id: ask.offer, kind: ask.kind, merchant: ask.merchant, terms: terms, submitted: now)
            try transaction.run(
                """
                INSERT INTO offers (id, kind, merchant, terms, accepted, enabled, revision, submission, submitted,
                    expires, send_time) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, offer.id, offer.kind.rawValue, offer.merchant, offer.termsColumn, offer.accepted.rawValue,
                offer.enabled, offer.revision, submission, now, offer.expires, offer.sendTime)
            try transaction.publish(offer.wasSubmitted(at: now), at: now, because: context)
            note { $0.put(offer) }
            return (offer, false)
        }
    }

    /// - Throws: `offers.too_many_offers` for a merchant whose offers that have not ended are as many as may be.
    private static func expectRoom(
        for merchant: PartyID, _ rules: DealRules, at now: Timestamp, in transaction: Transaction
    ) throws {
        let count: Int? = try transaction.value(
            "SELECT count(*) FROM offers WHERE merchant = ? AND expires >= ?", merchant, now)
        guard count ?? 0 < rules.offersPerMerchantMax else { throw Fault(.tooManyOffers) }
    }

    /// Changes one offer. Writes nothing if nothing changes.
    ///
    /// - Parameter change: returns whether it changed anything, and throws its refusals.
    /// - Throws: `offers.offer_not_found`, also for another merchant's offer; `offers.too_many_offers` where one that
    ///   had ended would be one too many; `offers.offer_invalid` for fewer uses in all than there were.
    package func change(
        _ id: OfferID, of merchant: PartyID? = nil, rules: DealRules, at now: Timestamp, causedBy context: AskContext,
        fact: @escaping @Sendable (Offer) -> (any Fact)?,
        _ change: @escaping @Sendable (inout Offer) throws(Fault) -> Bool
    ) async throws(Fault) -> (offer: Offer, changed: Bool) {
        try await write { [self] transaction in
            guard var offer = try Self.find(id, in: transaction), merchant == nil || offer.merchant == merchant else {
                throw Fault(.offerNotFound)
            }
            let before = offer
            guard try change(&offer) else { return (offer, false) }
            if before.expires < now, offer.expires >= now {
                try Self.expectRoom(for: offer.merchant, rules, at: now, in: transaction)
            }
            try recall(id, in: transaction)
            if let most = offer.terms.usesInAll, most < before.terms.usesInAll ?? .max {
                let used = try index { index throws(Fault) in index.uses(of: id) }
                guard used <= most else {
                    throw Fault(.offerInvalid, "it was used \(used) times: 'usesInAll' is that at least, or disable it")
                }
            }
            try transaction.run(
                """
                UPDATE offers SET terms = ?, accepted = ?, reason = ?, enabled = ?, revision = ?, decided = ?,
                    expires = ?, send_time = ?, pushed = ?, last_approved = ? WHERE id = ?
                """, offer.termsColumn, offer.accepted.rawValue, offer.reason, offer.enabled, offer.revision,
                offer.decided, offer.expires, offer.sendTime, offer.pushed, offer.lastApprovedColumn, id)
            if let fact = fact(offer) { try transaction.publish(fact, at: now, because: context) }
            note { $0.put(offer) }
            return (offer, true)
        }
    }

    package func offer(_ id: OfferID) async throws(Fault) -> Offer? {
        try await read { [self] transaction in
            try recall(id, in: transaction)
            return try Self.find(id, in: transaction)
        }
    }

    /// A merchant's offers, or all offers, newest first.
    ///
    /// - Parameter before: only offers before this number.
    /// - Returns: the offers, and the number for the next page; nil at the end.
    package func offers(
        of merchant: PartyID?, kind: Offers.Kind?, accepted: Offers.Acceptance?, before: Int64?, limit: Int
    ) async throws(Fault) -> (offers: [Offer], next: Int64?) {
        try await read { transaction in
            // Only the conditions that are asked for, so that each query uses its index.
            var conditions = "number < ?"
            if merchant != nil { conditions += " AND merchant = ?" }
            if kind != nil { conditions += " AND kind = ?" }
            if let accepted { conditions += " AND accepted = '\(accepted.rawValue)'" }
            let statement = try transaction.statement(
                "SELECT * FROM offers WHERE \(conditions) ORDER BY number DESC LIMIT ?")
            statement.bind(before ?? .max)
            if let merchant { statement.bind(merchant) }
            if let kind { statement.bind(kind.rawValue) }
            statement.bind(Int64(limit) + 1)
            var offers: [(number: Int64, offer: Offer)] = []
            try statement.each { row in
                offers.append((try row["number"], try Offer(row)))
                return true
            }
            return (offers.prefix(limit).map(\.offer), offers.count > limit ? offers[limit - 1].number : nil)
        }
    }

    /// The offer as it is now: from memory, unless it has ended.
    func offer(_ id: OfferID, in transaction: Transaction) throws -> Offer? {
        let known = try index { index throws(Fault) in index.offer(id) }
        return try known ?? Self.find(id, in: transaction)
    }

    static func find(_ id: OfferID, in transaction: Transaction) throws -> Offer? {
        try transaction.first("SELECT * FROM offers WHERE id = ?", id) { try Offer($0) }
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
