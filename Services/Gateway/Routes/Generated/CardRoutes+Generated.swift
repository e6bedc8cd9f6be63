// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Contracts
import Primitives
import Wire

extension Reload {
    package init(
        amount: TypedAmount,
        _: Void = ()
    ) {
        self.amount = amount
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("amount", amount)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var amount: TypedAmount?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "amount": try reader.take(&amount, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            amount: try required(amount, "amount")
        )
    }
}
