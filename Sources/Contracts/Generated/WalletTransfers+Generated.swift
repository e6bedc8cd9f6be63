// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Wallet.PostTransfer {
    package init(
        operation: OperationID,
        from: Wallet.Holder,
        to: Wallet.Holder,
        amount: Money,
        memo: String,
        _: Void = ()
    ) {
        self.operation = operation
        self.from = from
        self.to = to
        self.amount = amount
        self.memo = memo
    }

    package static var summary: String { "Moves money between two users' accounts, free of charge. Keyed on `operation`." }
    package static var fields: [Field<Self>] {
        [
            Field("operation", \.operation),
            Field("from", \.from),
            Field("to", \.to),
            Field("amount", \.amount),
            Field("memo", \.memo),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("operation", operation)
        writer.field("from", from)
        writer.field("to", to)
        writer.field("amount", amount)
        writer.field("memo", memo)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var operation: OperationID?
        var from: Wallet.Holder?
        var to: Wallet.Holder?
        var amount: Money?
        var memo: String?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "operation": try reader.take(&operation, key)
            case "from": try reader.take(&from, key)
            case "to": try reader.take(&to, key)
            case "amount": try reader.take(&amount, key)
            case "memo": try reader.take(&memo, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            operation: try required(operation, "operation"),
            from: try required(from, "from"),
            to: try required(to, "to"),
            amount: try required(amount, "amount"),
            memo: try required(memo, "memo")
        )
    }
}

extension Wallet.ReadTransfer {
    package init(
        operation: OperationID,
        sender: PartyID,
        _: Void = ()
    ) {
        self.operation = operation
        self.sender = sender
    }

    package static var summary: String { "A transfer by its operation, for the one who sent it: whether an earlier ask moved the money." }
    package static var fields: [Field<Self>] {
        [
            Field("operation", \.operation),
            Field("sender", \.sender),
        ]
    }
}

extension Wallet.Holder: Shape {
    package init(
        party: PartyID,
        role: Wallet.HolderRole,
        card: CardID? = nil,
        _: Void = ()
    ) {
        self.party = party
        self.role = role
        self.card = card
    }

    package static var summary: String { "Whose money: a merchant's account, or a customer's card (the default one where none is named)." }
    package static var fields: [Field<Self>] {
        [
            Field("party", \.party),
            Field("role", \.role),
            Field("card", \.card),
        ]
    }

    package func write(to writer: inout JSONWriter) { fastWrite(to: &writer) }
    package static func read(_ reader: inout JSONReader) throws(WireError) -> Self { try fastRead(&reader) }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("party", party)
        writer.field("role", role)
        writer.field("card", card)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var party: PartyID?
        var role: Wallet.HolderRole?
        var card: CardID?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "party": try reader.take(&party, key)
            case "role": try reader.take(&role, key)
            case "card": try reader.takeOptional(&card, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            party: try required(party, "party"),
            role: try required(role, "role"),
            card: card
        )
    }
}

extension Wallet.HolderRole: Choice {
    package static var summary: String { "" }
    package static var meanings: [Self: String] {
        [:]
    }
}
