import Bus
import Contracts

/// Pay now: needs no record of its own before the wallet's, whose commit makes the charge. Mostly one ask does it all.
package struct CreatePaymentHandler: Forwarding {
    let desk: ChargeDesk

    package init(desk: ChargeDesk) { self.desk = desk }

    package func forward(
        _ ask: Payments.CreatePayment, in context: AskContext
    ) throws(Fault) -> Forward<Wallet.PostPayment, Payments.CreatePayment.Reply>? {
        try desk.rules.check(ask.amount, memo: ask.memo)
        guard !desk.store.disabled.contains(ask.customer), let name = desk.merchants.payee(known: ask.merchant) else {
            return nil
        }
        return desk.forward(payment(of: ask), merchantName: name, in: context)
    }

    package nonisolated(nonsending) func answer(
        _ ask: Payments.CreatePayment, in context: AskContext
    ) async throws(Fault) -> Payments.CreatePayment.Reply {
        try desk.rules.check(ask.amount, memo: ask.memo)
        try await desk.requireEnabled(ask.customer, for: ask.charge, in: context)
        let name = try await desk.payee(ask.merchant, of: ask.charge, in: context)
        return try await desk.pay(payment(of: ask), merchantName: name, in: context)
    }

    private func payment(of ask: Payments.CreatePayment) -> Wallet.PostPayment {
        Wallet.PostPayment(
            payment: ask.charge, customer: ask.customer, card: ask.card, merchant: ask.merchant, amount: ask.amount,
            memo: ask.memo)
    }
}
