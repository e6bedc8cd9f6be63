// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Contracts
import Primitives
import Wire

extension NewPayment {
    package init(
        merchant: PartyID,
        amount: TypedAmount,
        card: CardID? = nil,
        memo: String? = nil,
        _: Void = ()
    ) {
        self.merchant = merchant
        self.amount = amount
        self.card = card
        self.memo = memo
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("merchant", merchant)
        writer.field("amount", amount)
        writer.field("card", card)
        writer.field("memo", memo)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var merchant: PartyID?
        var amount: TypedAmount?
        var card: CardID?
        var memo: String?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "merchant": try reader.take(&merchant, key)
            case "amount": try reader.take(&amount, key)
            case "card": try reader.takeOptional(&card, key)
            case "memo": try reader.takeOptional(&memo, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            merchant: try required(merchant, "merchant"),
            amount: try required(amount, "amount"),
            card: card,
            memo: memo
        )
    }
}
