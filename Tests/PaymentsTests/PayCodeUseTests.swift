import Bus
import Contracts
import PaymentsService
import Primitives
import TestKit
import Testing

@Suite("paying by code")
struct PayCodeUseTests {
    private func redeem(
        _ code: String, attempt: UInt64 = 1, _ amountMinor: Int64 = 150, by merchant: PartyID = .shop
    ) -> Payments.RedeemCode {
        Payments.RedeemCode(
            attempt: .test(attempt), code: code, merchant: merchant, amount: Money(amountMinor), memo: "coffee")
    }

    private func issue(_ payments: PaymentsHarness, card: CardID? = nil) async throws -> Payments.IssueCode.Reply {
        try await payments.ask(Payments.IssueCode(customer: .alice, card: card), as: .alice)
    }

    @Test("a code pays whoever shows it in time, from the card that it was made for")
    func pays() async throws {
        let payments = try PaymentsHarness()
        let issued = try await issue(payments)
        #expect(issued.expires == payments.clock.now + .seconds(60))
        // The card is settled when the code is made: the default may change afterwards.
        payments.wallet.addCard(.test(104), of: .alice, 5000)
        payments.clock.advance(.seconds(60) - .milliseconds(1))
        let paid = try await payments.ask(redeem(issued.code), as: .shop)
        #expect(!paid.replayed)
        #expect(paid.receipt.customer == .alice)
        #expect(paid.receipt.card == .aliceCard)
        #expect(paid.receipt.merchantName == "The Shop")
        #expect(payments.wallet.balance(of: .aliceCard) == 1500)
        let code = try #require(PayCode(issued.code, key: PaymentsHarness.codeKey))
        #expect(paid.receipt.charge == code.id)
        // The customer alone is told what is left on the card.
        let read = try await payments.ask(Payments.ReadReceipt(charge: code.id, party: .alice))
        #expect(read.cardBalance == Money(1500) && paid.receipt.cardBalance == nil)
        #expect(read.shown(to: .shop) == paid.receipt)
    }

    @Test("a named card pays; someone else's makes no code")
    func cards() async throws {
        let payments = try PaymentsHarness()
        let issued = try await issue(payments, card: .aliceOther)
        #expect(try await payments.ask(redeem(issued.code), as: .shop).receipt.card == .aliceOther)
        #expect(
            await payments.refusal(of: Payments.IssueCode(customer: .alice, card: .carolCard), as: .alice)
                == .cardNotFound)
        #expect(await payments.refusal(of: Payments.IssueCode(customer: .nobody, card: nil)) == .noCard)
    }

    @Test("the wallet is asked once for a card that is named, and each time for the default card")
    func knownCards() async throws {
        let payments = try PaymentsHarness()
        for card in [CardID.aliceCard, .aliceCard, nil, nil] { _ = try await issue(payments, card: card) }
        #expect(payments.services.asked(Wallet.ReadCard.self).map(\.card) == [.aliceCard, nil, nil])
    }

    @Test("making codes leaves nothing behind, and each is another")
    func stateless() async throws {
        let payments = try PaymentsHarness()
        var codes: Set<String> = []
        for _ in 0..<20 { codes.insert(try await issue(payments).code) }
        #expect(codes.count == 20)
        #expect(payments.wallet.head == 0)
        #expect(try await payments.facts().isEmpty)
    }

    @Test("the same attempt again pays once and says so, even when the code has expired")
    func replays() async throws {
        let payments = try PaymentsHarness()
        let code = try await issue(payments).code
        let first = try await payments.ask(redeem(code), as: .shop)
        #expect(try await payments.ask(redeem(code), as: .shop).replayed)
        payments.clock.advance(.seconds(3600))
        payments.restart()
        await payments.delayNews()
        try await payments.deliverNews()
        let again = try await payments.ask(redeem(code), as: .shop)
        #expect(again.replayed)
        #expect(again.receipt == first.receipt)
        #expect(payments.wallet.balance(of: .aliceCard) == 1500)
    }

    @Test(
        "a code is used once: another attempt or merchant is told so, and a repeat with another amount, in time and later",
        arguments: [0, 3600])
    func used(later seconds: Int) async throws {
        let payments = try PaymentsHarness()
        let code = try await issue(payments).code
        try await payments.ask(redeem(code), as: .shop)
        payments.clock.advance(.seconds(seconds))
        #expect(await payments.refusal(of: redeem(code, attempt: 2), as: .shop) == .codeUsed)
        #expect(await payments.refusal(of: redeem(code, 151), as: .shop) == .chargeIDReused)
        #expect(await payments.refusal(of: redeem(code, attempt: 3, by: .bakery), as: .bakery) == .codeUsed)
        #expect(payments.wallet.payments == 1)
    }

    @Test("a repeat of an attempt that paid nothing is told that another one used the code")
    func usedMeanwhile() async throws {
        let payments = try PaymentsHarness()
        let code = try await issue(payments).code
        payments.services.refuse(Wallet.PostPayment.type, Fault(.noWorker))
        #expect(await payments.refusal(of: redeem(code), as: .shop) == .noWorker)
        payments.services.refuse(Wallet.PostPayment.type, nil)
        try await payments.ask(redeem(code, attempt: 2, 120), as: .shop)
        #expect(await payments.refusal(of: redeem(code), as: .shop) == .codeUsed)
        #expect(await payments.refusal(of: redeem(code, 151), as: .shop) == .chargeIDReused)
        // An attempt that has redeemed a code redeems no other one, not even one that is used.
        let other = try await issue(payments).code
        try await payments.ask(redeem(other, attempt: 3), as: .shop)
        #expect(await payments.refusal(of: redeem(other), as: .shop) == .chargeIDReused)
        #expect(payments.wallet.payments == 2)
    }

    @Test("one attempt redeems one code, also after a restart, for a day", arguments: StoreKind.allCases)
    func oneCode(kind: StoreKind) async throws {
        let payments = try PaymentsHarness(kind)
        let (first, second) = (try await issue(payments).code, try await issue(payments).code)
        let paid = try await payments.ask(redeem(first), as: .shop)
        #expect(await payments.refusal(of: redeem(second), as: .shop) == .chargeIDReused)
        payments.restart()
        #expect(await payments.refusal(of: redeem(second), as: .shop) == .chargeIDReused)
        #expect(try await payments.ask(redeem(first), as: .shop).receipt == paid.receipt)
        try await payments.ask(redeem(second, attempt: 2), as: .shop)
        #expect(payments.wallet.payments == 2)
        // Only the wallet's facts say that a day is over: payments' own clock may be ahead.
        payments.clock.advance(.seconds(86_401))
        let third = try await issue(payments).code
        #expect(await payments.refusal(of: redeem(third), as: .shop) == .chargeIDReused)
        try await payments.ask(redeem(third, attempt: 3), as: .shop)
        try await payments.deliverNews()
        try await payments.ask(redeem(try await issue(payments).code), as: .shop)
    }

    @Test("used by many at once it pays one")
    func race() async throws {
        let payments = try PaymentsHarness()
        let code = try await issue(payments).code
        let refusals = await withTaskGroup(of: FaultCode?.self) { group in
            for attempt in 1...UInt64(8) {
                group.addTask { await payments.refusal(of: redeem(code, attempt: attempt), as: .shop) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(refusals.count { $0 == nil } == 1)
        #expect(refusals.count { $0 == .codeUsed } == 7)
        #expect(payments.wallet.balance(of: .aliceCard) == 1500)
    }

    @Test("an expired code is worth nothing", arguments: [60_000, 60_001, 86_400_000])
    func expired(milliseconds: Int) async throws {
        let payments = try PaymentsHarness()
        let code = try await issue(payments).code
        payments.clock.advance(.milliseconds(milliseconds))
        for _ in 1...2 { #expect(await payments.refusal(of: redeem(code), as: .shop) == .codeExpired) }
        #expect(payments.wallet.payments == 0)
    }

    @Test("a code of a clock that was ahead ends with it", arguments: [(20_000, true), (86_400_000, false)])
    func clockWasAhead(milliseconds: Int, isUsable: Bool) async throws {
        let payments = try PaymentsHarness()
        let code = try await issue(payments).code
        payments.clock.advance(.milliseconds(-milliseconds))
        #expect(await payments.refusal(of: redeem(code), as: .shop) == (isUsable ? nil : .codeExpired))
    }

    @Test("an expired code stays so, even where its id was requested as a charge meanwhile")
    func expiredAndRequested() async throws {
        let payments = try PaymentsHarness()
        let text = try await issue(payments).code
        let code = try #require(PayCode(text, key: PaymentsHarness.codeKey))
        try await payments.ask(Payments.RequestCharge.sample(code.id), as: .shop)
        payments.clock.advance(.seconds(60))
        #expect(await payments.refusal(of: redeem(text), as: .shop) == .codeExpired)
        #expect(payments.wallet.payments == 0)
    }

    @Test("a forged code is none")
    func forged() async throws {
        let payments = try PaymentsHarness()
        let forged = PayCode(
            id: .test(1), customer: .carol, card: .carolCard, expires: payments.clock.now + .seconds(60)
        ).sealed(with: [UInt8](repeating: 0, count: 32))
        for text in [forged, "", "1234", try await issue(payments).code + "="] {
            #expect(await payments.refusal(of: redeem(text), as: .shop) == .codeInvalid)
        }
        #expect(payments.wallet.head == 0)
    }

    @Test("with too little money nothing is paid, and the code is spent (A17)")
    func insufficient() async throws {
        let payments = try PaymentsHarness()
        let code = try await issue(payments).code
        #expect(await payments.refusal(of: redeem(code, 1651), as: .shop) == .insufficientFunds)
        #expect(await payments.refusal(of: redeem(code, 1651), as: .shop) == .insufficientFunds)
        #expect(await payments.refusal(of: redeem(code, attempt: 2, 150), as: .shop) == .codeUsed)
        #expect(payments.wallet.balance(of: .aliceCard) == 1650)
    }

    @Test("the rules hold for codes too, and spend none (A50)")
    func rules() async throws {
        let payments = try PaymentsHarness()
        let code = try await issue(payments).code
        #expect(await payments.refusal(of: redeem(code, 0), as: .shop) == .amountInvalid)
        #expect(await payments.refusal(of: redeem(code, 1_000_001), as: .shop) == .amountTooLarge)
        #expect(await payments.refusal(of: redeem(code, by: .carol)) == .merchantNotFound)
        #expect(await payments.refusal(of: redeem(code), as: .shop) == nil)
    }

    @Test("how long codes live is a setting")
    func codeTime() async throws {
        let payments = try PaymentsHarness(rules: ChargeRules(codeTime: .seconds(5)))
        #expect(try await issue(payments).expires == payments.clock.now + .seconds(5))
    }
}
