import Audit
import Checks
import Primitives

/// What the verdict asks about the ledger itself. Each function is one check, on its own.
enum LedgerChecks {
    static func acknowledgedOnce(_ evidence: Evidence, _ lines: LedgerLines) -> MoneyVerdict.Check {
        var findings = Findings(
            "acknowledged_once",
            "Every acknowledged payment, refund, transfer and reload is in the ledger exactly once, with the amount and "
                + "accounts asked for")
        for number in 0..<evidence.journal.count {
            let intent = evidence.journal[number]
            guard intent.outcome == .acknowledged, intent.kind != nil else { continue }
            findings.examined += 1
            let what = name(number, intent)
            let places = lines.places(ofIntent: number)
            guard let place = places.first else {
                findings.add("\(what) was acknowledged with entry \(intent.entry) and is not in the ledger")
                continue
            }
            if places.count > 1 {
                findings.add(
                    "\(what) \(intent.kind == .payment ? "captured" : "posted") "
                        + "\(places.count == 2 ? "twice" : "\(places.count) times"): "
                        + entryList(places.map(lines.entry)) + ", \(dollars(Int64(intent.amount))) each asked for once")
            }
            for place in places.count > 1 ? places : [place] { compare(number, intent, what, lines, place, &findings) }
        }
        return findings.check
    }

    private static func compare(
        _ number: Int, _ intent: Intent, _ what: String, _ lines: LedgerLines, _ place: Int, _ findings: inout Findings
    ) {
        let entry = lines.entry(place)
        if let amount = lines.amount(of: place), amount != Int64(intent.amount) {
            findings.add(
                "\(what) was captured with the wrong amount: entry \(entry) moves \(dollars(amount)) instead of "
                    + dollars(Int64(intent.amount)))
        }
        if let memo = lines.memo(of: place), memo != number {
            findings.add("\(what) is entry \(entry), whose memo says that it is operation \(memo)")
        }
        if let payer = lines.from(place), payer != intent.payer {
            findings.add(
                "\(what) was taken from the wrong account: entry \(entry) takes it from \(payer), not "
                    + "\(intent.payer)")
        }
        if let payee = lines.to(place), payee != intent.payee {
            findings.add(
                "\(what) went to the wrong account: entry \(entry) gives it to \(payee), not \(intent.payee)")
        }
        if lines.kind(of: place) != intent.kind {
            findings.add("\(what) is entry \(entry), which is of another kind")
        }
    }

    static func nothingElseMoved(_ evidence: Evidence, _ lines: LedgerLines) -> MoneyVerdict.Check {
        var findings = Findings(
            "nothing_else_moved", "Every entry made during the run belongs to something that the run asked for")
        for place in lines.lines.indices {
            findings.examined += 1
            let line = lines.lines[place]
            if evidence.isSharedSet, line.intent < 0, lines.isOfStrangers(place) { continue }
            guard let operation = lines.operation(of: place) else {
                findings.add(
                    "entry \(lines.entry(place)) is in the ledger's count, but no account in play has it and no fact "
                        + "tells of it")
                continue
            }
            if line.intent < 0 {
                findings.add(
                    "entry \(lines.entry(place)) moved \(lines.words(place)) under \(operation.hex), which this run did "
                        + "not ask for")
            } else if !line.bearsID {
                let intent = evidence.journal[Int(line.intent)]
                // Refused and unknown ones have their own check, and over HTTP no id to compare with.
                guard intent.outcome == .acknowledged else { continue }
                findings.add(
                    "entry \(lines.entry(place)) moved \(lines.words(place)) under \(operation.hex), a second id for "
                        + name(Int(line.intent), intent))
            }
        }
        for entry in lines.outside.prefix(Findings.keptMax) {
            findings.add("entry \(entry) is told of as made during the run, but lies outside its entries")
        }
        return findings.check
    }

    static func refusedNeverMoved(_ evidence: Evidence, _ lines: LedgerLines) -> MoneyVerdict.Check {
        var findings = Findings("refused_never_moved", "Nothing moved for what was refused")
        for number in 0..<evidence.journal.count {
            let intent = evidence.journal[number]
            guard intent.outcome == .refused else { continue }
            findings.examined += 1
            for place in lines.places(ofIntent: number) {
                findings.add(
                    "\(name(number, intent)) was refused (\(evidence.codes.code(intent.code))), and yet entry "
                        + "\(lines.entry(place)) moved \(lines.words(place))")
            }
        }
        return findings.check
    }

    static func allSettled(_ evidence: Evidence, _ lines: LedgerLines) -> MoneyVerdict.Check {
        var findings = Findings("all_settled", "The outcome of every operation is known")
        for number in 0..<evidence.journal.count {
            let intent = evidence.journal[number]
            findings.examined += 1
            guard intent.outcome == .unknown else { continue }
            if intent.kind == nil {
                findings.add("operation \(number) got no final answer (last: \(evidence.codes.code(intent.code)))")
                continue
            }
            let places = lines.places(ofIntent: number)
            let fate =
                places.isEmpty ? "is not in the ledger" : "is in the ledger as \(entryList(places.map(lines.entry)))"
            findings.add(
                "operation \(number) got no final answer (last: \(evidence.codes.code(intent.code))) and \(fate)")
        }
        return findings.check
    }

    /// The facts against the accounts' own entries: two ways to the same ledger.
    static func factsMatchEntries(_ evidence: Evidence, _ lines: LedgerLines) -> MoneyVerdict.Check {
        let isSampled = evidence.cardsWalked < evidence.cardsInPlay
        var findings = Findings(
            "facts_match_entries",
            isSampled
                ? "The wallet's facts and the accounts' own entries say the same (all merchants and "
                    + "\(evidence.cardsWalked) of \(evidence.cardsInPlay) cards, by chance)"
                : "The wallet's facts and the accounts' own entries say the same (all accounts in play)")
        for fault in evidence.walletLogFaults { findings.add(fault) }
        for place in lines.lines.indices {
            findings.examined += 1
            let entry = lines.entry(place)
            let (fact, debit, credit) = (lines.fact(place), lines.debit(place), lines.credit(place))
            if evidence.isSharedSet, lines.isOfStrangers(place) { continue }
            if lines.lines[place].extra > 0 { findings.add("entry \(entry) is told of more than once") }
            guard let fact else {
                if debit != nil || credit != nil {
                    findings.add("no fact tells of entry \(entry), \(lines.words(place))")
                }
                continue
            }
            if !fact.namesOwner {
                findings.add("the fact of entry \(entry) names another customer than its card's owner")
            }
            for (account, side) in [(fact.from, debit), (fact.to, credit)] where side == nil {
                switch account {
                case .merchant: findings.add("entry \(entry) is missing at \(account)")
                case .card where !isSampled: findings.add("entry \(entry) is missing at \(account)")
                default: break
                }
            }
            for side in [debit, credit].compactMap(\.self) {
                let expected = side.change < 0 ? (fact.from, -fact.amount) : (fact.to, fact.amount)
                if side.operation != fact.operation {
                    findings.add(
                        "entry \(entry) is \(side.operation.hex) at \(side.account), and \(fact.operation.hex) in its fact"
                    )
                }
                if side.account != expected.0 || side.change != expected.1 {
                    findings.add(
                        "entry \(entry) changes \(side.account) by \(dollars(side.change)), its fact says "
                            + "\(expected.0) by \(dollars(expected.1))")
                }
                // The receiver's balance is nobody's business but the receiver's.
                if fact.kind == .transfer, side.change > 0 { continue }
                if case .card = side.account, side.balance != fact.cardBalance {
                    findings.add(
                        "entry \(entry) leaves \(side.account) with \(dollars(side.balance)), its fact says "
                            + dollars(fact.cardBalance))
                }
            }
        }
        return findings.check
    }

    static func sumIsZero(_ evidence: Evidence) -> MoneyVerdict.Check {
        var findings = Findings("sum_is_zero", "The sum over all accounts is zero, before and after")
        for (when, sums) in [("before", evidence.before), ("after", evidence.after)] {
            findings.examined += 1
            let added = sums.cards + sums.merchants + sums.others
            if sums.total != 0 { findings.add("\(when) the run the accounts add up to \(dollars(sums.total))") }
            if added != sums.total {
                findings.add(
                    "\(when) the run the kinds of account add up to \(dollars(added)), the total is \(dollars(sums.total))"
                )
            }
        }
        return findings.check
    }

    static func chainIntact(_ evidence: Evidence) -> MoneyVerdict.Check {
        let from = evidence.verification.fromEntry
        var findings = Findings(
            "chain_intact",
            "The ledger's hash chain is intact and every account equals its last entry "
                + (from == 0 ? "(the whole ledger)" : "(entries behind \(from); all accounts)"))
        findings.examined = Int(evidence.verification.checked)
        for problem in evidence.verification.problems { findings.add(problem) }
        let expected = evidence.after.entries - from
        if evidence.verification.checked < expected {
            findings.add("the wallet checked \(evidence.verification.checked) of \(expected) entries")
        }
        return findings.check
    }

    /// "charge 01ab…" as findings name it: by its whole id, and by its number in the run where it has none.
    static func name(_ number: Int, _ intent: Intent) -> String {
        let kind =
            switch intent.kind {
            case .reload: "reload"
            case .refund: "refund"
            case .transfer: "transfer"
            case .payment, .other, nil: "charge"
            }
        return intent.charge.high == 0 && intent.charge.low == 0
            ? "operation \(number)" : "\(kind) \(intent.charge.hex) (operation \(number))"
    }
}

extension Intent {
    /// Where its money comes from.
    var payer: AccountRef {
        switch kind {
        case .payment, .transfer: .card(Int(card))
        case .refund: .merchant(Int(merchant))
        case .reload, .other, nil: .ledger
        }
    }

    /// Where its money goes.
    var payee: AccountRef {
        switch kind {
        case .payment: .merchant(Int(merchant))
        case .transfer: .card(Int(counterpart))
        case .reload, .refund: .card(Int(card))
        case .other, nil: .ledger
        }
    }

    /// The account that is not its card.
    var otherAccount: AccountRef { kind?.debitsCard == true ? payee : payer }
}
