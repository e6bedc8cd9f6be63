import Contracts
import Primitives

/// The coupons of one run: two of each merchant, under ids of the run's own, so that no earlier one has used them up.
package struct CouponBook: Sendable {
    package enum Coupon: UInt8, Sendable, CaseIterable {
        case none
        /// For everybody, as often as they like.
        case ample
        /// For the first few.
        case scarce
    }

    /// What each takes off.
    package static let percent = 20
    /// How often one merchant's scarce one may be used in all.
    package static let scarceUses = 25
    /// More than any run can use: what offers allow at most.
    static let ampleUses = 1_000_000_000

    private let ids: Numbering
    private let merchants: Int

    package init(of population: Population, run: UInt32) {
        ids = Numbering("load/\(population.name)/coupon/\(run)")
        merchants = population.merchants
    }

    /// Nil for none.
    package func id(_ coupon: Coupon, of merchant: Int) -> OfferID? {
        coupon == .none ? nil : ids.id(UInt64(merchant * 2 + Int(coupon.rawValue) - 1))
    }

    /// Which one it is, and whose; nil for one that is not of this run.
    package func coupon(_ id: OfferID) -> (coupon: Coupon, merchant: Int)? {
        guard let number = ids.number(of: id), number < UInt64(2 * merchants),
            let coupon = Coupon(rawValue: UInt8(number % 2) + 1)
        else { return nil }
        return (coupon, Int(number / 2))
    }

    /// Minor units: half up, at least one, and never all of it.
    package func discount(_ coupon: Coupon, off amount: Int) -> Int {
        coupon == .none ? 0 : min(max(1, (amount * Self.percent + 50) / 100), amount - 1)
    }

    func terms(_ coupon: Coupon, ending: Timestamp) -> Offers.Terms {
        Offers.Terms(
            title: "Load test: \(Self.percent) % off", content: "A coupon of a load test's run", expDate: ending,
            discount: Offers.Discount(percent: Self.percent), usesPerCustomer: Self.ampleUses,
            usesInAll: coupon == .scarce ? Self.scarceUses : nil)
    }
}
