import Bus
import Contracts
import Primitives
import Sodium

package struct IssueCodeHandler: Answering {
    let desk: ChargeDesk

    package init(desk: ChargeDesk) { self.desk = desk }

    package func answer(
        _ ask: Payments.IssueCode, in context: AskContext
    ) async throws(Fault) -> Payments.IssueCode.Reply {
        guard !desk.store.disabled.contains(ask.customer) else { throw Fault(.paymentsDisabled) }
        // The card is settled now: what the customer saw when the code was made is what pays.
        let card = try await desk.bus.ask(
            Wallet.ReadCard(customer: ask.customer, card: ask.card), in: desk.nested(context))
        let now = desk.clock.now()
        let code = PayCode(
            id: Randomness.shared.identifier(at: now), customer: ask.customer, card: card.card,
            expires: now + desk.rules.codeTime)
        return Payments.IssueCode.Reply(code: code.sealed(with: desk.codeKey), expires: code.expires)
    }
}

package struct RedeemCodeHandler: Answering {
    let desk: ChargeDesk

    /// How far a clock may be set back while a code is shown.
    private static let clockStepMax = Duration.seconds(30)

    package init(desk: ChargeDesk) { self.desk = desk }

    package func answer(
        _ ask: Payments.RedeemCode, in context: AskContext
    ) async throws(Fault) -> Payments.RedeemCode.Reply {
        try desk.rules.check(ask.amount, memo: ask.memo)
        guard let code = PayCode(ask.code, key: desk.codeKey) else { throw Fault(.codeInvalid) }
        let name = try await desk.payee(ask.merchant, of: code.id, in: context)
        let now = desk.clock.now()
        // One that would last longer than any was made while the clock was ahead.
        if now >= code.expires || code.expires > now + desk.rules.codeTime + Self.clockStepMax {
            // Too late to spend it, but not to hear again what came of spending it in time.
            try await desk.caughtUp(desk.watermark.sequence, context.deadline)
            guard try await desk.find(code.id)?.state == .captured else { throw Fault(.codeExpired) }
        }
        try await desk.requireEnabled(code.customer, for: code.id, in: context)
        // The customer agreed by showing the code; the merchant is the actor of this ask, not of the payment.
        do throws(Fault) {
            return try await desk.pay(
                Wallet.PostPayment(
                    payment: code.id, customer: code.customer, card: code.card, merchant: ask.merchant,
                    amount: ask.amount, memo: ask.memo, attempt: ask.attempt),
                merchantName: name, in: context.onOwnBehalf)
        } catch {
            throw error.code == .idReused ? Fault(.codeUsed) : error
        }
    }
}
