import Bus
import Contracts
import Primitives

/// Pays a requested charge. The wallet decides under the charge's id, and its decision is final.
package struct ApproveChargeHandler: Answering {
    let service: ChargeService

    package init(service: ChargeService) { self.service = service }

    package func answer(
        _ ask: Payments.ApproveCharge, in context: AskContext
    ) async throws(Fault) -> Payments.ApproveCharge.Reply {
        let charge = try await service.chargeToDecide(ask.charge, by: ask.customer, in: context)
        guard charge.customer == ask.customer else { throw Fault(.chargeNotFound) }
        if let amount = ask.amount, amount != charge.asked {
            throw Fault(
                .amountInvalid,
                charge.state == .captured
                    ? "the charge was for \(charge.asked.display) and is paid already; this request moved no money"
                    : "the charge is for \(charge.asked.display); this request moved no money")
        }
        let name = try await service.merchants.name(of: charge.merchant, in: context)
        if let decision = try Self.decision(on: charge, name) { return decision }
        guard let expires = charge.expires, service.clock.now() < expires else {
            return try await tooLate(charge, name, in: context)
        }
        let discount: Money?
        do throws(Fault) { discount = try await admit(ask, charge, expires: expires, in: context) } catch {
            // The charge here may be older than a decision in the wallet. That is the answer then, whatever is missing
            // now.
            if let current = try await service.find(ask.charge), let decision = try Self.decision(on: current, name) {
                return decision
            }
            guard try await service.payment(charge.id, in: context) == nil else {
                return try await alreadyDecided(charge, name, in: context)
            }
            throw error
        }
        do throws(Fault) {
            let paid = try await service.pay(
                Wallet.PostPayment(
                    payment: charge.id, customer: charge.customer, card: ask.card, merchant: charge.merchant,
                    amount: Money(charge.amount.amount - (discount?.amount ?? 0), charge.amount.currency),
                    memo: charge.memo, coupon: ask.coupon),
                merchantName: name, discount: discount, in: service.nested(context).by(expires))
            if !paid.replayed { service.unpaid.take(from: charge.merchant, at: service.clock.now()) }
            return paid
        } catch {
            if ChargeService.isDecided(error.code) { return try await alreadyDecided(charge, name, in: context) }
            if Self.mayBeLate(error.code), service.clock.now() >= expires {
                return try await tooLate(charge, name, in: context)
            }
            if Self.declines(error.code) {
                // A read after this refusal finds the charge declined. The refusal is answered even if that takes
                // too long.
                _ = try? await service.charge(charge.id, decidedBefore: service.nested(context).deadline)
            }
            throw error
        }
    }

    /// The answer to an approval of a decided charge; nil for one that waits.
    ///
    /// - Throws: the refusal of a charge that is closed.
    private static func decision(
        on charge: Charge, _ merchantName: String
    ) throws(Fault) -> Payments.ApproveCharge.Reply? {
        if let receipt = charge.receipt(merchantName: merchantName) { return .init(receipt: receipt, replayed: true) }
        if let refusal = charge.state.refusal { throw Fault(refusal) }
        return nil
    }

    /// Checks what the wallet does not, or would record as a refusal: a mistyped card must not spend the charge's id.
    ///
    /// - Returns: what the coupon takes off.
    private func admit(
        _ ask: Payments.ApproveCharge, _ charge: Charge, expires: Timestamp, in context: AskContext
    ) async throws(Fault) -> Money? {
        guard !service.store.disabled.contains(charge.customer) else { throw Fault(.paymentsDisabled) }
        try await service.requireCard(ask.card, of: ask.customer, in: context)
        return try await discount(ask.coupon, on: charge, expires: expires, in: context)
    }

    /// Reserves a coupon for this charge and returns its discount. The reservation ends with the charge, even if this
    /// process does not survive: the wallet's commit that names the coupon redeems it, any other end releases it.
    private func discount(
        _ coupon: OfferID?, on charge: Charge, expires: Timestamp, in context: AskContext
    ) async throws(Fault) -> Money? {
        guard let coupon else { return nil }
        // The customer was checked here; offers checks the rules of the offer.
        let reserved = try await service.bus.ask(
            Offers.ReserveCoupon(
                coupon: coupon, charge: charge.id, customer: charge.customer, merchant: charge.merchant,
                amount: charge.amount, expires: expires),
            in: service.nested(context).onOwnBehalf.by(expires))
        let discount = reserved.discount
        guard discount.currency == charge.amount.currency, discount.amount > 0, discount.amount < charge.amount.amount
        else { throw Fault(.couponNotUsable) }
        return discount
    }

    /// Whether the wallet has recorded the refusal, which spends the charge's id.
    private static func declines(_ code: FaultCode) -> Bool {
        [.insufficientFunds, .noCard, .cardNotFound, .accountNotFound].contains(code)
    }

    /// Whether the wallet has not paid in time, or has not said so.
    private static func mayBeLate(_ code: FaultCode) -> Bool { code == .deadlineExceeded || code == .outcomeUnknown }

    /// The charge's time is over. An approval that was in time may have been paid: the wallet knows.
    private func tooLate(
        _ charge: Charge, _ merchantName: String, in context: AskContext
    ) async throws(Fault) -> Payments.ApproveCharge.Reply {
        _ = try await service.closeInWallet(charge.id, .expired, in: service.nested(context).onOwnBehalf)
        return try await alreadyDecided(charge, merchantName, in: context)
    }

    /// Another decision was first: by the customer on another device, the merchant, or the expiry.
    private func alreadyDecided(
        _ charge: Charge, _ merchantName: String, in context: AskContext
    ) async throws(Fault) -> Payments.ApproveCharge.Reply {
        let decided = try await service.charge(charge.id, decidedBefore: context.deadline)
        guard let decision = try Self.decision(on: decided, merchantName) else { throw Fault(.unavailable) }
        return decision
    }
}

package struct DeclineChargeHandler: Answering {
    let service: ChargeService

    package init(service: ChargeService) { self.service = service }

    package func answer(
        _ ask: Payments.DeclineCharge, in context: AskContext
    ) async throws(Fault) -> Payments.DeclineCharge.Reply {
        let charge = try await service.chargeToDecide(ask.charge, by: ask.customer, in: context)
        guard charge.customer == ask.customer else { throw Fault(.chargeNotFound) }
        return try await service.close(charge, .declined, in: context)
    }
}

package struct CancelChargeHandler: Answering {
    let service: ChargeService

    package init(service: ChargeService) { self.service = service }

    package func answer(
        _ ask: Payments.CancelCharge, in context: AskContext
    ) async throws(Fault) -> Payments.CancelCharge.Reply {
        let charge = try await service.chargeToDecide(ask.charge, by: ask.merchant, in: context)
        guard charge.merchant == ask.merchant else { throw Fault(.chargeNotFound) }
        return try await service.close(charge, .cancelled, in: context)
    }
}

package struct RefundChargeHandler: Answering {
    let service: ChargeService

    package init(service: ChargeService) { self.service = service }

    package func answer(
        _ ask: Payments.RefundCharge, in context: AskContext
    ) async throws(Fault) -> Payments.RefundCharge.Reply {
        let charge = try await chargeToRefund(ask, in: context)
        let recorded = try await service.bus.ask(
            Wallet.PostRefund(
                operation: ask.refund, payment: charge.id, merchant: charge.merchant, amount: ask.amount),
            in: service.nested(context))
        service.watermark.raise(to: recorded.sequence)
        let refund = recorded.result
        return Payments.RefundCharge.Reply(
            refund: refund.operation, charge: charge.id, amount: refund.amount, refunded: refund.refunded,
            entry: refund.entry, time: refund.time, replayed: recorded.replayed)
    }

    /// A payment is never undone: one that is known here need not wait for the wallet's newer facts.
    private func chargeToRefund(
        _ ask: Payments.RefundCharge, in context: AskContext
    ) async throws(Fault) -> Charge {
        if let known = try await service.find(ask.charge), known.merchant == ask.merchant, known.state == .captured {
            return known
        }
        let charge = try await service.charge(ask.charge, for: ask.merchant, in: context)
        guard charge.merchant == ask.merchant else { throw Fault(.chargeNotFound) }
        guard charge.state == .captured else { throw Fault(.chargeNotCaptured) }
        return charge
    }
}
