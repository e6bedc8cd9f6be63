import Contracts
import Primitives

extension LedgerGroup {
    /// Pays a merchant from a card, under the charge's id.
    ///
    /// - Faults: `wallet.amount_invalid`, `wallet.currency_mismatch`, `bus.malformed` (memo), `wallet.payment_closed`,
    ///   `wallet.id_reused`: nothing is kept. Recorded: `wallet.no_card`, `wallet.card_not_found`,
    ///   `wallet.account_not_found`, `wallet.insufficient_funds`, `wallet.amount_invalid` (range).
    package mutating func decide(_ ask: Wallet.PostPayment, cause: JournaledCause) throws -> Decision {
        if let fault = rules.fault(of: ask.amount) ?? rules.fault(ofMemo: ask.memo) { return .refused(fault) }
        let payment: OperationID = ask.payment.reinterpreted()
        let fingerprint = Fingerprint(of: ask)
        if let known = try recorded(payment) {
            return known.kind == .paymentClosed ? .refused(Fault(.paymentClosed)) : known.replay(for: fingerprint)
        }
        return try first(payment, ask, fingerprint: fingerprint, cause: cause) { group in
            let card = try group.cardIndex(ask.card, of: ask.customer)
            let merchant = try group.merchantIndex(ask.merchant)
            let amount = ask.amount.amount
            guard try group.hasAvailable(amount, at: card) else { throw Decline(.insufficientFunds) }
            try group.checkRange(amount, from: card, to: merchant)
            let entry = group.move(amount, from: card, to: merchant, .payment, payment, memo: ask.memo)
            // The card that last paid is the one that the app shows.
            if let named = ask.card, try group.defaultCard(of: ask.customer) != named {
                group.setDefaultCard(named, of: ask.customer)
            }
            return Done(
                .paymentPosted,
                Wallet.PaymentPosted(
                    payment: ask.payment, customer: ask.customer, card: entry.debit.reinterpreted(),
                    merchant: ask.merchant, amount: ask.amount, memo: ask.memo,
                    cardBalance: group.money(entry.debitAfter), entry: entry.number, time: group.now,
                    coupon: ask.coupon))
        }
    }

    /// Closes a charge's id: no payment can be posted under it any more.
    ///
    /// A payment with a recorded refusal is closed already: the answer is `wallet.payment_closed`.
    ///
    /// - Faults, none recorded: `wallet.payment_posted`, `wallet.payment_closed` (for another reason, or refused),
    ///   `wallet.id_reused` (the id is not a payment's).
    package mutating func decide(_ ask: Wallet.ClosePayment, cause: JournaledCause) throws -> Decision {
        let payment: OperationID = ask.payment.reinterpreted()
        let fingerprint = Fingerprint(of: ask)
        if let known = try recorded(payment), known.fingerprint != fingerprint {
            switch known.kind {
            case .paymentPosted: return .refused(Fault(.paymentPosted))
            case .paymentClosed: return .refused(Fault(.paymentClosed))
            case .operationDeclined where known.declinedAsk == Wallet.PostPayment.type.name:
                return .refused(Fault(.paymentClosed, "The payment was refused before"))
            default: return .refused(Fault(.idReused))
            }
        }
        return try keyed(payment, ask, fingerprint: fingerprint, cause: cause) { group in
            Done(.paymentClosed, Wallet.PaymentClosed(payment: ask.payment, reason: ask.reason, time: group.now))
        }
    }
}

extension JournalRow {
    /// The type of the ask with a recorded refusal; nil for a success, and for a row that this program did not write.
    fileprivate var declinedAsk: String? {
        kind == .operationDeclined ? (try? Wallet.OperationDeclined(json: body))?.ask : nil
    }
}
