import Contracts
import Primitives

/// What offers go by: limits on what is written, and spans of time. Those of the documents say where they are from.
package struct DealRules: Sendable {
    /// 001-80: how near a customer has to be to an offer's target, where the offer says nothing else.
    package static let radiusMetres: Int64 = 200
    package static let radiusMetresMax: Int64 = 10_000
    /// A33.
    package static let lifetime = Duration.seconds(30 * 86_400)
    /// An offer that lasts longer is a mistake in a year.
    package static let lifetimeMax = Duration.seconds(366 * 86_400)
    /// Bytes of a title.
    package static let titleBytesMax = 100
    /// Characters of a content, and of a reason: varchar(255) (001-119).
    package static let contentCharactersMax = 255
    package static let ageMax = 150
    package static let visitsMax = 10_000
    package static let daysMax = 3650
    package static let usesMax = 1_000_000_000
    package static let starsMax = 10_000
    /// The largest amount of a coupon, in minor units.
    package static let amountMax: Int64 = 100_000_000
    package static let mutedMax = 200
    package static let perDayMax = 100
    /// Customers that one push looks at: as many as location shows.
    package static let pushMax = 100

    /// Offers of one merchant that have not ended.
    package var offersPerMerchantMax = 1_000
    /// Merchants that one customer subscribes to.
    package var subscriptionsMax = 10_000
    /// How old the news that a customer came may be for offers to be sent: who has left long since is not called back.
    package var entryFreshness = Duration.seconds(600)
    /// How long after its charge's end a reservation waits for the fact of it.
    package var grace = Duration.seconds(60)

    package init() {}
}

extension Offers.Terms {
    /// The same with both times, checked.
    ///
    /// - Parameters:
    ///   - sendTime: what it is where the merchant chose none.
    /// - Throws: `offers.offer_invalid`, which says what is wrong; `offers.coordinate_invalid`.
    func resolved(
        _ kind: Offers.Kind, sendTime usual: Timestamp, at now: Timestamp
    ) throws(Fault) -> Offers.Terms {
        try checkTexts()
        try checkTargets()
        try checkCoupon(kind)
        let sendTime = sendTime ?? usual
        let expDate = expDate ?? sendTime + DealRules.lifetime
        guard expDate > sendTime else { throw .offer("it ends before it begins") }
        guard expDate > now else { throw .offer("it has ended already") }
        guard expDate - sendTime <= DealRules.lifetimeMax else { throw .offer("it lasts for more than a year") }
        return Offers.Terms(
            title: title, content: content, minAge: minAge, maxAge: maxAge, targetGender: targetGender,
            student: student, sendTime: sendTime, expDate: expDate, targetLat: targetLat, targetLon: targetLon,
            radiusMetres: targetLat == nil ? nil : radiusMetres ?? DealRules.radiusMetres, minVisits: minVisits,
            maxVisits: maxVisits, withinDays: withinDays, sendOnEntry: sendOnEntry, discount: discount,
            minimum: minimum, usesPerCustomer: discount == nil ? usesPerCustomer : usesPerCustomer ?? 1,
            usesInAll: usesInAll, stars: stars)
    }

    private func checkTexts() throws(Fault) {
        guard title.isShownAndVisible, title.utf8.count <= DealRules.titleBytesMax else {
            throw .offer("a title has 1 to \(DealRules.titleBytesMax) bytes and something to see")
        }
        guard content.isShownAndVisible, content.unicodeScalars.count <= DealRules.contentCharactersMax else {
            throw .offer("a content has 1 to \(DealRules.contentCharactersMax) characters and something to see")
        }
    }

    private func checkTargets() throws(Fault) {
        try Self.check(minAge, "minAge", 0...DealRules.ageMax)
        try Self.check(maxAge, "maxAge", 0...DealRules.ageMax)
        if let minAge, let maxAge, minAge > maxAge { throw .offer("'minAge' is above 'maxAge'") }
        try Self.check(minVisits, "minVisits", 0...DealRules.visitsMax)
        try Self.check(maxVisits, "maxVisits", 0...DealRules.visitsMax)
        if let minVisits, let maxVisits, minVisits > maxVisits { throw .offer("'minVisits' is above 'maxVisits'") }
        try Self.check(withinDays, "withinDays", 1...DealRules.daysMax)
        switch (targetLat, targetLon) {
        case (nil, nil):
            if radiusMetres != nil { throw .offer("a radius needs a target") }
        case (let latitude?, let longitude?):
            guard Coordinate(latitude: latitude, longitude: longitude) != nil else {
                throw Fault(.offerCoordinateInvalid)
            }
            try Self.check(radiusMetres.map(Int.init), "radiusMetres", 1...Int(DealRules.radiusMetresMax))
        default: throw .offer("a target is a latitude and a longitude")
        }
    }

    private func checkCoupon(_ kind: Offers.Kind) throws(Fault) {
        guard let discount else {
            let needless = minimum != nil || usesPerCustomer != nil || usesInAll != nil || stars != nil
            if needless { throw .offer("only what takes something off has a minimum, uses and stars") }
            return
        }
        guard kind == .coupon else { throw .offer("an ad takes nothing off") }
        switch (discount.amount, discount.percent) {
        case (let amount?, nil):
            guard (1...DealRules.amountMax).contains(amount.amount) else {
                throw .offer("an amount off is 1 to \(DealRules.amountMax)")
            }
            if let minimum, minimum.currency != amount.currency { throw .offer("two currencies") }
        case (nil, let percent?): try Self.check(percent, "percent", 1...99)
        default: throw .offer("a discount is an amount or a percentage")
        }
        if let minimum, !(1...DealRules.amountMax).contains(minimum.amount) {
            throw .offer("a minimum is 1 to \(DealRules.amountMax)")
        }
        try Self.check(usesPerCustomer, "usesPerCustomer", 1...DealRules.usesMax)
        try Self.check(usesInAll, "usesInAll", 1...DealRules.usesMax)
        try Self.check(stars, "stars", 1...DealRules.starsMax)
    }

    private static func check(_ value: Int?, _ name: String, _ range: ClosedRange<Int>) throws(Fault) {
        guard let value, !range.contains(value) else { return }
        throw .offer("'\(name)' is \(range.lowerBound) to \(range.upperBound)")
    }
}

extension Offers.Preferences {
    /// - Throws: `offers.preferences_invalid`, which says what is wrong.
    func check() throws(Fault) {
        guard muted.count <= DealRules.mutedMax, Set(muted).count == muted.count else {
            throw Fault(.preferencesInvalid, "at most \(DealRules.mutedMax) merchants are muted, each once")
        }
        guard (0...DealRules.perDayMax).contains(perDay) else {
            throw Fault(.preferencesInvalid, "'perDay' is 0 to \(DealRules.perDayMax)")
        }
        guard (quietFrom == nil) == (quietTo == nil), (0...1439).contains(quietFrom ?? 0),
            (0...1439).contains(quietTo ?? 0)
        else { throw Fault(.preferencesInvalid, "quiet hours are two minutes of the day, 0 to 1439, or none") }
        guard (-840...840).contains(utcOffsetMinutes) else {
            throw Fault(.preferencesInvalid, "'utcOffsetMinutes' is -840 to 840")
        }
    }
}

extension Fault {
    fileprivate static func offer(_ why: String) -> Fault { Fault(.offerInvalid, why) }
}
