// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Contracts
import Primitives
import Wire

extension NewCharge {
    package init(
        customer: String,
        amount: TypedAmount,
        memo: String? = nil,
        place: PlaceID? = nil,
        _: Void = ()
    ) {
        self.customer = customer
        self.amount = amount
        self.memo = memo
        self.place = place
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("customer", customer)
        writer.field("amount", amount)
        writer.field("memo", memo)
        writer.field("place", place)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var customer: String?
        var amount: TypedAmount?
        var memo: String?
        var place: PlaceID?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "customer": try reader.take(&customer, key)
            case "amount": try reader.take(&amount, key)
            case "memo": try reader.takeOptional(&memo, key)
            case "place": try reader.takeOptional(&place, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            customer: try required(customer, "customer"),
            amount: try required(amount, "amount"),
            memo: memo,
            place: place
        )
    }
}

extension NewRefund {
    package init(
        amount: TypedAmount? = nil,
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
            case "amount": try reader.takeOptional(&amount, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            amount: amount
        )
    }
}

extension Refund {
    package init(
        refund: OperationID,
        charge: ChargeID,
        amount: Money,
        refunded: Money,
        entry: Int64,
        time: Timestamp,
        _: Void = ()
    ) {
        self.refund = refund
        self.charge = charge
        self.amount = amount
        self.refunded = refunded
        self.entry = entry
        self.time = time
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("refund", refund)
        writer.field("charge", charge)
        writer.field("amount", amount)
        writer.field("refunded", refunded)
        writer.field("entry", entry)
        writer.field("time", time)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var refund: OperationID?
        var charge: ChargeID?
        var amount: Money?
        var refunded: Money?
        var entry: Int64?
        var time: Timestamp?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "refund": try reader.take(&refund, key)
            case "charge": try reader.take(&charge, key)
            case "amount": try reader.take(&amount, key)
            case "refunded": try reader.take(&refunded, key)
            case "entry": try reader.take(&entry, key)
            case "time": try reader.take(&time, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            refund: try required(refund, "refund"),
            charge: try required(charge, "charge"),
            amount: try required(amount, "amount"),
            refunded: try required(refunded, "refunded"),
            entry: try required(entry, "entry"),
            time: try required(time, "time")
        )
    }
}
