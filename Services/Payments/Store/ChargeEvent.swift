import Bus
import Contracts
import Primitives
import Wire

extension Charge.Event {
    /// What a fact of the wallet means for a charge; nil for nothing.
    ///
    /// - Throws: if a fact of a known type cannot be read. Skipping it could lose a payment, so the reader stops.
    package init?(_ fact: Envelope) throws(WireError) {
        switch fact.type {
        case Wallet.PaymentPosted.type.name: self = .captured(try Wallet.PaymentPosted(json: fact.data))
        case Wallet.PaymentClosed.type.name:
            let closed = try Wallet.PaymentClosed(json: fact.data)
            self = .closed(closed.payment, closed.reason, at: closed.time)
        case Wallet.RefundPosted.type.name: self = .refunded(try Wallet.RefundPosted(json: fact.data))
        case Wallet.OperationDeclined.type.name:
            // The wallet refused an approval: the charge's id is spent, so the charge is declined.
            let declined = try Wallet.OperationDeclined(json: fact.data)
            guard declined.ask == Wallet.PostPayment.type.name else { return nil }
            self = .closed(declined.operation.reinterpreted(), .declined, at: declined.time)
        default: return nil
        }
    }
}

extension Wallet.TransferPosted {
    /// What its receiver is told.
    var wasReceived: Payments.TransferReceived {
        Payments.TransferReceived(
            operation: operation, from: from.party, to: to.party, amount: amount, memo: memo, time: time)
    }
}
