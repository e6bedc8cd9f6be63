import Contracts
import Primitives

/// An ad or a coupon.
package struct Offer: Sendable, Equatable {
    package let id: OfferID
    package let kind: Offers.Kind
    package let merchant: PartyID
    /// The terms, with both times set.
    package var terms: Offers.Terms
    package var accepted: Offers.Acceptance
    package var reason: String?
    package var enabled: Bool
    package var revision: Int64
    package let submitted: Timestamp
    package var decided: Timestamp?
    /// When it was sent by itself to all whom it is for.
    package var pushed: Timestamp?
    /// The newest revision that was approved; nil while the offer is accepted.
    package private(set) var lastApproved: LastApproved?

    /// In memory of its own, as few offers have one.
    package indirect enum LastApproved: Sendable, Equatable {
        case revision(Offers.ApprovedRevision)
    }

    package init(
        id: OfferID, kind: Offers.Kind, merchant: PartyID, terms: Offers.Terms,
        accepted: Offers.Acceptance = .pending, reason: String? = nil, enabled: Bool = true, revision: Int64 = 1,
        submitted: Timestamp, decided: Timestamp? = nil, pushed: Timestamp? = nil,
        lastApproved: Offers.ApprovedRevision? = nil
    ) {
        self.id = id
        self.kind = kind
        self.merchant = merchant
        self.terms = terms
        self.accepted = accepted
        self.reason = reason
        self.enabled = enabled
        self.revision = revision
        self.submitted = submitted
        self.decided = decided
        self.pushed = pushed
        self.lastApproved = lastApproved.map { .revision($0) }
    }

    /// Whether the offer may be shown at all.
    package var isLive: Bool { accepted == .accepted && enabled }

    /// Why nobody can use it any more.
    package func end(at now: Timestamp) -> Offers.DealEnd? {
        if now > expires { return .expired }
        return enabled ? nil : .disabled
    }

    /// The offer as customers have it: while other terms wait for an approval, or were refused, the terms that were
    /// approved last, switched off. Nil where none were.
    package var shown: Offer? {
        guard accepted != .accepted else { return self }
        guard let lastApproved else { return nil }
        var offer = self
        (offer.terms, offer.accepted, offer.enabled) = (lastApproved.revision.terms, .accepted, false)
        return offer
    }

    package var sendTime: Timestamp { terms.sendTime ?? submitted }
    package var expires: Timestamp { terms.expDate ?? submitted + DealRules.lifetime }

    package var area: Target.Area? {
        guard let latitude = terms.targetLat, let longitude = terms.targetLon,
            let point = Coordinate(latitude: latitude, longitude: longitude)
        else { return nil }
        return Target.Area(point: point, radiusMetres: Double(terms.radiusMetres ?? DealRules.radiusMetres))
    }

    package var view: Offers.OfferView {
        Offers.OfferView(
            offer: id, kind: kind, merchant: merchant, terms: terms, accepted: accepted, reason: reason,
            enabled: enabled, revision: revision, submitted: submitted, decided: decided,
            pushed: pushed, lastApproved: lastApproved?.revision)
    }

    // MARK: Changes

    /// Replaces the terms; the offer is pending again. False if they are the same.
    ///
    /// - Throws: `offers.offer_changed` if another revision was edited.
    package mutating func edit(_ terms: Offers.Terms, revision edited: Int64?) throws(Fault) -> Bool {
        if terms == self.terms { return false }
        if let edited, edited != revision { throw Fault(.offerChanged) }
        rememberApproved()
        self.terms = terms
        accepted = .pending
        reason = nil
        decided = nil
        pushed = nil
        revision += 1
        return true
    }

    /// Applies an administrator's decision. False if it is the same.
    ///
    /// - Throws: `offers.offer_changed`, `offers.offer_decided`.
    package mutating func decide(
        _ decision: Offers.Acceptance, reason: String?, revision seen: Int64, at now: Timestamp
    ) throws(Fault) -> Bool {
        guard seen == revision else { throw Fault(.offerChanged) }
        switch (accepted, decision) {
        case (.pending, _), (.accepted, .rejected): break
        case (let known, let other) where known == other && self.reason == reason: return false
        default: throw Fault(.offerDecided)
        }
        if decision == .accepted { lastApproved = nil } else { rememberApproved() }
        accepted = decision
        self.reason = reason
        decided = now
        return true
    }

    private mutating func rememberApproved() {
        guard accepted == .accepted else { return }
        lastApproved = .revision(Offers.ApprovedRevision(revision: revision, terms: terms))
    }
}

extension Offer.LastApproved {
    package var revision: Offers.ApprovedRevision {
        switch self {
        case .revision(let revision): revision
        }
    }
}
