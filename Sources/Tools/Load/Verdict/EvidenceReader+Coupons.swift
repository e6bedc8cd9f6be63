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
        guard var coupons = evidence.coupons, var position = baseline.offersHead else { return }
        let expected = coupons.captures.values.count { $0.coupon != nil }
        var idle = 0
        while true {
            let head = try await bus.ask(ReadFacts<Offers>(after: Int64.max - 1, limit: 1), in: bus.patient).head
            let log = try await FactReader<Offers>.read(
                bus, after: position, through: head, progress: { progress("offers' facts", $0, $1) })
            coupons.logFaults += log.faults
            for (fact, _) in log.facts where fact.type == Offers.CouponRedeemed.type.name {
                let published = try Offers.CouponRedeemed(json: fact.data)
                coupons.redemptions.append(
                    Redemption(
                        charge: published.charge, coupon: published.coupon, customer: published.customer,
                        merchant: published.merchant,
                        discount: published.discount.amount))
            }
            idle = head > position ? 0 : idle + 1
            position = max(position, head)
            // As with payments: who does not move for so long does not lag.
            if coupons.redemptions.count >= expected || idle > 30 { break }
            try await Task.sleep(for: .milliseconds(100))
        }
        evidence.coupons = coupons
    }
}
