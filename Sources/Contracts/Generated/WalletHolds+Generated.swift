// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Wallet.PlaceHold {
    package init(
        hold: OperationID,
        customer: PartyID,
        card: CardID? = nil,
        merchant: PartyID,
        amount: Money,
        expires: Timestamp,
        _: Void = ()
    ) {
        self.hold = hold
        self.customer = customer
        self.card = card
        self.merchant = merchant
        self.amount = amount
        self.expires = expires
    }

    package static var summary: String { "Sets money aside on a card for a merchant. Keyed on `hold`." }
    package static var fields: [Field<Self>] {
        [
            Field("hold", \.hold),
            Field("customer", \.customer),
            Field("card", \.card),
            Field("merchant", \.merchant),
            Field("amount", \.amount),
            Field("expires", \.expires, "When the hold is released by itself."),
        ]
    }
}

extension Wallet.CaptureHold {
    package init(
        operation: OperationID,
        hold: OperationID,
        amount: Money? = nil,
        _: Void = ()
    ) {
        self.operation = operation
        self.hold = hold
        self.amount = amount
    }

    package static var summary: String { "Pays from a hold, in full or in part; what is not captured is released. Keyed on `operation`." }
    package static var fields: [Field<Self>] {
        [
            Field("operation", \.operation),
            Field("hold", \.hold),
            Field("amount", \.amount, "The whole hold where none is given."),
        ]
    }
}

extension Wallet.VoidHold {
    package init(
        operation: OperationID,
        hold: OperationID,
        _: Void = ()
    ) {
        self.operation = operation
        self.hold = hold
    }

    package static var summary: String { "Releases a hold. Keyed on `operation`." }
    package static var fields: [Field<Self>] {
        [
            Field("operation", \.operation),
            Field("hold", \.hold),
        ]
    }
}
