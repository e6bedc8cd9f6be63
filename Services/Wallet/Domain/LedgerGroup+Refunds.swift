import Contracts
import Primitives

extension LedgerGroup {
    /// Refunds a payment or a captured hold, in full or in part, to the card that paid.
    ///
    /// `payment` is the id of the operation that moved the money: the charge's for a payment, the capture's own
    /// `operation` for a hold.
    ///
    /// - Faults: `wallet.amount_invalid`, `wallet.currency_mismatch`, `wallet.id_reused`: nothing is kept. Recorded:
    ///   `wallet.payment_not_found` (also another merchant's), `wallet.refund_too_large`, `wallet.insufficient_funds`
    ///   (the merchant has spent it), `wallet.amount_invalid` (range).
    package mutating func decide(_ ask: Wallet.PostRefund, cause: JournaledCause) throws -> Decision {
        if let fault = ask.amount.flatMap(rules.fault(of:)) { return .refused(fault) }
        return try keyed(ask.operation, ask, fingerprint: Fingerprint(of: ask), cause: cause) { group in
            let id: OperationID = ask.payment.reinterpreted()
            guard let paid = try group.recorded(id)?.paid, paid.merchant == ask.merchant else {
                throw Decline(.paymentNotFound)
            }
            let known = try group.refundIndex(id)
            let before = known.map { group.refundTotal(at: $0).refunded } ?? 0
            let left = paid.amount - before
            let amount = ask.amount?.amount ?? left
            guard amount > 0, amount <= left else { throw Decline(.refundTooLarge) }
            guard let card = try group.index(paid.card.reinterpreted()) else { throw Decline(.paymentNotFound) }
            let merchant = try group.merchantIndex(paid.merchant)
            guard group.account(at: merchant).available >= amount else { throw Decline(.insufficientFunds) }
            try group.checkRange(amount, from: merchant, to: card)

            let index =
                known ?? group.insert(RefundTotal(payment: id, captured: paid.amount, refunded: 0), .added)
            group.addRefund(amount, at: index)
            let entry = group.move(amount, from: merchant, to: card, .refund, ask.operation)
            return Done(
                .refundPosted,
                Wallet.RefundPosted(
                    operation: ask.operation, payment: ask.payment, card: paid.card, merchant: paid.merchant,
                    amount: group.money(amount), refunded: group.money(before + amount),
                    cardBalance: group.money(entry.creditAfter), entry: entry.number, time: group.now))
        }
    }
}

/// What a refund needs to know of what it pays back.
struct Paid {
    let card: CardID
    let merchant: PartyID
    let amount: Int64
}

extension JournalRow {
    /// Nil unless the row is of an operation that paid a merchant, and one that this program wrote.
    var paid: Paid? {
        switch kind {
        case .paymentPosted:
            (try? Wallet.PaymentPosted(json: body)).map {
                Paid(card: $0.card, merchant: $0.merchant, amount: $0.amount.amount)
            }
        case .holdCaptured:
            (try? Wallet.HoldCaptured(json: body)).map {
                Paid(card: $0.card, merchant: $0.merchant, amount: $0.amount.amount)
            }
        default: nil
        }
    }
}
