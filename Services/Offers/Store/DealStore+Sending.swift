import Bus
import Contracts
import Primitives
import Storage

// Sends offers unasked, each once to a customer, with its facts.

/// A customer who might be sent an offer, with their position if it is known.
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

extension DealStore {
    /// The answer to an earlier push under this id; nil if there was none.
    ///
    /// - Throws: `offers.id_reused` if the earlier push had other content.
    package func push(_ ask: Offers.PushOffer) async throws(Fault) -> Offers.PushOffer.Reply? {
        try await read { try Self.find(ask, in: $0) }
    }

    /// Sends an offer to the candidates that the rules allow. Facts: `OfferSent`.
    ///
    /// - Throws: `offers.id_reused`; `offers.offer_not_live` if it is no longer live.
    package func push(
        _ ask: Offers.PushOffer, to candidates: [Candidate], nearby: Int64, at now: Timestamp,
        causedBy context: AskContext
    ) async throws(Fault) -> Offers.PushOffer.Reply {
        try await write { [self] transaction in
            if let known = try Self.find(ask, in: transaction) { return known }
            guard let offer = try index({ index throws(Fault) in index.offer(ask.offer) }), offer.isLive else {
                throw Fault(.offerNotLive)
            }
            var sent: Int64 = 0
            for candidate in candidates {
                if try send(offer, to: candidate, because: .pushed, at: now, context, in: transaction) { sent += 1 }
            }
            try transaction.run(
                "INSERT INTO pushes (id, offer, place, nearby, sent) VALUES (?, ?, ?, ?, ?)", ask.push, ask.offer,
                ask.place, nearby, sent)
            return Offers.PushOffer.Reply(nearby: nearby, sent: sent, replayed: false)
        }
    }

    private static func find(_ ask: Offers.PushOffer, in transaction: Transaction) throws -> Offers.PushOffer.Reply? {
        try transaction.first("SELECT * FROM pushes WHERE id = ?", ask.push) { row in
            guard try row["offer"] == ask.offer, try row["place"] == ask.place else {
                throw Fault(.idReusedForCoupon)
            }
            return Offers.PushOffer.Reply(nearby: try row["nearby"], sent: try row["sent"], replayed: true)
        }
    }

    /// Sends an offer if the rules allow it and the customer has not been sent it before.
    func send(
        _ offer: Offer, to candidate: Candidate, because occasion: Offers.Occasion, at now: Timestamp,
        _ context: AskContext, in transaction: Transaction
    ) throws -> Bool {
        let moment = Moment(
            now: now, position: candidate.position,
            sentLately: try Self.sentLately(to: candidate.customer, at: now, in: transaction))
        let target = Target(offer)
        let subject = try subject(candidate.customer, for: target, in: transaction)
        guard Targeting.allows(Targeting.sent, target, subject, moment) else { return false }
        let merchantName = try index { index throws(Fault) in index.merchants[offer.merchant]?.name ?? "" }
        let added = try transaction.run(
            "INSERT INTO sends (offer, customer, time) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", offer.id,
            candidate.customer, now)
        guard added > 0 else { return false }
        try transaction.publish(
            Offers.OfferSent(
                offer: offer.id, kind: offer.kind, merchant: offer.merchant, merchantName: merchantName,
                customer: candidate.customer, title: offer.terms.title, content: offer.terms.content,
                occasion: occasion, place: candidate.place, expires: offer.expires, time: now),
            at: now, because: context)
        return true
    }

    /// Offers sent to the customer within the last 24 hours.
    package func sentLately(to customer: PartyID, at now: Timestamp) async throws(Fault) -> Int {
        try await read { try Self.sentLately(to: customer, at: now, in: $0) }
    }

    /// Sends of a clock that was ahead are of another day.
    private static func sentLately(
        to customer: PartyID, at now: Timestamp, in transaction: Transaction
    ) throws -> Int {
        try transaction.value(
            "SELECT count(*) FROM sends WHERE customer = ? AND time > ? AND time <= ?", customer,
            now - .seconds(86_400), now) ?? 0
    }
}
