import Bus
import Contracts

/// Pay now: needs no record of its own before the wallet's, whose commit makes the charge.
package struct CreatePaymentHandler: Answering {
    let service: ChargeService

    package init(service: ChargeService) { self.service = service }

    package nonisolated(nonsending) func answer(
        _ ask: Payments.CreatePayment, in context: AskContext
    ) async throws(Fault) -> Payments.CreatePayment.Reply {
        try service.rules.check(ask.amount, memo: ask.memo)
        try await service.requireEnabled(ask.customer, for: ask.charge, in: context)
        let name = try await service.payee(ask.merchant, of: ask.charge, in: context)
        let payment = Wallet.PostPayment(
            payment: ask.charge, customer: ask.customer, card: ask.card, merchant: ask.merchant, amount: ask.amount,
            memo: ask.memo)
        return try await service.pay(payment, merchantName: name, in: context)
    }
}
