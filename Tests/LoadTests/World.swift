import Audit
import Checks
import Load
import LoadReport
import Primitives

/// A small run in which everything is right: ten payments, one refusal and one reload, as every witness tells of them.
/// Tests take a copy and falsify it.
struct World {
    static let people = Population(name: "world", customers: 3, cardsEach: 1, merchants: 2)
    static let base: Int64 = 100

    var evidence: Evidence

    /// Charges by intent: 0 to 9 are payments, 10 was refused, 11 is a reload.
    static func charge(_ number: Int) -> ChargeID { ChargeID(high: 0xABCD, low: UInt64(number + 1)) }
    static func entry(_ number: Int) -> Int64 { base + 1 + Int64(number == 11 ? 10 : number) }
    static func card(_ number: Int) -> Int { number % 3 }
    static func merchant(_ number: Int) -> Int { number % 2 }
    static func amount(_ number: Int) -> Int64 { number == 11 ? 500 : Int64(10 + number) }

    init() {
        let codes = CodeTable()
        let refusal = codes.number(of: "wallet.insufficient_funds")
        let journal = Journal()
        var cards: [Int64] = [1000, 1000, 1000]
        var merchants: [Int64] = [50, 50]
        var evidence = Evidence(journal: journal, codes: codes, population: Self.people)
        evidence.cardsInPlay = 3
        evidence.cardsWalked = 3
        var live = ReceivedNotices(after: 40)
        for number in 0..<12 {
            var intent = Intent()
            intent.charge = Self.charge(number)
            intent.card = UInt32(Self.card(number))
            intent.merchant = UInt32(Self.merchant(number))
            intent.amount = UInt32(Self.amount(number))
            if number == 10 {
                // More than the card can have had.
                intent.amount = 2000
                intent.outcome = .refused
                intent.code = refusal
                journal.append(intent)
                continue
            }
            let (card, merchant, amount) = (Self.card(number), Self.merchant(number), Self.amount(number))
            let isReload = number == 11
            intent.kind = isReload ? .reload : .payment
            intent.isAside = isReload
            cards[card] += isReload ? amount : -amount
            intent.outcome = .acknowledged
            intent.entry = Self.entry(number)
            intent.cardBalance = cards[card]
            journal.append(intent)
            let kind: MovementKind = isReload ? .reload : .payment
            let memo = isReload ? nil : number
            evidence.movements.append(
                Movement(
                    sequence: 200 + Int64(number), entry: intent.entry, kind: kind, operation: intent.charge,
                    from: isReload ? .ledger : .card(card),
                    to: isReload ? .card(card) : .merchant(merchant),
                    amount: amount, cardBalance: cards[card], memoNumber: memo))
            evidence.sides.append(
                EntrySide(
                    account: .card(card), entry: intent.entry, kind: kind, operation: intent.charge,
                    change: isReload ? amount : -amount, balance: cards[card], memoNumber: memo))
            if isReload { continue }
            merchants[merchant] += amount
            evidence.sides.append(
                EntrySide(
                    account: .merchant(merchant), entry: intent.entry, kind: kind, operation: intent.charge,
                    change: amount, balance: merchants[merchant], memoNumber: memo))
            evidence.charges.append(
                ChargeLine(
                    charge: intent.charge, isCaptured: true, merchant: .merchant(merchant), card: .card(card),
                    amount: amount, entry: intent.entry, memoNumber: memo))
            evidence.receipts.append(
                ReceiptRead(
                    intent: number, refusal: nil, merchant: .merchant(merchant), card: .card(card), amount: amount,
                    entry: intent.entry, cardBalance: cards[card]))
            evidence.repeats.append(RepeatRead(evidence.receipts.last!, isReplay: true))
            let sequence = 41 + Int64(number)
            evidence.notices.append(
                Notice(
                    sequence: sequence, charge: intent.charge, merchant: .merchant(merchant), card: .card(card),
                    amount: amount, entry: intent.entry, digest: UInt64(1000 + number)))
            live.receive(sequence, digest: UInt64(1000 + number))
        }
        evidence.live = live
        evidence.sides.reverse()  // newest first
        evidence.cardBalances = (0..<3).map { BalancePair(number: $0, before: 1000, after: cards[$0]) }
        evidence.merchantBalances = (0..<2).map { BalancePair(number: $0, before: 50, after: merchants[$0]) }
        evidence.before.cards = 3000
        evidence.before.merchants = 100
        evidence.before.others = -3100
        evidence.before.entries = Self.base
        evidence.after.cards = cards.reduce(0, +)
        evidence.after.merchants = merchants.reduce(0, +)
        evidence.after.others = -3600
        evidence.after.entries = Self.base + 11
        evidence.verification.checked = Self.base + 11
        self.evidence = evidence
    }

    /// What a movement that nobody acknowledged leaves in every honest witness.
    mutating func move(
        _ charge: ChargeID, card: Int, merchant: Int, amount: Int64, memo: Int?, receipt: Bool = true,
        notice: Bool = true
    ) {
        evidence.after.entries += 1
        evidence.verification.checked += 1
        let entry = evidence.after.entries
        evidence.cardBalances[card].after -= amount
        evidence.merchantBalances[merchant].after += amount
        evidence.after.cards -= amount
        evidence.after.merchants += amount
        evidence.movements.append(
            Movement(
                sequence: 300, entry: entry, kind: .payment, operation: charge, from: .card(card),
                to: .merchant(merchant),
                amount: amount, cardBalance: evidence.cardBalances[card].after, memoNumber: memo))
        evidence.sides.insert(
            EntrySide(
                account: .card(card), entry: entry, kind: .payment, operation: charge, change: -amount,
                balance: evidence.cardBalances[card].after, memoNumber: memo), at: 0)
        evidence.sides.insert(
            EntrySide(
                account: .merchant(merchant), entry: entry, kind: .payment, operation: charge, change: amount,
                balance: evidence.merchantBalances[merchant].after, memoNumber: memo), at: 0)
        if receipt {
            evidence.charges.append(
                ChargeLine(
                    charge: charge, isCaptured: true, merchant: .merchant(merchant), card: .card(card), amount: amount,
                    entry: entry, memoNumber: memo))
        }
        if notice {
            evidence.notices.append(
                Notice(
                    sequence: 90 + entry, charge: charge, merchant: .merchant(merchant), card: .card(card),
                    amount: amount, entry: entry, digest: 7))
        }
    }

    var verdict: MoneyVerdict { Verdict.reach(evidence) }

    /// Names of the checks that fail, in their order.
    var failed: [String] { verdict.checks.filter { !$0.passed }.map(\.name) }

    /// All that one check has found.
    func findings(_ check: String) -> String {
        verdict.checks.first { $0.name == check }?.findings.joined(separator: "\n") ?? ""
    }
}
