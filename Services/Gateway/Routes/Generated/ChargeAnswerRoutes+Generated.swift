// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Contracts
import Primitives
import Wire

extension Approval {
    package init(
        card: CardID? = nil,
        amount: Money? = nil,
        coupon: OfferID? = nil,
        _: Void = ()
    ) {
        self.card = card
        self.amount = amount
        self.coupon = coupon
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("card", card)
        writer.field("amount", amount)
        writer.field("coupon", coupon)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var card: CardID?
        var amount: Money?
        var coupon: OfferID?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "card": try reader.takeOptional(&card, key)
            case "amount": try reader.takeOptional(&amount, key)
            case "coupon": try reader.takeOptional(&coupon, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            card: card,
            amount: amount,
            coupon: coupon
        )
    }
}

extension ChargeUpdate {
    package init(
        paid: Bool,
        cancelled: Bool,
        card: CardID? = nil,
        coupon: OfferID? = nil,
        _: Void = ()
    ) {
        self.paid = paid
        self.cancelled = cancelled
        self.card = card
        self.coupon = coupon
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("paid", paid)
        writer.field("cancelled", cancelled)
        writer.field("card", card)
        writer.field("coupon", coupon)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var paid: Bool?
        var cancelled: Bool?
        var card: CardID?
        var coupon: OfferID?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "paid": try reader.take(&paid, key)
            case "cancelled": try reader.take(&cancelled, key)
            case "card": try reader.takeOptional(&card, key)
            case "coupon": try reader.takeOptional(&coupon, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            paid: try required(paid, "paid"),
            cancelled: try required(cancelled, "cancelled"),
            card: card,
            coupon: coupon
        )
    }
}
