import Bus
import Contracts

/// Pays at once. The wallet's commit makes the charge, so nothing is stored here first; mostly one ask is enough.
package struct CreatePaymentHandler: Forwarding {
    let service: ChargeService

    package init(service: ChargeService) { self.service = service }

    package func forward(
        _ ask: Payments.CreatePayment, in context: AskContext
    ) throws(Fault) -> Forward<Wallet.PostPayment, Payments.CreatePayment.Reply>? {
        try service.rules.check(ask.amount, memo: ask.memo)
        guard !service.store.disabled.contains(ask.customer), let name = service.merchants.payee(known: ask.merchant)
        else {
            return nil
        }
        return service.forward(payment(of: ask), merchantName: name, in: context)
    }

    package nonisolated(nonsending) func answer(
        _ ask: Payments.CreatePayment, in context: AskContext
    ) async throws(Fault) -> Payments.CreatePayment.Reply {
        try service.rules.check(ask.amount, memo: ask.memo)
        try await service.requireEnabled(ask.customer, for: ask.charge, in: context)
        let name = try await service.payee(ask.merchant, of: ask.charge, in: context)
        return try await service.pay(payment(of: ask), merchantName: name, in: service.nested(context))
    }

    private func payment(of ask: Payments.CreatePayment) -> Wallet.PostPayment {
        Wallet.PostPayment(
            payment: ask.charge, customer: ask.customer, card: ask.card, merchant: ask.merchant, amount: ask.amount,
            memo: ask.memo)
    }
}
