// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Contracts
import Primitives
import Wire

extension NewPayCode {
    package init(
        card: CardID? = nil,
        typed: Bool? = nil,
        _: Void = ()
    ) {
        self.card = card
        self.typed = typed
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("card", card)
        writer.field("typed", typed)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var card: CardID?
        var typed: Bool?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "card": try reader.takeOptional(&card, key)
            case "typed": try reader.takeOptional(&typed, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            card: card,
            typed: typed
        )
    }
}

extension ShownPayCode {
    package init(
        code: String,
        amount: TypedAmount,
        memo: String? = nil,
        _: Void = ()
    ) {
        self.code = code
        self.amount = amount
        self.memo = memo
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("code", code)
        writer.field("amount", amount)
        writer.field("memo", memo)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var code: String?
        var amount: TypedAmount?
        var memo: String?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "code": try reader.take(&code, key)
            case "amount": try reader.take(&amount, key)
            case "memo": try reader.takeOptional(&memo, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            code: try required(code, "code"),
            amount: try required(amount, "amount"),
            memo: memo
        )
    }
}
