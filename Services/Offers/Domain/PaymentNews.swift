import Bus
import Contracts
import Primitives
import Wire

/// What a fact of payments means for histories and coupons.
package enum PaymentNews: Sendable, Equatable {
    case captured(Payments.ChargeCaptured)
    case closed(Payments.ChargeClosed)
    case refunded(Payments.ChargeRefunded)
    case nothing

    /// - Throws: if a fact of a known type cannot be read. Skipping it could lose a coupon, so the reader stops.
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
    /// Whether the whole amount has been refunded: that takes back visit and star, a refund in part takes neither.
    /// False for a fact of an older version that lacks the amount paid.
    package var isInFull: Bool {
        guard let paid else { return false }
        return refunded.amount >= paid.amount && refunded.amount - amount.amount < paid.amount
    }
}
