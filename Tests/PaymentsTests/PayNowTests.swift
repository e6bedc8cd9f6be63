import Bus
import Contracts
import PaymentsService
import Primitives
import TestKit
import Testing

@Suite("pay now")
struct PayNowTests {
    @Test("the wallet's answer is the receipt, which can be read at once (000-19)", arguments: StoreKind.allCases)
    func pays(kind: StoreKind) async throws {
        let payments = try PaymentsHarness(kind)
        await payments.delayNews()
        let paid = try await payments.ask(Payments.CreatePayment.sample(.test(1)), as: .alice)
        #expect(!paid.replayed)
        #expect(
            paid.receipt
                == Payments.Receipt(
                    charge: .test(1), customer: .alice, card: .aliceCard, merchant: .shop, merchantName: "The Shop",
                    amount: Money(150), memo: "coffee", cardBalance: Money(1500), entry: 1, time: payments.clock.now))
        #expect(payments.wallet.balance(of: .shop) == 150)
        for actor in [Actor.alice, .shop] {
            let read = Payments.ReadReceipt(charge: .test(1), party: actor.party)
            #expect(try await payments.ask(read, as: actor) == paid.receipt.shown(to: actor.party))
        }
        #expect(paid.receipt.shown(to: .shop).cardBalance == nil)
        let charge = try await payments.ask(Payments.ReadCharge(charge: .test(1), party: .alice), as: .alice)
        #expect(charge.state == .captured && charge.expires == nil && charge.refunded == Money(0))
        #expect(charge.requested == charge.decided)
    }

    @Test("leaves nothing here before the wallet has decided")
    func projection() async throws {
        let payments = try PaymentsHarness()
        await payments.delayNews()
        try await payments.ask(Payments.CreatePayment.sample(.test(1)))
        #expect(try await payments.state(of: .test(1)) == nil)
        try await payments.deliverNews()
        #expect(try await payments.state(of: .test(1)) == .captured)
        #expect(try await payments.factTypes() == [Payments.ChargeCaptured.type])
    }

    @Test("asked again it says so and pays once")
    func replays() async throws {
        let payments = try PaymentsHarness()
        let first = try await payments.ask(Payments.CreatePayment.sample(.test(1)), as: .alice)
        payments.clock.advance(.seconds(60))
        let again = try await payments.ask(Payments.CreatePayment.sample(.test(1)), as: .alice)
        #expect(again.replayed)
        #expect(again.receipt == first.receipt)
        #expect(payments.wallet.balance(of: .aliceCard) == 1500)
    }

    @Test("other content under the same id is refused")
    func reused() async throws {
        let payments = try PaymentsHarness()
        try await payments.ask(Payments.CreatePayment.sample(.test(1)))
        #expect(await payments.refusal(of: Payments.CreatePayment.sample(.test(1), 151)) == .idReused)
        #expect(await payments.refusal(of: Payments.CreatePayment.sample(.test(1), memo: "tea")) == .idReused)
        #expect(payments.wallet.balance(of: .aliceCard) == 1500)
    }

    @Test("the card that is named pays")
    func card() async throws {
        let payments = try PaymentsHarness()
        let paid = try await payments.ask(Payments.CreatePayment.sample(.test(1), card: .aliceOther), as: .alice)
        #expect(paid.receipt.card == .aliceOther)
        #expect(payments.wallet.balance(of: .aliceCard) == 1650)
    }

    @Test("too little money: no receipt, nothing deducted, and the refusal stands (A17, 000-20)")
    func insufficient() async throws {
        let payments = try PaymentsHarness()
        let ask = Payments.CreatePayment.sample(.test(1), 1651)
        #expect(await payments.refusal(of: ask, as: .alice) == .insufficientFunds)
        await #expect(throws: Fault(.insufficientFunds, replayed: true)) { try await payments.ask(ask, as: .alice) }
        #expect(payments.wallet.balance(of: .aliceCard) == 1650)
        #expect(
            await payments.refusal(of: Payments.ReadReceipt(charge: .test(1), party: .alice)) == .chargeNotFound)
        #expect(try await payments.facts().isEmpty)
    }

    @Test("what the rules refuse reaches nobody (A50, 001-53)")
    func rules() async throws {
        let payments = try PaymentsHarness()
        let euro = try #require(Currency("EUR"))
        let refused: [(Payments.CreatePayment, FaultCode)] = [
            (.sample(.test(1), 0), .amountInvalid), (.sample(.test(1), -1), .amountInvalid),
            (.sample(.test(1), 1_000_001), .amountTooLarge),
            (.sample(.test(1), memo: String(repeating: "x", count: 257)), .memoTooLong),
            (.sample(.test(1), memo: "a\nb"), .malformed),
            (
                Payments.CreatePayment(
                    charge: .test(1), customer: .alice, card: nil, merchant: .shop, amount: Money(1, euro), memo: ""),
                .currencyMismatch
            )
        ]
        for (ask, code) in refused { #expect(await payments.refusal(of: ask, as: .alice) == code) }
        #expect(payments.services.asked(Wallet.PostPayment.self).isEmpty)
        #expect(payments.services.asked(Auth.ReadAccount.self).isEmpty)
    }

    @Test("merchants only are paid", arguments: [PartyID.carol, .alice, .nobody])
    func merchants(payee: PartyID) async throws {
        let payments = try PaymentsHarness()
        let ask = Payments.CreatePayment(
            charge: .test(1), customer: .alice, card: nil, merchant: payee, amount: Money(150), memo: "")
        #expect(await payments.refusal(of: ask, as: .alice) == .merchantNotFound)
        #expect(payments.services.asked(Wallet.OpenAccount.self).isEmpty)
        #expect(payments.wallet.payments == 0)
    }

    @Test("a lost answer is found by asking again")
    func lost() async throws {
        let payments = try PaymentsHarness()
        payments.services.loseReply(Wallet.PostPayment.type)
        let ask = Payments.CreatePayment.sample(.test(1))
        #expect(await payments.refusal(of: ask, as: .alice) == .outcomeUnknown)
        #expect(try await payments.ask(ask, as: .alice).replayed)
        #expect(payments.wallet.balance(of: .aliceCard) == 1500)
    }

    @Test("the wallet hears who the actor is, and has time to refuse before the asker gives up")
    func context() async throws {
        let payments = try PaymentsHarness()
        try await payments.ask(Payments.CreatePayment.sample(.test(1)), as: .alice)
        let context = try #require(payments.services.contexts(of: Wallet.PostPayment.type).first)
        #expect(context.actor == .alice)
        #expect(context.correlationID == "touch-1")
        #expect(context.deadline == payments.context().deadline - .milliseconds(150))
    }
}
