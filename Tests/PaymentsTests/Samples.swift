import Bus
import Contracts
import PaymentsService
import Primitives

extension Identifier {
    /// A short identifier for tests.
    static func test(_ number: UInt64) -> Identifier { Identifier(high: 0x7E57, low: number) }
}

extension PartyID {
    static let alice = PartyID.test(1)
    static let carol = PartyID.test(2)
    static let shop = PartyID.test(11)
    static let bakery = PartyID.test(12)
    static let nobody = PartyID.test(99)
}

extension CardID {
    static let aliceCard = CardID.test(101)
    static let aliceOther = CardID.test(102)
    static let carolCard = CardID.test(103)
}

extension Actor {
    static let alice = Actor(role: .customer, party: .alice)
    static let carol = Actor(role: .customer, party: .carol)
    static let shop = Actor(role: .merchant, party: .shop)
    static let bakery = Actor(role: .merchant, party: .bakery)
    static let administrator = Actor(role: .administrator, party: .test(98))
}

extension Payments.CreatePayment {
    /// Alice pays the shop.
    static func sample(_ charge: ChargeID, _ amountMinor: Int64 = 150, memo: String = "coffee", card: CardID? = nil)
        -> Payments.CreatePayment
    {
        Payments.CreatePayment(
            charge: charge, customer: .alice, card: card, merchant: .shop, amount: Money(amountMinor), memo: memo)
    }
}

extension Payments.RequestCharge {
    /// The shop asks Alice.
    static func sample(
        _ charge: ChargeID, _ amountMinor: Int64 = 150, memo: String = "coffee", customer: PartyID = .alice,
        merchant: PartyID = .shop
    ) -> Payments.RequestCharge {
        Payments.RequestCharge(
            charge: charge, merchant: merchant, customer: customer, amount: Money(amountMinor), memo: memo)
    }
}

extension Payments.RefundCharge {
    static func sample(_ refund: OperationID, _ charge: ChargeID, _ amountMinor: Int64?) -> Payments.RefundCharge {
        Payments.RefundCharge(refund: refund, charge: charge, merchant: .shop, amount: amountMinor.map { Money($0) })
    }
}

extension PaymentsService.Charge {
    /// As the shop's request to Alice is first recorded.
    static func sample(
        _ id: ChargeID, amountMinor: Int64 = 150, merchant: PartyID = .shop, customer: PartyID = .alice,
        at requested: Timestamp = PaymentsHarness.start, expires: Duration = .seconds(300)
    ) -> PaymentsService.Charge {
        PaymentsService.Charge(
            id: id, merchant: merchant, customer: customer, amount: Money(amountMinor), memo: "coffee",
            requested: requested, expires: requested + expires, state: .requested)
    }
}

extension Wallet.PaymentPosted {
    static func sample(
        _ payment: ChargeID, amountMinor: Int64 = 150, merchant: PartyID = .shop, customer: PartyID = .alice,
        entry: Int64 = 7, memo: String = "coffee", coupon: OfferID? = nil
    ) -> Wallet.PaymentPosted {
        Wallet.PaymentPosted(
            payment: payment, customer: customer, card: .aliceCard, merchant: merchant, amount: Money(amountMinor),
            memo: memo, cardBalance: Money(1500), entry: entry, time: PaymentsHarness.start + .seconds(1),
            coupon: coupon)
    }
}

extension Wallet.RefundPosted {
    static func sample(_ payment: ChargeID, amountMinor: Int64, refundedMinor: Int64) -> Wallet.RefundPosted {
        Wallet.RefundPosted(
            operation: .test(900), payment: payment, card: .aliceCard, merchant: .shop, amount: Money(amountMinor),
            refunded: Money(refundedMinor), cardBalance: Money(1600), entry: 8,
            time: PaymentsHarness.start + .seconds(2))
    }
}

extension Envelope {
    /// A fact as the wallet tells it.
    static func published<Published: Fact>(_ fact: Published, _ sequence: Int64) -> Envelope {
        Envelope(
            id: "wallet-\(sequence)", source: Wallet.service, type: Published.type.name, time: PaymentsHarness.start,
            correlationID: "touch-7", causationID: "ask-7",
            traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", sequence: sequence, data: fact.json)
    }
}
