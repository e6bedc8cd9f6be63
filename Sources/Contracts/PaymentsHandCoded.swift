import Primitives
import Wire

extension Payments.CreatePayment: HandCoded {
    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("charge", charge)
        writer.field("customer", customer)
        writer.field("card", card)
        writer.field("merchant", merchant)
        writer.field("amount", amount)
        writer.field("memo", memo)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Payments.CreatePayment {
        var charge: ChargeID?
        var customer: PartyID?
        var card: CardID?
        var merchant: PartyID?
        var amount: Money?
        var memo: String?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "charge": try reader.take(&charge, key)
            case "customer": try reader.take(&customer, key)
            case "card": try reader.takeOptional(&card, key)
            case "merchant": try reader.take(&merchant, key)
            case "amount": try reader.take(&amount, key)
            case "memo": try reader.take(&memo, key)
            default: throw reader.unknown(key)
            }
        }
        return Payments.CreatePayment(
            charge: try required(charge, "charge"), customer: try required(customer, "customer"), card: card,
            merchant: try required(merchant, "merchant"), amount: try required(amount, "amount"),
            memo: try required(memo, "memo"))
    }
}

extension Payments.Receipt: HandCoded, WireValue {
    package func write(to writer: inout JSONWriter) { fastWrite(to: &writer) }
    package static func read(_ reader: inout JSONReader) throws(WireError) -> Payments.Receipt {
        try fastRead(&reader)
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("charge", charge)
        writer.field("customer", customer)
        writer.field("card", card)
        writer.field("merchant", merchant)
        writer.field("merchantName", merchantName)
        writer.field("amount", amount)
        writer.field("memo", memo)
        writer.field("cardBalance", cardBalance)
        writer.field("entry", entry)
        writer.field("time", time)
        writer.field("coupon", coupon)
        writer.field("discount", discount)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Payments.Receipt {
        var charge: ChargeID?
        var customer: PartyID?
        var card: CardID?
        var merchant: PartyID?
        var merchantName: String?
        var amount: Money?
        var memo: String?
        var cardBalance: Money?
        var entry: Int64?
        var time: Timestamp?
        var coupon: OfferID?
        var discount: Money?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "charge": try reader.take(&charge, key)
            case "customer": try reader.take(&customer, key)
            case "card": try reader.take(&card, key)
            case "merchant": try reader.take(&merchant, key)
            case "merchantName": try reader.take(&merchantName, key)
            case "amount": try reader.take(&amount, key)
            case "memo": try reader.take(&memo, key)
            case "cardBalance": try reader.take(&cardBalance, key)
            case "entry": try reader.take(&entry, key)
            case "time": try reader.take(&time, key)
            case "coupon": try reader.takeOptional(&coupon, key)
            case "discount": try reader.takeOptional(&discount, key)
            default: throw reader.unknown(key)
            }
        }
        return Payments.Receipt(
            charge: try required(charge, "charge"), customer: try required(customer, "customer"),
            card: try required(card, "card"), merchant: try required(merchant, "merchant"),
            merchantName: try required(merchantName, "merchantName"), amount: try required(amount, "amount"),
            memo: try required(memo, "memo"), cardBalance: try required(cardBalance, "cardBalance"),
            entry: try required(entry, "entry"), time: try required(time, "time"), coupon: coupon,
            discount: discount)
    }
}

extension Payments.CreatePayment.Reply: HandCoded {
    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("receipt", receipt)
        writer.field("replayed", replayed)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Payments.CreatePayment.Reply {
        var receipt: Payments.Receipt?
        var replayed: Bool?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "receipt": try reader.take(&receipt, key)
            case "replayed": try reader.take(&replayed, key)
            default: throw reader.unknown(key)
            }
        }
        return Payments.CreatePayment.Reply(
            receipt: try required(receipt, "receipt"), replayed: try required(replayed, "replayed"))
    }
}
