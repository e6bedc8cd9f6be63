import Bus
import Contracts
import Primitives
import Wire

/// What one of payments' facts means for histories and coupons.
package enum PaymentNews: Sendable, Equatable {
    case captured(Payments.ChargeCaptured)
    case closed(Payments.ChargeClosed)
    case refunded(Payments.ChargeRefunded)
    case nothing

    /// - Throws: when a fact of a known type cannot be read. Going on would lose a coupon, so the reader stops there.
    package init(_ fact: Envelope) throws(WireError) {
        switch fact.type {
        case Payments.ChargeCaptured.type.name: self = .captured(try .init(json: fact.data))
        case Payments.ChargeClosed.type.name: self = .closed(try .init(json: fact.data))
        case Payments.ChargeRefunded.type.name: self = .refunded(try .init(json: fact.data))
        default: self = .nothing
        }
    }
}

extension Payments.ChargeRefunded {
    /// Whether all has been paid back now: a refund in full takes visit and star back, one in part neither. Not known
    /// of one that was told by a version that did not say what had been paid.
    package var isInFull: Bool {
        guard let paid else { return false }
        return refunded.amount >= paid.amount && refunded.amount - amount.amount < paid.amount
    }
}
