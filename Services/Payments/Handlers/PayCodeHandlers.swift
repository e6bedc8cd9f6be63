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
        let card = try await service.card(ask.card, of: ask.customer, in: context)
        let now = service.clock.now()
        let code = PayCode(
            id: Randomness.shared.identifier(at: now), customer: ask.customer, card: card,
            expires: now + service.rules.codeTime)
        let typed = ask.typed == true ? try await typed(code) : nil
        return Payments.IssueCode.Reply(
            code: code.sealed(with: service.codeKey), expires: code.expires, typed: typed?.text)
    }

    /// Makes a code for keyboards that stands for this one.
    private func typed(_ code: PayCode) async throws(Fault) -> TypedCode {
        while true {
            guard let typed = TypedCode(random: Randomness.shared.bytes(32)) else { continue }
            if try await service.store.keep(code, typedAs: typed.digest(with: service.codeKey)) { return typed }
        }
    }
}

extension TypedCode {
    /// The digest that is stored.
    fileprivate func digest(with key: [UInt8]) -> [UInt8] {
        Digest.blake2b(Array("typed \(text)".utf8), key: key, length: 16)
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
        let code = try await code(ask)
        let name = try await service.payee(ask.merchant, of: code.id, in: context)
        let now = service.clock.now()
        let isOver = now >= code.expires
        let content = content(ask)
        let redemption: Redemption
        if isOver {
            // Nothing pays with the code from now on. A repeat of an ask that did is answered again.
            guard try await isDecided(code, in: context) else { throw Fault(.codeExpired) }
            redemption = try await service.store.redemption(by: ask.attempt, of: code.id, content: content)
        } else {
            // A code with a longer life was made while the clock was ahead.
            if code.expires > now + service.rules.codeTime + Self.clockStepMax {
                guard try await service.payment(code.id, in: context) != nil else { throw Fault(.codeExpired) }
            }
            try await service.requireEnabled(code.customer, for: code.id, in: context)
            redemption = try await service.store.redeem(code.id, by: ask.attempt, content: content, at: now)
        }
        switch redemption {
        case .first, .again: break
        case .ofAnotherCode: throw Self.reused("redeemed another pay code")
        case .ofOtherContent: throw Self.reused("redeemed this pay code with another amount or memo")
        }
        // The customer agreed by showing the code. The merchant is the actor of this ask, not of the payment.
        do throws(Fault) {
            let paid = try await service.pay(
                Wallet.PostPayment(
                    payment: code.id, customer: code.customer, card: code.card, merchant: ask.merchant,
                    amount: ask.amount, memo: ask.memo, attempt: ask.attempt),
                merchantName: name, in: service.nested(context).onOwnBehalf)
            return Payments.RedeemCode.Reply(receipt: paid.receipt.shown(to: ask.merchant), replayed: paid.replayed)
        } catch {
            switch error.code {
            case .idReused: throw Fault(.codeUsed)  // by another attempt
            case .paymentClosed: throw Fault(.codeExpired)  // by an attempt that came later
            default: throw error
            }
        }
    }

    /// A digest of merchant, amount and memo, which a repeat has to have, too.
    private func content(_ ask: Payments.RedeemCode) -> [UInt8] {
        let text = "\(ask.merchant.hex) \(ask.amount.amount) \(ask.amount.currency.code) \(ask.memo)"
        return Digest.blake2b(Array(text.utf8), key: service.codeKey, length: 16)
    }

    private static func reused(_ did: String) -> Fault {
        Fault(
            .chargeIDReused,
            "An earlier request with this key \(did), and may have moved money: send that one again to learn its "
                + "outcome. Another sale needs a new key")
    }

    /// Closes an expired code in the wallet, which decides between this and a payment that is under way.
    ///
    /// - Returns: whether it was decided before.
    private func isDecided(_ code: PayCode, in context: AskContext) async throws(Fault) -> Bool {
        do throws(Fault) {
            return try await service.closeInWallet(code.id, .expired, in: service.nested(context).onOwnBehalf)
        } catch {
            throw Fault(.outcomeUnknown)
        }
    }

    /// The code that was scanned or typed.
    private func code(_ ask: Payments.RedeemCode) async throws(Fault) -> PayCode {
        if let scanned = PayCode(ask.code, key: service.codeKey) { return scanned }
        guard let typed = TypedCode(typed: ask.code) else { throw Fault(.codeInvalid) }
        let now = service.clock.now()
        let code = try await service.store.code(typedAs: typed.digest(with: service.codeKey))
        if let wait = service.guesses.wait(of: ask.merchant, at: now) {
            // A repeat of an attempt that was let through guesses nothing.
            if let code {
                let known = try await service.store.redemption(by: ask.attempt, of: code.id, content: content(ask))
                if known == .again || known == .ofOtherContent { return code }
            }
            throw Fault(
                .tooManyGuesses, "at most \(service.rules.guessesPerMinute) wrong codes a minute",
                retryAfterSeconds: wait)
        }
        if let code { return code }
        // The check character was right: somebody guesses, or the code is of long ago.
        service.guesses.add(to: ask.merchant, at: now)
        throw Fault(.codeInvalid)
    }
}
