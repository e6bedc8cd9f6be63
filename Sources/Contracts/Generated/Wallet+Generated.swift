// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Wallet {
    package static var summary: String { "Cards and the ledger: the only place where money moves. All keys of its asks share one space. Someone else's card is `wallet.card_not_found`." }
}

extension Wallet.AddCard {
    package init(
        card: CardID,
        customer: PartyID,
        number: String,
        code: String,
        _: Void = ()
    ) {
        self.card = card
        self.customer = customer
        self.number = number
        self.code = code
    }

    package static var summary: String { "Registers a card with its opening balance ($16.50) and makes it the customer's default. Keyed on `card`." }
    package static var fields: [Field<Self>] {
        [
            Field("card", \.card),
            Field("customer", \.customer),
            Field("number", \.number, "16 digits."),
            Field("code", \.code, "8 digits. Checked for its form and not kept."),
        ]
    }
}

extension Wallet.ChooseCard {
    package init(
        customer: PartyID,
        card: CardID,
        _: Void = ()
    ) {
        self.customer = customer
        self.card = card
    }

    package static var summary: String { "Chooses the card that pays when an ask names none." }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
            Field("card", \.card),
        ]
    }
}

extension Wallet.ReadCard {
    package init(
        customer: PartyID,
        card: CardID? = nil,
        _: Void = ()
    ) {
        self.customer = customer
        self.card = card
    }

    package static var summary: String { "One card's balance; the default card's where none is named." }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
            Field("card", \.card),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("customer", customer)
        writer.field("card", card)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var customer: PartyID?
        var card: CardID?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "customer": try reader.take(&customer, key)
            case "card": try reader.takeOptional(&card, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            customer: try required(customer, "customer"),
            card: card
        )
    }
}

extension Wallet.ReadCards {
    package init(
        customer: PartyID,
        _: Void = ()
    ) {
        self.customer = customer
    }

    package static var summary: String { "All cards of a customer, in the order in which they were added." }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
        ]
    }
}

extension Wallet.ReadCards.Reply: Shape {
    package init(
        cards: [Wallet.CardView],
        _: Void = ()
    ) {
        self.cards = cards
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("cards", \.cards),
        ]
    }
}

extension Wallet.CardView: Shape {
    package init(
        card: CardID,
        lastFour: String,
        balance: Money,
        available: Money,
        isDefault: Bool,
        _: Void = ()
    ) {
        self.card = card
        self.lastFour = lastFour
        self.balance = balance
        self.available = available
        self.isDefault = isDefault
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("card", \.card),
            Field("lastFour", \.lastFour),
            Field("balance", \.balance, "The card's balance."),
            Field("available", \.available, "The available balance: the balance less what is held."),
            Field("isDefault", \.isDefault),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("card", card)
        writer.field("lastFour", lastFour)
        writer.field("balance", balance)
        writer.field("available", available)
        writer.field("isDefault", isDefault)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var card: CardID?
        var lastFour: String?
        var balance: Money?
        var available: Money?
        var isDefault: Bool?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "card": try reader.take(&card, key)
            case "lastFour": try reader.take(&lastFour, key)
            case "balance": try reader.take(&balance, key)
            case "available": try reader.take(&available, key)
            case "isDefault": try reader.take(&isDefault, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            card: try required(card, "card"),
            lastFour: try required(lastFour, "lastFour"),
            balance: try required(balance, "balance"),
            available: try required(available, "available"),
            isDefault: try required(isDefault, "isDefault")
        )
    }
}

extension Wallet.ReloadCard {
    package init(
        operation: OperationID,
        customer: PartyID,
        card: CardID? = nil,
        amount: Money,
        _: Void = ()
    ) {
        self.operation = operation
        self.customer = customer
        self.card = card
        self.amount = amount
    }

    package static var summary: String { "Moves money from the funding source to a card. Keyed on `operation`." }
    package static var fields: [Field<Self>] {
        [
            Field("operation", \.operation),
            Field("customer", \.customer),
            Field("card", \.card),
            Field("amount", \.amount),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("operation", operation)
        writer.field("customer", customer)
        writer.field("card", card)
        writer.field("amount", amount)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var operation: OperationID?
        var customer: PartyID?
        var card: CardID?
        var amount: Money?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "operation": try reader.take(&operation, key)
            case "customer": try reader.take(&customer, key)
            case "card": try reader.takeOptional(&card, key)
            case "amount": try reader.take(&amount, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            operation: try required(operation, "operation"),
            customer: try required(customer, "customer"),
            card: card,
            amount: try required(amount, "amount")
        )
    }
}
