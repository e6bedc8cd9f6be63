import Audit
import Checks
import Primitives

/// What the verdict asks about refunds: the wallet's facts against payments' log and charges, and all of them against
/// what was asked and answered. That each refund moved its money once is in the checks of the ledger.
enum RefundChecks {
    static func all(
        _ evidence: Evidence, _ refunds: RefundEvidence, _ lines: LedgerLines
    ) -> [MoneyVerdict.Check] {
        [addUp(evidence, refunds, lines), published(evidence, refunds)]
    }

    /// Charge by charge.
    private static func addUp(
        _ evidence: Evidence, _ refunds: RefundEvidence, _ lines: LedgerLines
    ) -> MoneyVerdict.Check {
        var findings = Findings(
            "refunds_add_up",
            "Of each payment as much was paid back as was acknowledged, never more than was paid, and payments shows the "
                + "same")
        var expected = [Int64](repeating: 0, count: refunds.paid.count)
        for number in 0..<evidence.journal.count {
            let intent = evidence.journal[number]
            guard intent.kind == .refund else { continue }
            let place = lines.places(ofIntent: number).first
            // Another check judges unanswered operations; here they count if they were done.
            guard intent.outcome == .acknowledged || intent.outcome == .unknown && place != nil else { continue }
            findings.examined += 1
            expected[Int(intent.counterpart)] += Int64(intent.amount)
            guard let place, let posted = refunds.posted[lines.entry(place)] else { continue }
            let what = LedgerChecks.name(number, intent)
            let payment = refunds.paid[Int(intent.counterpart)].charge
            if posted.payment != payment {
                findings.add("\(what) was to pay back charge \(payment.hex), and paid back \(posted.payment.hex)")
            }
            if intent.outcome == .acknowledged, posted.refunded != intent.cardBalance {
                findings.add(
                    "the receipt of \(what) says that \(dollars(intent.cardBalance)) were paid back in all, entry "
                        + "\(lines.entry(place)) says \(dollars(posted.refunded))")
            }
        }
        for (place, paid) in refunds.paid.enumerated() {
            let (shown, posted) = (refunds.shown[paid.charge] ?? 0, expected[place])
            if shown != posted {
                findings.add(
                    "charge \(paid.charge.hex) shows \(dollars(shown)) as paid back, acknowledged were "
                        + dollars(posted))
            }
            if posted > Int64(paid.amount) || shown > Int64(paid.amount) {
                findings.add(
                    "of charge \(paid.charge.hex) \(dollars(max(posted, shown))) were paid back, paid were "
                        + dollars(Int64(paid.amount)))
            }
        }
        return findings.check
    }

    private struct Told: Hashable {
        let charge: ChargeID
        let refunded: Int64
    }

    /// A refund's place in the life of its charge is told by how much was paid back with it.
    private static func published(_ evidence: Evidence, _ refunds: RefundEvidence) -> MoneyVerdict.Check {
        var findings = Findings(
            "refunds_told",
            "Each refund was published to its merchant and its customer once, as the ledger has it, and no other was")
        for fault in refunds.logFaults { findings.add(fault) }
        var published: [Told: [PublishedRefund]] = [:]
        for refund in refunds.published {
            published[Told(charge: refund.charge, refunded: refund.refunded), default: []].append(refund)
        }
        let owners = Dictionary(
            refunds.paid.map { paid in
                (paid.charge, evidence.population.customer(evidence.population.owner(ofCard: paid.card)))
            }, uniquingKeysWith: { first, _ in first })
        for (entry, posted) in refunds.posted.sorted(by: { $0.key < $1.key }) {
            findings.examined += 1
            let owner = owners[posted.payment]
            if owner == nil, evidence.isSharedSet { continue }
            let what = "the refund of charge \(posted.payment.hex) (entry \(entry))"
            let told = published.removeValue(forKey: Told(charge: posted.payment, refunded: posted.refunded)) ?? []
            guard let first = told.first else {
                findings.add("lost notice: nobody was told of \(what)")
                continue
            }
            if told.count > 1 { findings.add("\(what) was told \(told.count) times") }
            if first.amount != posted.amount || first.merchant != posted.merchant
                || owner.map({ $0 != first.customer }) == true
            {
                findings.add(
                    "\(what) moved \(dollars(posted.amount)) of \(posted.merchant); told were \(dollars(first.amount)) of "
                        + "\(first.merchant), to \(owner == first.customer ? "its customer" : "another customer")")
            }
        }
        for (key, told) in published.sorted(by: { $0.key.refunded < $1.key.refunded }) {
            if evidence.isSharedSet, owners[key.charge] == nil { continue }
            findings.add(
                "\(told[0].merchant) was told that \(dollars(told[0].amount)) of charge \(key.charge.hex) were paid back, which "
                    + "the ledger does not have")
        }
        return findings.check
    }
}
