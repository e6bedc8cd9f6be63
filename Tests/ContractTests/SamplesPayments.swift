import Contracts
import Primitives

extension Samples {
    static let receipt = Payments.Receipt(
        charge: charge, customer: customer, card: card, merchant: merchant, merchantName: "Corner \"Café\"",
        amount: price, memo: memo, cardBalance: Money(1300), entry: 1000, time: time)
    static let couponReceipt = Payments.Receipt(
        charge: charge, customer: customer, card: card, merchant: merchant, merchantName: "Corner \"Café\"",
        amount: price, memo: memo, cardBalance: Money(1300), entry: 1000, time: time, coupon: offer,
        discount: Money(50))
    static let closedCharge = Payments.ChargeClosed(
        charge: charge, merchant: merchant, customer: customer, amount: price, reason: .expired, time: time)
    private static let paid = Payments.CreatePayment.Reply(receipt: receipt, replayed: false)
    private static let requested = chargeView(.requested)
    private static let captured = chargeView(.captured)

    static let payments: [Sample] = paymentsPaying + paymentsEnabled + paymentsCharges + paymentsReading

    private static let paymentsPaying: [Sample] =
        ask(
            Payments.CreatePayment(
                charge: charge, customer: customer, card: card, merchant: merchant, amount: price, memo: memo),
            bare: Payments.CreatePayment(
                charge: charge, customer: customer, card: nil, merchant: merchant, amount: price, memo: ""),
            reply: Payments.CreatePayment.Reply(receipt: receipt, replayed: true))
        + ask(
            Payments.IssueCode(customer: customer, card: card), bare: Payments.IssueCode(customer: customer, card: nil),
            reply: Payments.IssueCode.Reply(code: "BF1.AZqcPSxA.q83vASNFZ4k", expires: later))
        + ask(
            Payments.RedeemCode(
                attempt: operation, code: "BF1.AZqcPSxA.q83vASNFZ4k", merchant: merchant, amount: price, memo: memo),
            reply: paid)

    private static let paymentsEnabled: [Sample] =
        ask(
            Payments.ReadEnabled(customer: customer), reply: Payments.EnabledView(customer: customer, enabled: true))
        + ask(
            Payments.SetEnabled(customer: customer, enabled: false),
            reply: Payments.EnabledView(customer: customer, enabled: false))

    private static let paymentsCharges: [Sample] =
        ask(
            Payments.RequestCharge(
                charge: charge, merchant: merchant, customer: customer, amount: price, memo: memo, place: place),
            bare: Payments.RequestCharge(
                charge: charge, merchant: merchant, customer: customer, amount: price, memo: memo),
            reply: Payments.RequestCharge.Reply(charge: requested, replayed: false))
        + ask(
            Payments.ApproveCharge(charge: charge, customer: customer, card: card, amount: price, coupon: offer),
            bare: Payments.ApproveCharge(charge: charge, customer: customer, card: nil),
            reply: Payments.CreatePayment.Reply(receipt: couponReceipt, replayed: false))
        + ask(
            Payments.DeclineCharge(charge: charge, customer: customer),
            reply: Payments.RequestCharge.Reply(charge: chargeView(.declined), replayed: false))
        + ask(
            Payments.CancelCharge(charge: charge, merchant: merchant),
            reply: Payments.RequestCharge.Reply(charge: chargeView(.cancelled), replayed: false))
        + ask(
            Payments.RefundCharge(refund: operation, charge: charge, merchant: merchant, amount: Money(100)),
            bare: Payments.RefundCharge(refund: operation, charge: charge, merchant: merchant, amount: nil),
            reply: Payments.RefundCharge.Reply(
                refund: operation, charge: charge, amount: Money(100), refunded: Money(150), entry: 1001, time: time,
                replayed: false))

    private static let paymentsReading: [Sample] =
        ask(
            Payments.ReadCharge(charge: charge, party: customer), bare: Payments.ReadCharge(charge: charge),
            reply: captured, bareReply: requested)
        + ask(
            Payments.ReadCharges(party: merchant, state: .captured, before: 77, limit: 100, since: time),
            bare: Payments.ReadCharges(party: merchant, state: nil, before: nil, limit: 1),
            reply: Payments.ReadCharges.Reply(charges: [captured, requested], next: 76),
            bareReply: Payments.ReadCharges.Reply(charges: [], next: nil))
        + ask(Payments.ReadReceipt(charge: charge, party: customer), reply: receipt)

    static let paymentsFacts: [Sample] =
        fact(
            Payments.ChargeRequested(
                charge: charge, merchant: merchant, customer: customer, amount: price, memo: memo, expires: later,
                time: time),
            named: Payments.ChargeRequested(
                charge: charge, merchant: merchant, customer: customer, amount: price, memo: memo, expires: later,
                time: time, merchantName: "Corner \"Café\""))
        + fact(
            Payments.ChargeCaptured(
                charge: charge, merchant: merchant, customer: customer, card: card, amount: price, memo: memo,
                entry: 1000, time: time, coupon: offer, discount: Money(50), requested: true),
            bare: Payments.ChargeCaptured(
                charge: charge, merchant: merchant, customer: customer, card: card, amount: price, memo: memo,
                entry: 1000, time: time))
        + fact(
            closedCharge,
            named: Payments.ChargeClosed(
                charge: charge, merchant: merchant, customer: customer, amount: price, reason: .expired, time: time,
                merchantName: "Corner \"Café\""))
        + fact(
            Payments.ChargeRefunded(
                charge: charge, merchant: merchant, customer: customer, amount: Money(100), refunded: Money(150),
                time: later, paid: price, captured: time),
            bare: Payments.ChargeRefunded(
                charge: charge, merchant: merchant, customer: customer, amount: Money(100), refunded: Money(150),
                time: time),
            named: Payments.ChargeRefunded(
                charge: charge, merchant: merchant, customer: customer, amount: Money(100), refunded: Money(150),
                time: later, paid: price, captured: time, merchantName: "Corner \"Café\""))

    private static func chargeView(_ state: Payments.ChargeState) -> Payments.ChargeView {
        Payments.ChargeView(
            charge: charge, state: state, merchant: merchant, merchantName: "Corner \"Café\"", customer: customer,
            amount: price, memo: memo, requested: time, expires: state == .requested ? later : nil,
            decided: state == .requested ? nil : later, card: state == .captured ? card : nil,
            entry: state == .captured ? 1000 : nil, refunded: Money(state == .captured ? 150 : 0),
            presence: state == .captured ? presence : nil, coupon: state == .captured ? offer : nil,
            discount: state == .captured ? Money(50) : nil)
    }
}
