import Contracts
import Primitives

/// The part of an offer that the rules read. Numbers only, so that thousands are contiguous in memory.
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

/// The part of a customer that the rules read for one merchant and one offer.
package struct Subject: Sendable {
    package var profile = Profile()
    package var wants = Wants()
    package var merchantIsApproved = false
    package var isMuted = false
    package var subscription = Offers.Subscription.none
    package var history = History()
    /// Uses of the coupon, reserved or redeemed: by the customer, and by all.
    package var uses = 0
    package var usesInAll = 0

    package init() {}
}

/// A customer's profile from auth; nil is unknown.
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

    package init() {}

    package init(_ preferences: Offers.Preferences) {
        enabled = preferences.enabled
        ads = preferences.ads
        coupons = preferences.coupons
        perDay = preferences.perDay
    }
}

/// A customer's payments at one merchant, without those that were refunded in full.
package struct History: Sendable, Equatable {
    package var visits = 0
    package var last: Timestamp?
    /// Earned since the customer joined, and spent on reserved or redeemed coupons.
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

/// The time and place for which the rules are evaluated.
package struct Moment: Sendable {
    package let now: Timestamp
    /// Nil if it is unknown.
    package let position: Coordinate?
    /// Offers sent to the customer within the last 24 hours.
    package let sentLately: Int

    package init(now: Timestamp, position: Coordinate?, sentLately: Int = 0) {
        self.now = now
        self.position = position
        self.sentLately = sentLately
    }
}
