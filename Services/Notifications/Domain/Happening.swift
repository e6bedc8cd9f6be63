import Bus
import Contracts
import Primitives
import Wire

/// What one of the others' facts means to somebody's inbox.
package enum Happening: Sendable, Equatable {
    case requested(Payments.ChargeRequested)
    case captured(Payments.ChargeCaptured)
    case closed(Payments.ChargeClosed)
    case refunded(Payments.ChargeRefunded)
    case transferReceived(Payments.TransferReceived)
    case sent(Offers.OfferSent)
    case offerDecided(Offers.OfferDecided)
    case merchantDecided(Auth.MerchantDecided)
    case credentialChanged(Auth.CredentialChanged)

    /// Nil for what nobody is told of. Payments tells of every payment there is: one that was not requested, to a
    /// merchant without a web hook, costs no more than reading it.
    package init?(_ fact: Envelope, hasHook: (PartyID) -> Bool) throws(WireError) {
        switch fact.type {
        case Payments.ChargeCaptured.type.name:
            let captured = try Payments.ChargeCaptured(json: fact.data)
            guard captured.requested == true || hasHook(captured.merchant) else { return nil }
            self = .captured(captured)
        case Payments.ChargeRequested.type.name: self = .requested(try .init(json: fact.data))
        case Payments.ChargeClosed.type.name: self = .closed(try .init(json: fact.data))
        case Payments.ChargeRefunded.type.name: self = .refunded(try .init(json: fact.data))
        case Payments.TransferReceived.type.name: self = .transferReceived(try .init(json: fact.data))
        case Offers.OfferSent.type.name: self = .sent(try .init(json: fact.data))
        case Offers.OfferDecided.type.name: self = .offerDecided(try .init(json: fact.data))
        case Auth.MerchantDecided.type.name: self = .merchantDecided(try .init(json: fact.data))
        case Auth.CredentialChanged.type.name: self = .credentialChanged(try .init(json: fact.data))
        default: return nil
        }
    }

    /// Whose name the reader reads, where the fact does not have it.
    package var accountToName: PartyID? {
        switch self {
        case .requested(let fact): fact.merchantName == nil ? fact.merchant : nil
        case .closed(let fact): fact.merchantName == nil && fact.reason != .declined ? fact.merchant : nil
        case .refunded(let fact): fact.merchantName == nil ? fact.merchant : nil
        case .transferReceived(let fact): fact.from
        case .captured, .sent, .offerDecided, .merchantDecided, .credentialChanged: nil
        }
    }
}

/// A happening with the fact that it came in: where it stands in its source, and what it hands on.
package struct Heard: Sendable {
    package let happening: Happening
    package let fact: Envelope

    package init(_ happening: Happening, _ fact: Envelope) {
        self.happening = happening
        self.fact = fact
    }
}
