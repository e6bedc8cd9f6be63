import Audit
import Bus
import Contracts
import Primitives

extension EvidenceReader {
    func readRequest(_ fact: Envelope, into evidence: inout Evidence) throws {
        guard evidence.coupons != nil else { return }
        let published = try Payments.ChargeRequested(json: fact.data)
        evidence.coupons?.requests.append(
            ChargeRequest(
                charge: published.charge, customer: published.customer, merchant: published.merchant,
                amount: published.amount.amount))
    }

    func readCapture(_ fact: Envelope, into evidence: inout Evidence) throws {
        guard evidence.coupons != nil else { return }
        let published = try Payments.ChargeCaptured(json: fact.data)
        evidence.coupons?.captures[published.charge] = CouponCapture(
            order: fact.sequence ?? 0, customer: published.customer, merchant: published.merchant,
            amount: published.amount.amount,
            coupon: published.coupon,
            discount: published.discount?.amount ?? 0, isRequested: published.requested ?? false)
    }

    /// Reads what was redeemed, once offers has worked off payments' facts.
    func readRedemptions(into evidence: inout Evidence, _ progress: Progress) async throws {
        guard var coupons = evidence.coupons, let start = baseline.offersHead else { return }
        let expected = coupons.captures.values.count { $0.coupon != nil }
        let log = try await facts(
            Offers.CouponRedeemed.self, of: Offers.self, after: start, expecting: expected, progress)
        coupons.logFaults = log.faults
        coupons.redemptions = log.facts.map { published in
            Redemption(
                charge: published.charge, coupon: published.coupon, customer: published.customer,
                merchant: published.merchant, discount: published.discount.amount)
        }
        evidence.coupons = coupons
    }
}
