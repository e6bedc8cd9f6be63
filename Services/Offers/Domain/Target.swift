import Contracts
import Primitives

/// What the rules look at of an offer: numbers only, so that thousands lie side by side in memory.
package struct Target: Sendable {
    package struct Area: Sendable {
        package let point: Coordinate
        package let radiusMetres: Double
    }

    package let offer: OfferID
    package let merchant: PartyID
    package let kind: Offers.Kind
    package let accepted: Offers.Acceptance
    package let enabled: Bool
    package let sendTime: Timestamp
    package let expires: Timestamp
    package let minAge: Int32?
    package let maxAge: Int32?
    package let gender: Auth.Gender?
    package let student: Bool
    package let area: Area?
    package let minVisits: Int32?
    package let maxVisits: Int32?
    package let withinDays: Int32?
    package let usesPerCustomer: Int32?
    package let usesInAll: Int32?
    package let stars: Int
    package let sendOnEntry: Bool

    package init(_ offer: Offer) {
        self.offer = offer.id
        merchant = offer.merchant
        kind = offer.kind
        accepted = offer.accepted
        enabled = offer.enabled
        sendTime = offer.sendTime
        expires = offer.expires
        let terms = offer.terms
        minAge = terms.minAge.map { Int32($0) }
        maxAge = terms.maxAge.map { Int32($0) }
        gender = terms.targetGender
        student = terms.student
        area = offer.area
        minVisits = terms.minVisits.map { Int32($0) }
        maxVisits = terms.maxVisits.map { Int32($0) }
        withinDays = terms.withinDays.map { Int32($0) }
        usesPerCustomer = terms.usesPerCustomer.map { Int32($0) }
        usesInAll = terms.usesInAll.map { Int32($0) }
        stars = terms.stars ?? 0
        sendOnEntry = terms.sendOnEntry
    }
}

/// What the rules look at of a customer, as far as it concerns one merchant and one offer.
package struct Subject: Sendable {
    package var profile = Profile()
    package var wants = Wants()
    package var merchantIsApproved = false
    package var isMuted = false
    package var subscription = Offers.Subscription.none
    package var history = History()
    /// Coupons reserved and redeemed: the customer's own, and everybody's.
    package var uses = 0
    package var usesInAll = 0

    package init() {}
}

/// What auth tells of a customer; nil is unknown.
package struct Profile: Sendable, Equatable {
    package var birthdate: CivilDate?
    package var gender: Auth.Gender?
    package var student: Bool?

    package init(birthdate: CivilDate? = nil, gender: Auth.Gender? = nil, student: Bool? = nil) {
        self.birthdate = birthdate
        self.gender = gender
        self.student = student
    }
}

/// A customer's limits, without the list of muted merchants.
package struct Wants: Sendable, Equatable {
    package var enabled = true
    package var ads = true
    package var coupons = true
    package var perDay = Offers.Preferences.usual.perDay
    package var quiet: QuietHours?

    package init() {}

    package init(_ preferences: Offers.Preferences) {
        enabled = preferences.enabled
        ads = preferences.ads
        coupons = preferences.coupons
        perDay = preferences.perDay
        if let from = preferences.quietFrom, let to = preferences.quietTo {
            quiet = QuietHours(from: from, until: to, utcOffsetMinutes: preferences.utcOffsetMinutes)
        }
    }
}

/// What a customer has paid at one merchant, less what was refunded in full.
package struct History: Sendable, Equatable {
    package var visits = 0
    package var last: Timestamp?
    /// Earned since the customer takes part, and spent on coupons reserved or redeemed.
    package var stars = 0
    package var starsSpent = 0

    package init(visits: Int = 0, last: Timestamp? = nil, stars: Int = 0, starsSpent: Int = 0) {
        self.visits = visits
        self.last = last
        self.stars = stars
        self.starsSpent = starsSpent
    }

    package var starsLeft: Int { max(0, stars - starsSpent) }
}

/// When and where the rules are asked.
package struct Moment: Sendable {
    package let now: Timestamp
    /// Nil while it is not known.
    package let position: Coordinate?
    /// Offers that the customer was sent within the last 24 hours.
    package let sentLately: Int

    package init(now: Timestamp, position: Coordinate?, sentLately: Int = 0) {
        self.now = now
        self.position = position
        self.sentLately = sentLately
    }
}
