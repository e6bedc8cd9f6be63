import Bus
import Contracts

/// Pay now: needs no record of its own before the wallet's, whose commit makes the charge.
package struct CreatePaymentHandler: Answering {
    let desk: ChargeDesk

    package init(desk: ChargeDesk) { self.desk = desk }

    package nonisolated(nonsending) func answer(
        _ ask: Payments.CreatePayment, in context: AskContext
    ) async throws(Fault) -> Payments.CreatePayment.Reply {
        try context.require(ask.customer, as: .customer)
        try desk.rules.check(ask.amount, memo: ask.memo)
        try await desk.requireEnabled(ask.customer, for: ask.charge, in: context)
        let name = try await desk.payee(ask.merchant, of: ask.charge, in: context)
        let payment = Wallet.PostPayment(
            payment: ask.charge, customer: ask.customer, card: ask.card, merchant: ask.merchant, amount: ask.amount,
            memo: ask.memo)
        return try await desk.pay(payment, merchantName: name, in: context)
    }
}
