import Bus
import Contracts
import Foundation
import Primitives
import TestKit
import Testing
import WalletService
import Wire

/// Thousands of random operations, valid and not, repeated and reused, in groups of any size, against `LedgerModel`.
@Suite("A82: random operations")
struct PropertyTests {
    /// Set `BILLFOLD_SEED` to run one seed again.
    private static let seed =
        ProcessInfo.processInfo.environment["BILLFOLD_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1 << 32)

    @Test("the ledger does what the model does, and its sums are zero after every group", arguments: StoreKind.allCases)
    func model(kind: StoreKind) throws {
        print("seed \(Self.seed) (BILLFOLD_SEED)")
        var random = SeededGenerator(Self.seed)
        let wallet = try WalletHarness(kind)
        var model = LedgerModel()
        var asked: [any Ask] = []

        for group in 0..<150 {
            wallet.clock.advance(.milliseconds(Int64.random(in: 0...3000, using: &random)))
            let asks = (0..<Int.random(in: 1...40, using: &random)).map { _ -> any Ask in
                // One in six is an earlier ask, word for word.
                if let repeated = asked.randomElement(using: &random), Int.random(in: 0..<6, using: &random) == 0 {
                    return repeated
                }
                return randomAsk(at: wallet.clock.now, &random)
            }
            asked += asks
            let expected = asks.map { model.answer($0, at: wallet.clock.now) }
            let outcomes = wallet.batch(asks.map { wallet.inbound(opened: $0) })
            for (index, outcome) in outcomes.enumerated() {
                let answer = try Self.answer(outcome)
                try #require(answer == expected[index], "seed \(Self.seed), group \(group): \(asks[index])")
            }
            if group % 3 == 0 {
                model.expireHolds(at: wallet.clock.now)
                wallet.answering.expireHolds()
            }
            try compare(wallet, model, "seed \(Self.seed), group \(group)")
        }
        #expect(try wallet.problems(stretch: 100).isEmpty)
        #expect(try wallet.facts(limit: 1).head == Int64(wallet.facts.all.count))
        try replayAll(wallet, asked, model)
    }

    @Test("the random operations reach every refusal, or the test above is blind")
    func reach() {
        var random = SeededGenerator(1)
        var model = LedgerModel()
        var now = WalletHarness.start
        var met: Set<String> = []
        for _ in 0..<6000 {
            now = now + .milliseconds(75)
            if case .refused(let code, _) = model.answer(randomAsk(at: now, &random), at: now) { met.insert(code.code) }
        }
        let kept: [FaultCode] = [
            .insufficientFunds, .cardNotFound, .noCard, .accountNotFound, .amountInvalid, .idReused, .paymentClosed,
            .paymentPosted, .holdNotFound, .holdCaptured, .holdVoided, .holdExpired, .paymentNotFound,
            .refundTooLarge, .selfTransfer, .cardTaken
        ]
        #expect(Set(kept.map(\.code)).subtracting(met).isEmpty)
    }

    /// Everything asked once more gets its first answer and moves nothing.
    private func replayAll(_ wallet: WalletHarness, _ asked: [any Ask], _ model: LedgerModel) throws {
        let before = try wallet.ledger()
        var again = model
        for ask in asked where !(ask is Wallet.ChooseCard) {
            let expected = again.answer(ask, at: wallet.clock.now)
            let answer = try Self.answer(wallet.batch([wallet.inbound(opened: ask)])[0])
            try #require(answer == expected, "seed \(Self.seed): \(ask)")
        }
        #expect(try wallet.ledger() == before)
    }

    private func compare(_ wallet: WalletHarness, _ model: LedgerModel, _ comment: String) throws {
        let sums = try wallet.ledger()
        try #require(sums.total == Money(0), "\(comment)")
        try #require(sums.entries == model.entries, "\(comment)")
        try #require(sums.sequence == model.facts, "\(comment)")
        try #require(wallet.facts.all.count == Int(model.facts), "\(comment)")
        let balances = sums.accounts.map(\.balance.amount)
        try #require(
            balances == [
                model.cards.values.reduce(0) { $0 + $1.balance }, model.merchants.values.reduce(0, +),
                -model.fundingOut, -model.issuingOut
            ], "\(comment)")
        try #require(sums.held.amount == model.cards.values.reduce(0) { $0 + $1.held }, "\(comment)")
        for (id, card) in model.cards {
            let view = try wallet.card(id, of: card.owner)
            try #require(view.balance.amount == card.balance && card.balance >= 0, "\(comment)")
            try #require(view.available.amount == card.balance - card.held, "\(comment)")
            try #require(view.isDefault == (model.defaults[card.owner] == id), "\(comment)")
        }
        for (merchant, balance) in model.merchants {
            try #require(try wallet.balanceMinor(merchant) == balance, "\(comment)")
        }
    }

    private static func answer(_ outcome: Outcome) throws -> LedgerModel.Answer {
        switch outcome {
        case .fault(let fault): return .refused(fault.code, replayed: fault.replayed)
        case .reply(let json):
            let reply = try JSONValue(parsing: json)
            return .done(replayed: reply["replayed"] == .bool(true))
        }
    }

    // MARK: Asks

    /// Few customers, cards and ids, so that they meet.
    private func randomAsk(at now: Timestamp, _ random: inout SeededGenerator) -> any Ask {
        func pick(_ count: UInt64) -> UInt64 { UInt64.random(in: 1...count, using: &random) }
        let customer = PartyID.test(pick(4))
        let merchant = PartyID.test(10 + pick(3))
        let card: CardID? = pick(3) == 1 ? nil : .test(100 + pick(10))
        let amounts: [Int64] = [150, 150, 1, 1650, 700, 3, Int64(pick(2000)), 0, -5, 100_000_000, 100_000_001]
        let amount = Money(amounts[Int(pick(UInt64(amounts.count))) - 1])
        let small: Money? = pick(3) == 1 ? nil : Money(Int64(pick(300)))
        // Payments, captures and holds each from a range of their own, and sometimes from another's.
        func id<Subject>(_ base: UInt64) -> Identifier<Subject> { .test((pick(25) == 1 ? 1000 : base) + pick(500)) }
        // Thirty holds in twenty seconds, so that many are met while they are open.
        let window = UInt64((now.milliseconds - WalletHarness.start.milliseconds) / 20_000)
        func hold() -> OperationID { .test(10_000 + window * 30 + pick(30)) }
        func holder() -> Wallet.Holder {
            pick(3) == 1
                ? Wallet.Holder(party: .test(10 + pick(3)), role: .merchant)
                : Wallet.Holder(
                    party: .test(pick(4)), role: .customer, card: pick(4) == 1 ? .test(100 + pick(10)) : nil)
        }
        switch pick(26) {
        case 1:
            return Wallet.AddCard(
                card: .test(100 + pick(10)), customer: customer, number: digits(Int(pick(12)), 16), code: "12345678")
        case 2: return Wallet.OpenAccount(merchant: merchant)
        case 3: return Wallet.ChooseCard(customer: customer, card: .test(100 + pick(10)))
        case 4, 5: return Wallet.ReloadCard(operation: id(2000), customer: customer, card: card, amount: amount)
        case 6, 7:
            let reason = Wallet.CloseReason.allCases[Int(pick(3)) - 1]
            return Wallet.ClosePayment(payment: id(1000), reason: reason)
        case 8, 9, 10:
            return Wallet.PlaceHold(
                hold: hold(), customer: customer, card: card, merchant: merchant, amount: small ?? amount,
                expires: now + .milliseconds(Int64(pick(20_000)) - 500))
        case 11, 12: return Wallet.CaptureHold(operation: id(4000), hold: hold(), amount: small)
        case 13, 14: return Wallet.VoidHold(operation: id(5000), hold: hold())
        case 15, 16, 17:
            return Wallet.PostRefund(
                operation: id(6000), payment: pick(4) == 1 ? id(4000) : id(1000), merchant: merchant, amount: small)
        case 18, 19:
            return Wallet.PostTransfer(
                operation: id(7000), from: holder(), to: holder(), amount: small ?? amount, memo: "")
        default:
            return Wallet.PostPayment(
                payment: id(1000), customer: customer, card: card, merchant: merchant, amount: amount, memo: "m",
                attempt: pick(5) == 1 ? .test(pick(3)) : nil)
        }
    }
}

extension WalletHarness {
    fileprivate func inbound(opened ask: any Ask) -> Inbound { inbound(ask) }
}

/// SplitMix64: the same numbers for the same seed, everywhere.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
