import Contracts
import Primitives

/// The limits of offers: sizes, counts and times.
package struct DealRules: Sendable {
    /// How near to an offer's target a customer has to be, unless the offer says otherwise.
    package static let radiusMetres: Int64 = 200
    /// How long an offer lasts when the merchant chose no end.
    package static let lifetime = Duration.seconds(30 * 86_400)
    /// An offer that lasts longer has a mistyped year.
    package static let lifetimeMax = Duration.seconds(366 * 86_400)
    /// The largest amount of a coupon, in minor units.
    package static let amountMax: Int64 = 100_000_000
    /// Customers that one push considers: as many as location returns.
    package static let pushMax = 100

    /// A merchant's offers that have not ended.
    package var offersPerMerchantMax = 1_000
    /// A customer's subscriptions.
    package var subscriptionsMax = 10_000
    /// How old a `FenceEntered` may be for offers to be sent: a customer who left long ago is not called back.
    package var entryFreshness = Duration.seconds(600)
    /// How long after a charge's end its reservation waits for the fact.
    package var grace = Duration.seconds(60)

    package init() {}
}

extension Offers.Terms {
    /// The terms with both times, checked.
    ///
    /// - Parameters:
    /// - sendTime: used if the merchant chose none.
    /// - Throws: `offers.offer_invalid`, with what is wrong.
    func resolved(
        _ kind: Offers.Kind, sendTime usual: Timestamp, at now: Timestamp
    ) throws(Fault) -> Offers.Terms {
        try checkTexts()
        try checkTargets()
        try checkCoupon(kind)
        let sendTime = sendTime ?? usual
        let expDate = expDate ?? sendTime + DealRules.lifetime
        guard expDate > now else { throw .offer("it has ended already") }
        guard expDate > sendTime else { throw .offer("it ends before it begins") }
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
        guard title.isShownAndVisible else { throw Fault(.offerInvalid, notShown: "title") }
        guard content.isShownAndVisible else { throw Fault(.offerInvalid, notShown: "content") }
    }

    private func checkTargets() throws(Fault) {
        if let minAge, let maxAge, minAge > maxAge { throw .offer("'minAge' is above 'maxAge'") }
        if let minVisits, let maxVisits, minVisits > maxVisits { throw .offer("'minVisits' is above 'maxVisits'") }
        guard (targetLat == nil) == (targetLon == nil) else { throw .offer("a target is a latitude and a longitude") }
        if targetLat == nil, radiusMetres != nil { throw .offer("a radius needs a target") }
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
            guard amount.currency == .usd else { throw .offer("an amount off is in USD, as all payments are") }
        case (nil, let percent?):
            guard (1...99).contains(percent) else { throw .offer("'percent' is 1 to 99") }
        default: throw .offer("a discount is an amount or a percentage")
        }
        if let minimum, !(1...DealRules.amountMax).contains(minimum.amount) {
            throw .offer("a minimum is 1 to \(DealRules.amountMax)")
        }
        if let minimum, minimum.currency != .usd { throw .offer("a minimum is in USD, as all payments are") }
    }
}

extension Offers.Preferences {
    /// - Throws: `offers.preferences_invalid`, with what is wrong.
    func check() throws(Fault) {
        guard Set(muted).count == muted.count else { throw Fault(.preferencesInvalid, "each merchant is muted once") }
        guard quietFrom == nil, quietTo == nil else {
            throw Fault(.preferencesInvalid, "quiet hours are a setting of notifications")
        }
    }
}

extension Fault {
    fileprivate static func offer(_ why: String) -> Fault { Fault(.offerInvalid, why) }
}
