import Primitives

extension Samples {
    package static let receipt = Payments.Receipt(
        charge: charge, customer: customer, card: card, merchant: merchant, merchantName: "Corner \"Café\"",
        amount: price, memo: memo, cardBalance: Money(1300), entry: 1000, time: time)
    package static let merchantReceipt = Payments.Receipt(
        charge: charge, customer: customer, card: card, merchant: merchant, merchantName: "Corner \"Café\"",
        amount: price, memo: memo, entry: 1000, time: time)
    package static let couponReceipt = Payments.Receipt(
        charge: charge, customer: customer, card: card, merchant: merchant, merchantName: "Corner \"Café\"",
        amount: price, memo: memo, cardBalance: Money(1300), entry: 1000, time: time, coupon: offer,
        discount: Money(50))
    package static let closedCharge = Payments.ChargeClosed(
        charge: charge, merchant: merchant, customer: customer, amount: price, reason: .expired, time: time)
    package static let paid = Payments.CreatePayment.Reply(receipt: merchantReceipt, replayed: false)
    package static let requested = chargeView(.requested)
    package static let captured = chargeView(.captured)

    package static let named = chargeView(.captured, customerName: "Alice", productIndex: 77)

    package static func chargeView(
        _ state: Payments.ChargeState, customerName: String? = nil, productIndex: Int64? = nil
    ) -> Payments.ChargeView {
        Payments.ChargeView(
            charge: charge, state: state, merchant: merchant, merchantName: "Corner \"Café\"", customer: customer,
            amount: price, memo: memo, requested: time, expires: state == .requested ? later : nil,
            decided: state == .requested ? nil : later, card: state == .captured ? card : nil,
            entry: state == .captured ? 1000 : nil, refunded: Money(state == .captured ? 150 : 0),
            presence: state == .captured ? presence : nil, coupon: state == .captured ? offer : nil,
            discount: state == .captured ? Money(50) : nil, customerName: customerName, productIndex: productIndex)
    }
}
