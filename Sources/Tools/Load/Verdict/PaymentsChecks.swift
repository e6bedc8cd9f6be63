import Audit
import Checks
import Primitives

/// What the verdict asks about receipts and merchants' notices.
enum PaymentsChecks {
    /// The receipt in the customer's hand.
    static func receiptsAreTrue(_ evidence: Evidence, _ lines: LedgerLines) -> MoneyVerdict.Check {
        var findings = Findings(
            "receipts_are_true",
            "Each receipt handed out says what the ledger says: entry, amount, parties, balance")
        for number in 0..<evidence.journal.count {
            let intent = evidence.journal[number]
            guard intent.outcome == .acknowledged, intent.kind != nil else { continue }
            findings.examined += 1
            let what = LedgerChecks.name(number, intent)
            if intent.receiptDiffers {
                findings.add(
                    "the receipt of \(what) names another amount, card, merchant or charge than was asked for")
            }
            guard let place = lines.places(ofIntent: number).first(where: { lines.entry($0) == intent.entry }) else {
                findings.add("the receipt of \(what) names entry \(intent.entry), which is not this charge's")
                continue
            }
            guard intent.showsBalance else { continue }
            let card = intent.kind == .reload ? lines.credit(place) : lines.debit(place)
            if let balance = card?.balance ?? lines.fact(place)?.cardBalance, balance != intent.cardBalance {
                findings.add(
                    "the receipt of \(what) shows a wrong balance: \(dollars(intent.cardBalance)) on card "
                        + "#\(intent.card), entry \(intent.entry) leaves \(dollars(balance))")
            }
        }
        for receipt in evidence.oddReceipts.prefix(3) { findings.add("such a receipt was handed out: \(receipt)") }
        return findings.check
    }

    /// Payments' own records against the ledger, in both directions.
    static func receiptsMatchEntries(_ evidence: Evidence, _ lines: LedgerLines, _ index: IntentIndex)
        -> MoneyVerdict.Check
    {
        var findings = Findings(
            "receipts_match_entries",
            "There is one receipt for each payment in the ledger, and one payment for each receipt")
        var receipts = [UInt8](repeating: 0, count: lines.lines.count)
        var seen: Set<ChargeID> = []
        for line in evidence.charges {
            findings.examined += 1
            if !seen.insert(line.charge).inserted { findings.add("charge \(line.charge.hex) is listed twice") }
            guard line.isCaptured else {
                if line.entry != nil {
                    findings.add("charge \(line.charge.hex) is not paid, and yet names entry \(line.entry!)")
                }
                if let intent = index[line.charge], evidence.journal[intent].outcome == .acknowledged {
                    findings.add("charge \(line.charge.hex) was acknowledged as paid, and payments has it as not paid")
                }
                continue
            }
            guard let entry = line.entry, entry > lines.base, entry <= lines.base + Int64(lines.lines.count) else {
                findings.add(
                    "the receipt of charge \(line.charge.hex) names \(line.entry.map { "entry \($0)" } ?? "no entry"), which the run's ledger does not have"
                )
                continue
            }
            let place = Int(entry - lines.base - 1)
            if receipts[place] < .max { receipts[place] += 1 }
            if lines.operation(of: place) != line.charge {
                findings.add(
                    "the receipt of charge \(line.charge.hex) names entry \(entry), which is "
                        + (lines.operation(of: place)?.hex ?? "unknown"))
            } else if lines.amount(of: place) != line.amount || lines.to(place) != line.merchant
                || lines.from(place) != line.card
            {
                findings.add(
                    "the receipt of charge \(line.charge.hex) says \(dollars(line.amount)) from "
                        + "\(line.card.map(\.description) ?? "no card") to \(line.merchant), entry \(entry) moved "
                        + lines.words(place))
            }
        }
        for place in lines.lines.indices where lines.kind(of: place) == .payment {
            if evidence.isSharedSet, lines.lines[place].intent < 0 { continue }
            findings.examined += 1
            if receipts[place] == 1 { continue }
            let charge = lines.operation(of: place)?.hex ?? "?"
            findings.add(
                receipts[place] == 0
                    ? "entry \(lines.entry(place)) (charge \(charge)) has no receipt"
                    : "entry \(lines.entry(place)) (charge \(charge)) has \(receipts[place]) receipts")
        }
        return findings.check
    }

    /// The receipt that a customer asks for afterwards.
    static func receiptsCanBeRead(_ evidence: Evidence) -> MoneyVerdict.Check {
        var findings = Findings(
            "receipts_can_be_read",
            "Customers can read back the receipts of what they paid, as they paid it (\(evidence.receipts.count), by chance)"
        )
        for receipt in evidence.receipts {
            findings.examined += 1
            let intent = evidence.journal[receipt.intent]
            let what = LedgerChecks.name(receipt.intent, intent)
            if let refusal = receipt.refusal {
                findings.add("\(what) was acknowledged, and its receipt is refused: \(refusal)")
            } else if let differs = AnswerChecks.differs(receipt, from: intent) {
                findings.add("the receipt of \(what) reads otherwise than it was handed out: \(differs)")
            }
        }
        return findings.check
    }

    /// Each capture is published once, or repaired from the log, and no notice lacks a capture.
    static func notifiedMerchants(_ evidence: Evidence, _ lines: LedgerLines, _ index: IntentIndex)
        -> MoneyVerdict.Check
    {
        var findings = Findings(
            "merchants_told",
            "Merchants were told of every captured charge, once in payments' log, and of no other "
                + "(\(evidence.live.received) heard as published, \(repaired(evidence)) more read from the log)")
        for fault in evidence.paymentsLogFaults { findings.add(fault) }
        var published = [UInt8](repeating: 0, count: lines.lines.count)
        for notice in evidence.notices {
            findings.examined += 1
            if let received = evidence.live[notice.sequence], received != notice.digest {
                findings.add("notice \(notice.sequence) was published otherwise than payments' log has it")
            }
            if !notice.namesOwner {
                findings.add(
                    "notice \(notice.sequence) of charge \(notice.charge.hex) names another customer than the owner of "
                        + "\(notice.card)")
            }
            guard notice.entry > lines.base, notice.entry <= lines.base + Int64(lines.lines.count) else {
                // Strangers go on after the ledger was read.
                if evidence.isSharedSet, index[notice.charge] == nil { continue }
                findings.add(
                    "\(notice.merchant) was told of charge \(notice.charge.hex) with entry \(notice.entry), which the run's ledger does not have"
                )
                continue
            }
            let place = Int(notice.entry - lines.base - 1)
            if published[place] < .max { published[place] += 1 }
            if lines.operation(of: place) != notice.charge || lines.amount(of: place) != notice.amount
                || lines.to(place) != notice.merchant || lines.from(place) != notice.card
            {
                findings.add(
                    "\(notice.merchant) was told of charge \(notice.charge.hex), \(dollars(notice.amount)) from "
                        + "\(notice.card); entry \(notice.entry) moved \(lines.words(place)) under "
                        + (lines.operation(of: place)?.hex ?? "an unknown id"))
            }
        }
        for place in lines.lines.indices where lines.kind(of: place) == .payment {
            if evidence.isSharedSet, lines.lines[place].intent < 0 { continue }
            findings.examined += 1
            if published[place] == 1 { continue }
            let what = "charge \(lines.operation(of: place)?.hex ?? "?") (entry \(lines.entry(place)))"
            findings.add(
                published[place] == 0
                    ? "lost notice: \(lines.to(place)?.description ?? "the merchant") was never told of \(what)"
                    : "\(what) was told \(published[place]) times under different numbers")
        }
        for closure in evidence.closures {
            guard let intent = index[closure.charge], evidence.journal[intent].outcome == .acknowledged else {
                continue
            }
            findings.add(
                "\(closure.merchant) was told that charge \(closure.charge.hex) ended unpaid (\(closure.reason)), which was paid"
            )
        }
        let logged = Set(evidence.notices.map(\.sequence))
        let newest = evidence.notices.last?.sequence ?? evidence.live.after
        for (place, digest) in evidence.live.digests.enumerated() where digest != 0 {
            let sequence = evidence.live.after + 1 + Int64(place)
            if evidence.isSharedSet, sequence > newest { break }
            if !logged.contains(sequence) {
                findings.add("notice \(sequence) was published, and payments' log has none")
            }
        }
        for sequence in evidence.live.contradictions {
            findings.add("notice \(sequence) was published twice, with different words")
        }
        return findings.check
    }

    private static func repaired(_ evidence: Evidence) -> Int {
        evidence.notices.count { evidence.live[$0.sequence] == nil }
    }
}
