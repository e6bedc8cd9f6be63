import Bus
import Contracts
import Primitives
import Wire

/// What one of the wallet's facts means for charges.
package enum ChargeProjection: Equatable, Sendable {
    case captured(Wallet.PaymentPosted)
    case closed(ChargeID, Wallet.CloseReason, Timestamp)
    case refunded(Wallet.RefundPosted)
    case nothing

    /// - Throws: when a fact of a known type cannot be read. Going on would lose a payment, so the reader stops there.
    package init(_ fact: Envelope) throws(WireError) {
        switch fact.type {
        case Wallet.PaymentPosted.type.name: self = .captured(try Wallet.PaymentPosted(json: fact.data))
        case Wallet.PaymentClosed.type.name:
            let closed = try Wallet.PaymentClosed(json: fact.data)
            self = .closed(closed.payment, closed.reason, closed.time)
        case Wallet.RefundPosted.type.name: self = .refunded(try Wallet.RefundPosted(json: fact.data))
        case Wallet.OperationDeclined.type.name:
            // An approval that the wallet refused (A56): the charge's id is spent, so the charge is declined.
            let declined = try Wallet.OperationDeclined(json: fact.data)
            self =
                declined.ask == Wallet.PostPayment.type.name
                ? .closed(declined.operation.reinterpreted(), .declined, declined.time) : .nothing
        default: self = .nothing
        }
    }
}
