import Audit
import Checks
import Primitives

/// What the verdict asks about orders: ordering's facts against the receipts that were handed out. That the money moved
/// once, as the receipts say, is in the checks of the ledger.
enum OrderChecks {
    static func paidOnce(_ evidence: Evidence, _ orders: OrderEvidence, _ index: IntentIndex) -> MoneyVerdict.Check {
        var findings = Findings(
            "orders_paid",
            "Each order that was acknowledged as paid was published as paid, once, with the customer, merchant, total and "
                + "entry of its receipt, and no other was", about: "orders")
        for fault in orders.logFaults { findings.add(fault) }
        var published: [ChargeID: [PaidOrder]] = [:]
        var numbers: [AccountRef: Set<Int64>] = [:]
        for paid in orders.paid {
            published[paid.order, default: []].append(paid)
            if !numbers[paid.merchant, default: []].insert(paid.number).inserted {
                findings.add("\(paid.merchant) has two orders with the number \(paid.number)")
            }
        }
        for number in 0..<evidence.journal.count {
            let intent = evidence.journal[number]
            guard intent.scenario == orders.scenario, intent.outcome == .acknowledged else { continue }
            findings.examined += 1
            let what = "order \(intent.charge.hex) (operation \(number))"
            guard let found = published[intent.charge], let paid = found.first else {
                findings.add("lost order: \(what) was acknowledged as paid, and never published as paid")
                continue
            }
            if found.count > 1 { findings.add("\(what) was published as paid \(found.count) times") }
            let owner = evidence.population.owner(ofCard: Int(intent.card))
            if paid.merchant != .merchant(Int(intent.merchant)) || paid.total != Int64(intent.amount)
                || paid.entry != intent.entry || paid.customer != evidence.population.customer(owner)
            {
                findings.add(
                    "\(what) was paid with \(dollars(Int64(intent.amount))) as entry \(intent.entry); published were "
                        + "\(dollars(paid.total)) to \(paid.merchant) as entry \(paid.entry)")
            }
        }
        for paid in orders.paid {
            findings.examined += 1
            let intent = index[paid.order].map { evidence.journal[$0] }
            if intent == nil, evidence.isSharedSet { continue }
            // Of an unknown outcome `all_settled` tells.
            if let intent, intent.outcome != .refused { continue }
            findings.add(
                "order \(paid.order.hex) was published as paid, "
                    + (intent == nil ? "which this run did not ask for" : "and refused to its customer"))
        }
        return findings.check
    }
}
