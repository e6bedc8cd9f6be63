import Bus
import Contracts
import PaymentsService
import Primitives
import TestKit
import Testing

/// Everybody answers at once, over and over. The seed chooses who asks what and when they give way to each other; the
/// scheduler adds to that. Whatever comes of it, wallet and store agree in the end.
@Suite("races (A32)")
struct RaceTests {
    private struct Attempt: Sendable {
        let charge: ChargeID
        let answer: Answer
        let yields: Int
    }

    private static let charges = 60

    @Test(
        "whoever is first, wallet and store agree on every charge", arguments: [1, 2, 3, 4, 5, 6] as [UInt64],
        StoreKind.allCases)
    func agree(seed: UInt64, kind: StoreKind) async throws {
        var random = SplitMix64(state: seed)
        let payments = try PaymentsHarness(kind, rules: ChargeRules(waitingMax: Self.charges))
        let ids = (1...UInt64(Self.charges)).map { ChargeID.test($0) }
        // Alice can pay for eleven of them (000-101). The first half will be overdue when the clock is moved.
        for (index, id) in ids.enumerated() {
            if index == Self.charges / 2 { payments.clock.advance(.seconds(200)) }
            try await payments.ask(Payments.RequestCharge.sample(id), as: .shop)
        }
        var attempts: [Attempt] = ids.flatMap { id in
            (0..<Int.random(in: 0...5, using: &random)).map { _ in
                Attempt(
                    charge: id, answer: [.approve, .decline, .cancel].randomElement(using: &random) ?? .approve,
                    yields: Int.random(in: 0...20, using: &random))
            }
        }
        attempts.shuffle(using: &random)
        let pauses = (0..<8).map { _ in Int.random(in: 0...200, using: &random) }

        let published = try await withThrowingTaskGroup(of: (Attempt, Published)?.self) { group in
            for attempt in attempts {
                group.addTask {
                    for _ in 0..<attempt.yields { await Task.yield() }
                    return (
                        attempt, try await payments.give(attempt.answer, to: attempt.charge, within: .seconds(3600))
                    )
                }
            }
            group.addTask {
                for (round, pause) in pauses.enumerated() {
                    for _ in 0..<pause { await Task.yield() }
                    if round == 2 { payments.clock.advance(.seconds(100)) }
                    try await payments.sweep()
                }
                return nil
            }
            return try await group.reduce(into: [(Attempt, Published)]()) {
                if let published = $1 { $0.append(published) }
            }
        }
        try await payments.deliverNews()
        try await check(payments, ids, published)
    }

    private func check(_ payments: PaymentsHarness, _ ids: [ChargeID], _ published: [(Attempt, Published)]) async throws
    {
        var paidMinor: Int64 = 0
        for id in ids {
            let charge = try #require(try await payments.store.charge(id))
            switch payments.wallet.decision(on: id) {
            case nil: #expect(charge.state == .requested)
            case .posted(let posted):
                #expect(charge.state == .captured)
                #expect(charge.entry == posted.entry && charge.amount == posted.amount)
                #expect(charge.cardBalance == posted.cardBalance)
                paidMinor += posted.amount.amount
            case .closed(let closed): #expect(charge.state == Payments.ChargeState(closed.reason))
            case .declined(let fault):
                #expect(fault.code == .insufficientFunds)
                #expect(charge.state == .declined)
            case .refunded: Issue.record("a charge cannot be a refund")
            }
            let answers = published.filter { $0.0.charge == id }
            for (attempt, published) in answers {
                switch published {
                case .done: #expect(charge.state == attempt.answer.state)
                case .refused(.insufficientFunds): #expect(charge.state == .declined && attempt.answer == .approve)
                // The clock has overtaken it: nothing was done, by this one.
                case .refused(.deadlineExceeded): #expect(attempt.answer == .approve)
                case .refused(let code): #expect(code == charge.state.refusal)
                case .nothing: Issue.record("an answer without an answer")
                }
            }
            // Whoever decided was told so once.
            #expect(answers.count { $0.1 == .done(replayed: false) } <= 1)
        }
        #expect(payments.wallet.balance(of: .shop) == paidMinor)
        #expect(payments.wallet.balance(of: .aliceCard) == 1650 - paidMinor)

        let facts = try await payments.facts()
        for type in [Payments.ChargeCaptured.type, Payments.ChargeClosed.type] {
            #expect(facts.filter { $0.type == type.name }.count <= ids.count)
        }
        let decided = facts.filter { $0.type != Payments.ChargeRequested.type.name }
        #expect(decided.count == ids.count { payments.wallet.decision(on: $0) != nil })
    }
}

/// Steele, Lea and Flood 2014: small, and the same everywhere.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
