import Bus
import Contracts
import PaymentsService
import Primitives
import TestKit
import Testing

@Suite("a coupon and the money of its charge")
struct CouponTests {
    private static let coupon = OfferID(high: 7, low: 7)
    private static let other = OfferID(high: 7, low: 8)

    /// Alice is asked for 1.50; the coupon takes 0.50 off, the other one 0.20.
    private func requested(_ kind: StoreKind = .inMemory, amountMinor: Int64 = 150) async throws -> PaymentsHarness {
        let payments = try PaymentsHarness(kind)
        payments.services.offer(Self.coupon, Money(50))
        payments.services.offer(Self.other, Money(20))
        try await payments.ask(Payments.RequestCharge.sample(.test(1), amountMinor), as: .shop)
        return payments
    }

    private func approve(_ payments: PaymentsHarness, with coupon: OfferID?) async throws(Fault)
        -> Payments.CreatePayment.Reply
    {
        try await payments.ask(
            Payments.ApproveCharge(charge: .test(1), customer: .alice, card: nil, coupon: coupon), as: .alice)
    }

    @Test("is captured by the same commit: receipt, charge and fact name it", arguments: StoreKind.allCases)
    func captured(kind: StoreKind) async throws {
        let payments = try await requested(kind)
        let paid = try await approve(payments, with: Self.coupon)
        #expect(paid.receipt.amount == Money(100))
        #expect((paid.receipt.coupon, paid.receipt.discount) == (Self.coupon, Money(50)))
        #expect(payments.wallet.balance(of: .aliceCard) == 1550)
        #expect(payments.wallet.balance(of: .shop) == 100)

        let reserved = try #require(payments.services.asked(Offers.ReserveCoupon.self).first)
        #expect((reserved.charge, reserved.customer, reserved.merchant) == (.test(1), .alice, .shop))
        #expect(reserved.amount == Money(150))
        #expect(payments.services.asked(Wallet.PostPayment.self).map(\.coupon) == [Self.coupon])

        try await payments.deliverNews()
        let charge = try await payments.ask(Payments.ReadCharge(charge: .test(1), party: .shop), as: .shop)
        #expect((charge.amount, charge.coupon, charge.discount) == (Money(100), Self.coupon, Money(50)))
        let receipt = try await payments.ask(Payments.ReadReceipt(charge: .test(1), party: .alice), as: .alice)
        #expect(receipt == paid.receipt)
        let fact = try Payments.ChargeCaptured(json: try #require(try await payments.facts().last).data)
        #expect((fact.coupon, fact.discount, fact.requested) == (Self.coupon, Money(50), true))
        #expect(fact.amount == Money(100))
    }

    @Test("once captured, the answer stays, whatever coupon a repeat names", arguments: [Self.coupon, Self.other, nil])
    func repeated(second: OfferID?) async throws {
        let payments = try await requested()
        let first = try await approve(payments, with: Self.coupon)
        let again = try await approve(payments, with: second)
        #expect(again.replayed)
        #expect(again.receipt == first.receipt)
        #expect(payments.wallet.payments == 1)
    }

    @Test("the request that it was paid for, asked again, is that request still")
    func requestedAgain() async throws {
        let payments = try await requested()
        _ = try await approve(payments, with: Self.coupon)
        try await payments.deliverNews()
        let again = try await payments.ask(Payments.RequestCharge.sample(.test(1), 150), as: .shop)
        #expect(again.replayed)
        #expect((again.charge.state, again.charge.amount) == (.captured, Money(100)))
        // What was paid is not what was requested.
        #expect(await payments.refusal(of: Payments.RequestCharge.sample(.test(1), 100), as: .shop) == .chargeIDReused)
    }

    @Test("of two approvals at once the wallet takes one, coupon and all", arguments: [Self.other, nil])
    func overtaken(by second: OfferID?) async throws {
        let payments = try await requested()
        let gate = Gate()
        payments.services.hold(Wallet.PostPayment.type, at: gate)
        async let slow = approve(payments, with: Self.coupon)
        await gate.reached()
        payments.services.hold(Wallet.PostPayment.type, at: nil)
        let fast = try await approve(payments, with: second)
        await gate.open()
        let late = try await slow
        #expect(late.receipt == fast.receipt)
        #expect(late.receipt.coupon == second)
        #expect(late.receipt.discount == second.map { _ in Money(20) })
        #expect(payments.wallet.payments == 1)
    }

    @Test("a repeat after a lost answer pays once, with the coupon")
    func lostAnswer() async throws {
        let payments = try await requested()
        payments.services.loseReply(Wallet.PostPayment.type)
        await #expect(throws: Fault(.outcomeUnknown)) { try await approve(payments, with: Self.coupon) }
        payments.restart()
        let again = try await approve(payments, with: Self.coupon)
        #expect((again.receipt.coupon, again.receipt.discount) == (Self.coupon, Money(50)))
        #expect(payments.wallet.balance(of: .aliceCard) == 1550)
    }

    @Test(
        "that offers refuses leaves the charge waiting, to be paid without",
        arguments: [
            FaultCode.offerNotFound, .couponNotUsable, .couponUsedUp, .couponMinimum, .noWorker, .outcomeUnknown
        ])
    func refused(code: FaultCode) async throws {
        let payments = try await requested()
        payments.services.refuse(Offers.ReserveCoupon.type, Fault(code))
        await #expect(throws: Fault(code)) { try await approve(payments, with: Self.coupon) }
        #expect(payments.wallet.payments == 0)
        #expect(try await approve(payments, with: nil).receipt.amount == Money(150))
    }

    @Test("that would leave nothing to pay, or more, is not used", arguments: [0, -5, 150, 151])
    func senseless(discount: Int64) async throws {
        let payments = try await requested()
        payments.services.offer(Self.coupon, Money(discount))
        await #expect(throws: Fault(.couponNotUsable)) { try await approve(payments, with: Self.coupon) }
        #expect(payments.wallet.payments == 0)
    }

    @Test("what is left to pay is what has to be on the card; a refusal closes the charge (A56)")
    func funds() async throws {
        let rich = try await requested(amountMinor: 1700)
        #expect(try await approve(rich, with: Self.coupon).receipt.cardBalance == Money(0))
        let poor = try await requested(amountMinor: 1701)
        await #expect(throws: Fault(.insufficientFunds)) { try await approve(poor, with: Self.coupon) }
        #expect(try await poor.state(of: .test(1)) == .declined)
        #expect(try await poor.factTypes().last == Payments.ChargeClosed.type)
    }

    @Test("what the customer agrees to is the amount before the coupon")
    func agreed() async throws {
        let payments = try await requested()
        func approve(_ amount: Int64) async throws(Fault) -> Payments.CreatePayment.Reply {
            try await payments.ask(
                Payments.ApproveCharge(
                    charge: .test(1), customer: .alice, card: nil, amount: Money(amount), coupon: Self.coupon),
                as: .alice)
        }
        await #expect(throws: Fault(.amountInvalid, "the charge is for $1.50; this request moved no money")) {
            try await approve(100)
        }
        let paid = try await approve(150)
        #expect(try await approve(150).receipt == paid.receipt)
    }

    @Test("a refund is of what was paid")
    func refund() async throws {
        let payments = try await requested()
        _ = try await approve(payments, with: Self.coupon)
        try await payments.deliverNews()
        let refund = try await payments.ask(
            Payments.RefundCharge(refund: .test(9), charge: .test(1), merchant: .shop, amount: nil), as: .shop)
        #expect(refund.amount == Money(100))
    }

    @Test("a payment with a coupon under an id that nobody had requested is kept with its coupon")
    func unrequested() async throws {
        let payments = try PaymentsHarness(.file)
        var posted = Wallet.PaymentPosted.sample(.test(3))
        posted = Wallet.PaymentPosted(
            payment: posted.payment, customer: posted.customer, card: posted.card, merchant: posted.merchant,
            amount: posted.amount, memo: posted.memo, cardBalance: posted.cardBalance, entry: posted.entry,
            time: posted.time, coupon: Self.coupon)
        try await payments.store.apply([.published(posted, 1)])
        let charge = try #require(try await payments.store.charge(.test(3)))
        #expect((charge.coupon, charge.discount) == (Self.coupon, nil))
        let fact = try Payments.ChargeCaptured(json: try #require(try await payments.facts().last).data)
        #expect((fact.coupon, fact.discount, fact.requested) == (Self.coupon, nil, nil))
    }
}
