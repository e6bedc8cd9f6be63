import Primitives

/// Money that is reserved on a card for a merchant. It ends once: captured, voided or expired.
package struct Hold: Equatable, Sendable {
    /// The raw value is stored.
    package enum State: Int64, Sendable, CaseIterable {
        case open = 0
        case captured = 1
        case voided = 2
        case expired = 3
    }

    package let id: OperationID
    package let card: CardID
    package let customer: PartyID
    package let merchant: PartyID
    /// Minor units of the ledger's currency.
    package let amount: Int64
    /// From this time on it cannot be captured.
    package let expires: Timestamp
    package var state: State
    /// The amount that was captured, in minor units; 0 unless captured.
    package var captured: Int64
    /// The sequence of the fact that ended it; nil while it is open.
    package var ended: Int64?

    package init(
        id: OperationID, card: CardID, customer: PartyID, merchant: PartyID, amount: Int64, expires: Timestamp,
        state: State = .open, captured: Int64 = 0, ended: Int64? = nil
    ) {
        self.id = id
        self.card = card
        self.customer = customer
        self.merchant = merchant
        self.amount = amount
        self.expires = expires
        self.state = state
        self.captured = captured
        self.ended = ended
    }
}

/// The refunds of one payment, in minor units.
package struct RefundTotal: Equatable, Sendable {
    /// The operation that paid: a payment or a capture.
    package let payment: OperationID
    package let captured: Int64
    package var refunded: Int64
    /// The sequence of the newest refund's fact.
    package var newest: Int64

    package init(payment: OperationID, captured: Int64, refunded: Int64, newest: Int64 = 0) {
        self.payment = payment
        self.captured = captured
        self.refunded = refunded
        self.newest = newest
    }
}

/// A card in its customer's list. The number itself is not stored.
package struct CardRecord: Equatable, Sendable {
    package let card: CardID
    package let customer: PartyID
    /// Keyed digest of the 16 digits, 32 bytes.
    package let numberDigest: [UInt8]
    package let lastFour: String
    /// The sequence of `CardAdded`: orders a customer's cards.
    package let position: Int64

    package init(card: CardID, customer: PartyID, numberDigest: [UInt8], lastFour: String, position: Int64) {
        self.card = card
        self.customer = customer
        self.numberDigest = numberDigest
        self.lastFour = lastFour
        self.position = position
    }
}
