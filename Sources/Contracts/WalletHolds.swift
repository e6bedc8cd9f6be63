import Primitives
import Wire

extension Wallet {
    /// Sets money aside on a card for a merchant. Keyed on `hold`.
    package struct PlaceHold: Ask, Equatable {
        package static let type: MessageType = "wallet.hold.place.v1"
        package static let effect: Effect<Self> = .keyed(by: \.hold)
        package static let access: Access<Self> = .only(\.customer, .customer)
        package static let limits: [Limit<Self>] = [.amount(\.amount)]
        package static let faults: [FaultCode] = [
            .amountInvalid, .currencyMismatch, .insufficientFunds, .cardNotFound, .noCard, .accountNotFound,
            .holdExpired,
            .idReused
        ]
        package static var examples: Examples<Self> {
            Examples(
                Wallet.PlaceHold(
                    hold: Samples.hold, customer: Samples.customer, card: Samples.card, merchant: Samples.merchant,
                    amount: Samples.price, expires: Samples.later),
                bare: Wallet.PlaceHold(
                    hold: Samples.hold, customer: Samples.customer, card: nil, merchant: Samples.merchant,
                    amount: Samples.price, expires: Samples.later),
                reply: Recorded(Samples.holdPlaced, sequence: 42, replayed: false))
        }
        package typealias Reply = Recorded<HoldPlaced>

        package let hold: OperationID
        package let customer: PartyID
        package let card: CardID?
        package let merchant: PartyID
        package let amount: Money
        /// When the hold is released by itself.
        package let expires: Timestamp
    }

    /// Pays from a hold, in full or in part; what is not captured is released. Keyed on `operation`.
    package struct CaptureHold: Ask, Equatable {
        package static let type: MessageType = "wallet.hold.capture.v1"
        package static let effect: Effect<Self> = .keyed(by: \.operation)
        // Only the ledger knows whose hold it is: another merchant's is `bus.forbidden` too.
        package static let access: Access<Self> = .any(.merchant)
        package static let limits: [Limit<Self>] = [.amount(\.amount)]
        package static let faults: [FaultCode] = [
            .holdNotFound, .holdCaptured, .holdVoided, .holdExpired, .amountInvalid, .currencyMismatch, .idReused
        ]
        package static var examples: Examples<Self> {
            Examples(
                Wallet.CaptureHold(operation: Samples.operation, hold: Samples.hold, amount: Money(300)),
                bare: Wallet.CaptureHold(operation: Samples.operation, hold: Samples.hold),
                reply: Recorded(Samples.holdCaptured, sequence: 42, replayed: false))
        }
        package typealias Reply = Recorded<HoldCaptured>

        package let operation: OperationID
        package let hold: OperationID
        /// The whole hold where none is given.
        package let amount: Money?
    }

    /// Releases a hold. Keyed on `operation`.
    package struct VoidHold: Ask, Equatable {
        package static let type: MessageType = "wallet.hold.void.v1"
        package static let effect: Effect<Self> = .keyed(by: \.operation)
        package static let access: Access<Self> = .any(.merchant)
        package static let faults: [FaultCode] = [.holdNotFound, .holdCaptured, .holdVoided, .holdExpired, .idReused]
        package static var examples: Examples<Self> {
            Examples(
                Wallet.VoidHold(operation: Samples.operation, hold: Samples.hold),
                reply: Recorded(Samples.holdVoided, sequence: 42, replayed: false))
        }
        package typealias Reply = Recorded<HoldVoided>

        package let operation: OperationID
        package let hold: OperationID
    }
}
