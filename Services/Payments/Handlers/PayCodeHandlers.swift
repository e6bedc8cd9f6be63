import Bus
import Contracts
import Primitives
import Sodium

package struct IssueCodeHandler: Answering {
    let service: ChargeService

    package init(service: ChargeService) { self.service = service }

    package func answer(
        _ ask: Payments.IssueCode, in context: AskContext
    ) async throws(Fault) -> Payments.IssueCode.Reply {
        guard !service.store.disabled.contains(ask.customer) else { throw Fault(.paymentsDisabled) }
        // Fixes the card now: the one that the customer sees pays.
        let card = try await service.bus.ask(
            Wallet.ReadCard(customer: ask.customer, card: ask.card), in: service.nested(context))
        let now = service.clock.now()
        let code = PayCode(
            id: Randomness.shared.identifier(at: now), customer: ask.customer, card: card.card,
            expires: now + service.rules.codeTime)
        return Payments.IssueCode.Reply(code: code.sealed(with: service.codeKey), expires: code.expires)
    }
}

package struct RedeemCodeHandler: Answering {
    let service: ChargeService

    /// How far the clock may be set back while a code is shown.
    private static let clockStepMax = Duration.seconds(30)

    package init(service: ChargeService) { self.service = service }

    package func answer(
        _ ask: Payments.RedeemCode, in context: AskContext
    ) async throws(Fault) -> Payments.RedeemCode.Reply {
        try service.rules.check(ask.amount, memo: ask.memo)
        guard let code = PayCode(ask.code, key: service.codeKey) else { throw Fault(.codeInvalid) }
        let name = try await service.payee(ask.merchant, of: code.id, in: context)
        let now = service.clock.now()
        // A code with a longer life was made while the clock was ahead.
        if now >= code.expires || code.expires > now + service.rules.codeTime + Self.clockStepMax {
            // An expired code cannot be spent, but a repeat of an ask that spent it is answered again.
            try await service.caughtUp(service.watermark.sequence, context.deadline)
            guard try await service.find(code.id)?.state == .captured else { throw Fault(.codeExpired) }
        }
        try await service.requireEnabled(code.customer, for: code.id, in: context)
        // The customer agreed by showing the code. The merchant is the actor of this ask, not of the payment.
        do throws(Fault) {
            return try await service.pay(
                Wallet.PostPayment(
                    payment: code.id, customer: code.customer, card: code.card, merchant: ask.merchant,
                    amount: ask.amount, memo: ask.memo, attempt: ask.attempt),
                merchantName: name, in: context.onOwnBehalf)
        } catch {
            throw error.code == .idReused ? Fault(.codeUsed) : error
        }
    }
}
