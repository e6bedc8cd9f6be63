import Bus
import Contracts
import Primitives
import Wire

/// A fact of another service that leads to notices or to calls of web hooks.
package enum NotifiableEvent: Sendable, Equatable {
    case requested(Payments.ChargeRequested)
    case captured(Payments.ChargeCaptured)
    case closed(Payments.ChargeClosed)
    case refunded(Payments.ChargeRefunded)
    case transferReceived(Payments.TransferReceived)
    case sent(Offers.OfferSent)
    case offerDecided(Offers.OfferDecided)
    case merchantDecided(Auth.MerchantDecided)
    case credentialChanged(Auth.CredentialChanged)
    case reminderDue(Routines.ReminderDue)
    case orderPaid(Ordering.OrderPaid)
    case orderFinished(Ordering.OrderFinished)
    /// Notifies nobody: it changes settings.
    case quietHoursMoved(Offers.QuietHoursMoved)

    /// Nil for a fact that notifies nobody, such as an immediate payment to a merchant without a web hook.
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
        case Routines.ReminderDue.type.name: self = .reminderDue(try .init(json: fact.data))
        case Ordering.OrderPaid.type.name: self = .orderPaid(try .init(json: fact.data))
        case Ordering.OrderFinished.type.name: self = .orderFinished(try .init(json: fact.data))
        case Offers.QuietHoursMoved.type.name: self = .quietHoursMoved(try .init(json: fact.data))
        default: return nil
        }
    }

    /// The account whose name the notice needs, if the fact lacks it.
    package var accountToName: PartyID? {
        switch self {
        case .requested(let fact): fact.merchantName == nil ? fact.merchant : nil
        case .closed(let fact): fact.merchantName == nil && fact.reason != .declined ? fact.merchant : nil
        case .refunded(let fact): fact.merchantName == nil ? fact.merchant : nil
        case .transferReceived(let fact): fact.from
        case .captured, .sent, .offerDecided, .merchantDecided, .credentialChanged, .reminderDue, .orderPaid,
            .orderFinished, .quietHoursMoved:
            nil
        }
    }
}

/// An event with the envelope of its fact, which carries sequence and causation.
package struct ConsumedEvent: Sendable {
    package let event: NotifiableEvent
    package let fact: Envelope

    package init(_ event: NotifiableEvent, _ fact: Envelope) {
        self.event = event
        self.fact = fact
    }
}
