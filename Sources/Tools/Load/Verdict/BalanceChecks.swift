import Audit
import Checks
import Primitives

/// What the verdict asks about balances.
enum BalanceChecks {
    /// By what was acknowledged, whatever the ledger says.
    static func balancesMove(_ evidence: Evidence, _ lines: LedgerLines) -> MoneyVerdict.Check {
        var findings = Findings(
            "balances_add_up",
            "Each card's and merchant's balance, and that of all together, is what it was before, less or more what was "
                + "acknowledged")
        var cards = [Int64](repeating: 0, count: evidence.population.cards)
        var merchants = [Int64](repeating: 0, count: evidence.population.merchants)
        for number in 0..<evidence.journal.count {
            let intent = evidence.journal[number]
            // Another check judges unanswered operations; here they count if they were done.
            let wasDone =
                intent.outcome == .acknowledged
                || intent.outcome == .unknown && intent.kind != nil && !lines.places(ofIntent: number).isEmpty
            guard wasDone else { continue }
            for (account, change) in [(intent.payer, -Int64(intent.amount)), (intent.payee, Int64(intent.amount))] {
                switch account {
                case .card(let number): cards[number] += change
                case .merchant(let number): merchants[number] += change
                case .strangerCard, .strangerMerchant, .ledger: break
                }
            }
        }
        if evidence.isSharedSet {
            // Strangers may pay our merchants; what they paid is in the ledger under their ids.
            for place in lines.lines.indices where lines.lines[place].intent < 0 {
                if case .merchant(let number)? = lines.to(place), lines.from(place)?.isStranger == true {
                    merchants[number] += lines.amount(of: place) ?? 0
                }
            }
        }
        func compare(_ pairs: [BalancePair], _ changes: [Int64], _ kind: String) {
            if pairs.count != changes.count {
                findings.add("\(changes.count - pairs.count) \(kind)s could not be read")
            }
            for pair in pairs {
                findings.examined += 1
                let expected = pair.before + changes[pair.number]
                if pair.after != expected {
                    findings.add(
                        "\(kind) #\(pair.number) has \(dollars(pair.after)) instead of \(dollars(expected)): "
                            + "\(dollars(pair.before)) before, \(dollars(changes[pair.number])) acknowledged")
                }
            }
        }
        compare(evidence.cardBalances, cards, "card")
        compare(evidence.merchantBalances, merchants, "merchant")
        // And all together, when nobody else was there to move anything: people who are not in play have to be as they
        // were.
        if !evidence.isSharedSet {
            let (before, after) = (evidence.before, evidence.after)
            for (what, change, sum) in [
                ("cards", after.cards - before.cards, cards.reduce(0, +)),
                ("merchants", after.merchants - before.merchants, merchants.reduce(0, +))
            ] {
                findings.examined += 1
                if change != sum {
                    findings.add(
                        "all \(what) together changed by \(dollars(change)), what was acknowledged makes \(dollars(sum))"
                    )
                }
            }
        }
        return findings.check
    }

    /// By the accounts' own entries: what the holder is shown, and what each entry left.
    static func balancesFollowEntries(_ evidence: Evidence) -> MoneyVerdict.Check {
        var findings = Findings(
            "balances_follow_entries",
            "Each account's balance follows entry by entry, up to what its holder is shown")
        var sides: [AccountRef: [Int]] = [:]
        for (place, side) in evidence.sides.enumerated() { sides[side.account, default: []].append(place) }
        func follow(_ account: AccountRef, _ pair: BalancePair) {
            guard let places = sides[account] else { return }
            findings.examined += places.count
            for (newer, older) in zip(places, places.dropFirst()).map({ (evidence.sides[$0], evidence.sides[$1]) })
            where newer.entry <= older.entry {
                findings.add("\(account) shows entry \(newer.entry) as newer than entry \(older.entry)")
            }
            var balance = pair.before
            for place in places.sorted(by: { evidence.sides[$0].entry < evidence.sides[$1].entry }) {
                let side = evidence.sides[place]
                if balance + side.change != side.balance {
                    findings.add(
                        "entry \(side.entry) leaves \(account) with \(dollars(side.balance)) instead of "
                            + "\(dollars(balance + side.change))")
                }
                balance = side.balance
            }
            if balance != pair.after {
                findings.add(
                    "\(account) is shown a balance of \(dollars(pair.after)), its last entry leaves \(dollars(balance))"
                )
            }
        }
        for pair in evidence.cardBalances { follow(.card(pair.number), pair) }
        for pair in evidence.merchantBalances { follow(.merchant(pair.number), pair) }
        return findings.check
    }
}
