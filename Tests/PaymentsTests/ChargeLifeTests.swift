import Contracts
import PaymentsService
import Primitives
import Testing

/// What each event changes, as values: no store, no clock.
@Suite("the life of a charge")
struct ChargeLifeTests {
    private typealias Charge = PaymentsService.Charge

    private let request = Charge.sample(.test(1))
    private let posted = Wallet.PaymentPosted.sample(.test(1))
    private let time = PaymentsHarness.start + .seconds(3)

    /// The charge that is written, and the fact that is published.
    private func outcome(_ event: Charge.Event, _ known: Charge?) throws -> (charge: Charge, fact: any Fact) {
        let changes = Charge.apply(event, to: known)
        try #require(changes.count == 2)
        guard case .publish(let fact, at: _) = changes[1] else { throw Unexpected() }
        switch changes[0] {
        case .insert(let charge) where known == nil: return (charge, fact)
        case .update(let charge, from: known): return (charge, fact)
        default: throw Unexpected()
        }
    }

    private struct Unexpected: Error {}

    @Test("a request is a new charge, and the same again changes nothing")
    func requested() throws {
        let (charge, fact) = try outcome(.requested(request), nil)
        #expect(charge == request)
        #expect((fact as? Payments.ChargeRequested)?.expires == request.expires)
        #expect(Charge.apply(.requested(request), to: request).isEmpty)
    }

    @Test("a payment without a request is a captured charge")
    func paid() throws {
        let (charge, fact) = try outcome(.captured(posted), nil)
        #expect(charge == Charge(posted))
        let captured = try #require(fact as? Payments.ChargeCaptured)
        #expect(captured.requested == nil && captured.discount == nil)
    }

    @Test("a payment captures its request, whose times stay; what was paid stands")
    func captured() throws {
        let other = Charge.sample(.test(1), amountMinor: 9999, merchant: .bakery, customer: .carol)
        let (charge, fact) = try outcome(.captured(posted), other)
        #expect(charge.state == .captured && charge.decided == posted.time && charge.entry == posted.entry)
        #expect(charge.merchant == posted.merchant && charge.customer == posted.customer)
        #expect(charge.amount == posted.amount && charge.expires == other.expires)
        #expect(charge.discount == nil)
        #expect((fact as? Payments.ChargeCaptured)?.requested == true)
        #expect(Charge.apply(.captured(posted), to: charge).isEmpty)
    }

    @Test(
        "a coupon took off what the request asks for beyond the payment",
        arguments: [(100, 50), (150, nil), (200, nil)] as [(Int64, Int64?)]
    )
    func discount(paidMinor: Int64, discountMinor: Int64?) throws {
        let posted = Wallet.PaymentPosted.sample(.test(1), amountMinor: paidMinor, coupon: .test(7))
        let (charge, fact) = try outcome(.captured(posted), request)
        #expect(charge.coupon == .test(7))
        #expect(charge.discount == discountMinor.map { Money($0) })
        #expect((fact as? Payments.ChargeCaptured)?.discount == charge.discount)
        #expect(Charge.apply(.captured(posted), to: charge).isEmpty)
    }

    @Test(
        "a request that waits is ended for each reason; one that is decided is not",
        arguments: Wallet.CloseReason.allCases)
    func closed(reason: Wallet.CloseReason) throws {
        let event = Charge.Event.closed(.test(1), reason, at: time)
        let (charge, fact) = try outcome(event, request)
        #expect(charge.state == Payments.ChargeState(reason) && charge.decided == time)
        #expect((fact as? Payments.ChargeClosed)?.reason == reason)
        #expect(Charge.apply(event, to: charge).isEmpty)
        #expect(Charge.apply(event, to: Charge(posted)).isEmpty)
        #expect(Charge.apply(event, to: nil).isEmpty)
    }

    @Test("a refund says what has been paid back in all; one of a hold is no charge's business")
    func refunded() throws {
        let refund = Wallet.RefundPosted.sample(.test(1), amountMinor: 50, refundedMinor: 70)
        let (charge, fact) = try outcome(.refunded(refund), Charge(posted))
        #expect(charge.refunded == Money(70) && charge.state == .captured)
        let published = try #require(fact as? Payments.ChargeRefunded)
        #expect(published.amount == Money(50) && published.refunded == Money(70) && published.paid == posted.amount)
        #expect(Charge.apply(.refunded(refund), to: nil).isEmpty)
        // The same facts again, from the first on.
        let earlier = Wallet.RefundPosted.sample(.test(1), amountMinor: 20, refundedMinor: 20)
        for event in [Charge.Event.captured(posted), .refunded(earlier), .refunded(refund)] {
            #expect(Charge.apply(event, to: charge).isEmpty)
        }
    }
}
