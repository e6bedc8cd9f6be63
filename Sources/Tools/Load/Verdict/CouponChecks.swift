import Audit
import Checks
import Primitives

/// What the verdict asks about coupons: payments' facts against those of offers, and both against what the generator
/// was told. Each function is one check, on its own. That the money moved as it was paid is in the checks of the
/// ledger.
enum CouponChecks {
    private static let subject = "coupons"

    static func all(_ evidence: Evidence, _ coupons: CouponEvidence) -> [MoneyVerdict.Check] {
        [
            redeemedOnce(evidence, coupons), discountsRight(evidence, coupons), limitsKept(evidence, coupons),
            notifiedCustomers(evidence, coupons)
        ]
    }

    // MARK: Payments' log against that of offers

    private static func redeemedOnce(_ evidence: Evidence, _ coupons: CouponEvidence) -> MoneyVerdict.Check {
        var findings = Findings(
            "coupons_redeemed",
            "The coupon of each captured charge was redeemed, once, for that charge, customer, merchant and discount, and no "
                + "other was", about: subject)
        for fault in coupons.logFaults { findings.add(fault) }
        var redeemed: [ChargeID: [Redemption]] = [:]
        for redemption in coupons.redemptions { redeemed[redemption.charge, default: []].append(redemption) }
        for (charge, capture) in coupons.captures.sorted(by: { $0.value.order < $1.value.order }) {
            guard let coupon = capture.coupon else { continue }
            findings.examined += 1
            let published = redeemed[charge, default: []]
            guard let first = published.first else {
                findings.add(
                    "lost redemption: charge \(charge.hex) was captured with \(words(coupon, coupons)), which was never "
                        + "redeemed")
                continue
            }
            if published.count > 1 {
                findings.add("charge \(charge.hex) redeemed \(published.count) coupons")
            }
            let expected = Redemption(
                charge: charge, coupon: coupon, customer: capture.customer, merchant: capture.merchant,
                discount: capture.discount)
            if first != expected {
                findings.add(
                    "charge \(charge.hex) was captured with \(words(coupon, coupons)) and \(dollars(capture.discount)) "
                        + "off; redeemed was \(words(first.coupon, coupons)) with \(dollars(first.discount)), "
                        + (first.customer == capture.customer && first.merchant == capture.merchant
                            ? "by the same" : "by others"))
            }
        }
        for redemption in coupons.redemptions {
            findings.examined += 1
            guard coupons.captures[redemption.charge]?.coupon == nil else { continue }
            if evidence.isSharedSet, coupons.book.coupon(redemption.coupon) == nil { continue }
            findings.add(
                "\(words(redemption.coupon, coupons)) was redeemed for charge \(redemption.charge.hex), which "
                    + (coupons.captures[redemption.charge] == nil ? "is not captured" : "was captured without one"))
        }
        return findings.check
    }

    // MARK: What was promised

    private static func discountsRight(_ evidence: Evidence, _ coupons: CouponEvidence) -> MoneyVerdict.Check {
        var findings = Findings(
            "discounts_right",
            "Each charge was captured with the coupon that was shown, for what was asked less what that takes off",
            about: subject)
        for number in 0..<evidence.journal.count {
            let intent = evidence.journal[number]
            guard intent.outcome == .acknowledged, intent.kind == .payment else { continue }
            // What is in no log is said elsewhere.
            guard let capture = coupons.captures[intent.charge] else { continue }
            findings.examined += 1
            let what = LedgerChecks.name(number, intent)
            let asked = Int(intent.amount) + Int(intent.discount)
            let expected = coupons.book.id(intent.coupon, of: Int(intent.merchant))
            if capture.coupon != expected {
                findings.add(
                    "\(what) was paid with \(expected.map { words($0, coupons) } ?? "no coupon"), and captured with "
                        + (capture.coupon.map { words($0, coupons) } ?? "none"))
                continue
            }
            let discount = Int64(coupons.book.discount(intent.coupon, off: asked))
            if capture.discount != discount || capture.amount != Int64(asked) - discount {
                findings.add(
                    "\(what): \(dollars(Int64(asked))) were asked for, which \(dollars(discount)) come off; captured were "
                        + "\(dollars(capture.amount)) with \(dollars(capture.discount)) off")
            }
        }
        return findings.check
    }

    private static func limitsKept(_ evidence: Evidence, _ coupons: CouponEvidence) -> MoneyVerdict.Check {
        let limit = CouponBook.scarceUses
        var findings = Findings(
            "coupon_limits_kept",
            "No coupon was used more often than it may be (\(limit) times, of one in eight), and nobody was turned away before",
            about: subject)
        var captured: [OfferID: Int] = [:]
        var redeemed: [OfferID: Int] = [:]
        for capture in coupons.captures.values { if let coupon = capture.coupon { captured[coupon, default: 0] += 1 } }
        for redemption in coupons.redemptions { redeemed[redemption.coupon, default: 0] += 1 }
        var turnedAway: Set<Int> = []
        var unsettled: Set<Int> = []
        for number in 0..<evidence.journal.count where isCharge(evidence.journal[number]) {
            let intent = evidence.journal[number]
            // A reservation of one whose end is not known may still be open.
            if intent.outcome != .acknowledged { unsettled.insert(Int(intent.merchant)) }
            if intent.outcome == .acknowledged, intent.coupon == .none { turnedAway.insert(Int(intent.merchant)) }
        }
        for merchant in 0..<evidence.population.merchants {
            guard let scarce = coupons.book.id(.scarce, of: merchant) else { continue }
            findings.examined += 1
            for (verb, count) in [
                ("paid with", captured[scarce, default: 0]), ("redeemed", redeemed[scarce, default: 0])
            ]
            where count > limit {
                findings.add("\(words(scarce, coupons)) was \(verb) \(count) times, and may be used \(limit) times")
            }
            if turnedAway.contains(merchant), !unsettled.contains(merchant), captured[scarce, default: 0] < limit {
                findings.add(
                    "somebody was told that \(words(scarce, coupons)) is used up, and it was paid with "
                        + "\(captured[scarce, default: 0]) times of \(limit)")
            }
        }
        return findings.check
    }

    private static func notifiedCustomers(_ evidence: Evidence, _ coupons: CouponEvidence) -> MoneyVerdict.Check {
        var findings = Findings(
            "customers_told",
            "The customer was told once of each charge that waited for approval, with what was asked for",
            about: subject)
        var published: [ChargeID: [ChargeRequest]] = [:]
        for request in coupons.requests { published[request.charge, default: []].append(request) }
        for number in 0..<evidence.journal.count {
            let intent = evidence.journal[number]
            guard isCharge(intent), intent.outcome == .acknowledged else { continue }
            findings.examined += 1
            let what = LedgerChecks.name(number, intent)
            let requests = published[intent.charge, default: []]
            guard let request = requests.first, requests.count == 1 else {
                findings.add("the customer was told \(requests.count) times of \(what)")
                continue
            }
            let population = evidence.population
            if request.customer != population.customer(population.owner(ofCard: Int(intent.card)))
                || request.merchant != population.merchant(Int(intent.merchant))
                || request.amount != Int64(intent.amount) + Int64(intent.discount)
            {
                findings.add("somebody was told of \(what) with another amount, customer or merchant than asked for")
            }
            if coupons.captures[intent.charge]?.isRequested == false {
                findings.add("\(what) is told of as captured without having been requested")
            }
        }
        return findings.check
    }

    // MARK: Words

    private static let scenario = ScenarioList.names.firstIndex(of: ChargeScenario(withCoupon: true).name)

    private static func isCharge(_ intent: Intent) -> Bool {
        intent.kind == .payment && Int(intent.scenario) == scenario
    }

    /// "the scarce coupon of merchant #3"
    private static func words(_ id: OfferID, _ coupons: CouponEvidence) -> String {
        guard let known = coupons.book.coupon(id) else { return "coupon \(id.hex), not of this run," }
        return "the \(known.coupon == .scarce ? "scarce" : "ample") coupon of merchant #\(known.merchant)"
    }
}
