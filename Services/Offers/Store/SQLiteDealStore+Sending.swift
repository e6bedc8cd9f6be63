import Bus
import Contracts
import Foundation
import GRDB
import Primitives
import Storage

// Offers that are sent unasked, each once to a customer, with the facts of it.

/// A customer to whom something might be sent, and where they are, as far as it is known.
package struct Candidate: Sendable {
    package let customer: PartyID
    package let place: PlaceID?
    package let position: Coordinate?

    package init(customer: PartyID, place: PlaceID?, position: Coordinate?) {
        self.customer = customer
        self.place = place
        self.position = position
    }
}

extension SQLiteDealStore {
    /// What was said of an earlier push under this id; nil where there was none.
    ///
    /// - Throws: `offers.id_reused` where it was another.
    package func push(_ ask: Offers.PushOffer) async throws(Fault) -> Offers.PushOffer.Reply? {
        try await read { try Self.find(ask, in: $0) }
    }

    /// Sends an offer to those of the candidates whom the rules allow it. Facts: `OfferSent`.
    ///
    /// - Throws: `offers.id_reused`; `offers.offer_not_live` where it is so no longer.
    package func push(
        _ ask: Offers.PushOffer, to candidates: [Candidate], nearby: Int64, at now: Timestamp,
        causedBy context: AskContext
    ) async throws(Fault) -> Offers.PushOffer.Reply {
        try await write { [self] database in
            if let known = try Self.find(ask, in: database) { return known }
            guard let offer = try market({ market throws(Fault) in market.offer(ask.offer) }), offer.isLive else {
                throw Fault(.offerNotLive)
            }
            var sent: Int64 = 0
            for candidate in candidates {
                if try send(offer, to: candidate, because: .pushed, at: now, context, in: database) { sent += 1 }
            }
            try database.execute(
                sql: "INSERT INTO pushes (id, offer, place, nearby, sent) VALUES (?, ?, ?, ?, ?)",
                arguments: [ask.push.column, ask.offer.column, ask.place?.column, nearby, sent])
            return Offers.PushOffer.Reply(nearby: nearby, sent: sent, replayed: false)
        }
    }

    private static func find(_ ask: Offers.PushOffer, in database: Database) throws -> Offers.PushOffer.Reply? {
        guard
            let row = try Row.fetchOne(
                database, sql: "SELECT * FROM pushes WHERE id = ?", arguments: [ask.push.column])
        else { return nil }
        guard row["offer"] as Data == ask.offer.column, row["place"] as Data? == ask.place?.column else {
            throw Fault(.idReusedForCoupon)
        }
        return Offers.PushOffer.Reply(nearby: row["nearby"], sent: row["sent"], replayed: true)
    }

    /// Sends it, if the rules allow it and it has not been sent to this customer before.
    func send(
        _ offer: Offer, to candidate: Candidate, because occasion: Offers.Occasion, at now: Timestamp,
        _ context: AskContext, in database: Database
    ) throws -> Bool {
        let lately = try Int.fetchOne(
            database.cachedStatement(sql: "SELECT count(*) FROM sends WHERE customer = ? AND time > ?"),
            arguments: [candidate.customer.column, (now - .seconds(86_400)).column])
        let moment = Moment(now: now, position: candidate.position, sentLately: lately ?? 0)
        let target = Target(offer)
        let (isAllowed, merchantName) = try market { market throws(Fault) in
            let subject = market.subject(candidate.customer, for: target)
            return (
                Targeting.allows(Targeting.sent, target, subject, moment), market.merchants[offer.merchant]?.name ?? ""
            )
        }
        guard isAllowed else { return false }
        try database.cachedStatement(sql: "INSERT OR IGNORE INTO sends (offer, customer, time) VALUES (?, ?, ?)")
            .execute(arguments: [offer.id.column, candidate.customer.column, now.column])
        guard database.changesCount > 0 else { return false }
        try Self.tell(
            Offers.OfferSent(
                offer: offer.id, kind: offer.kind, merchant: offer.merchant, merchantName: merchantName,
                customer: candidate.customer, title: offer.terms.title, content: offer.terms.content,
                occasion: occasion, place: candidate.place, expires: offer.expires, time: now),
            in: database, at: now, context)
        return true
    }

    /// Offers that the customer was sent within the last 24 hours.
    package func sentLately(to customer: PartyID, at now: Timestamp) async throws(Fault) -> Int {
        try await read { database in
            try Int.fetchOne(
                database, sql: "SELECT count(*) FROM sends WHERE customer = ? AND time > ?",
                arguments: [customer.column, (now - .seconds(86_400)).column]) ?? 0
        }
    }
}
