// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Payments {
    package static var summary: String { "The life of charges, pay codes and receipts. Money moves in `wallet` only." }
}

extension Payments.CreatePayment {
    package init(
        charge: ChargeID,
        customer: PartyID,
        card: CardID? = nil,
        merchant: PartyID,
        amount: Money,
        memo: String,
        _: Void = ()
    ) {
        self.charge = charge
        self.customer = customer
        self.card = card
        self.merchant = merchant
        self.amount = amount
        self.memo = memo
    }

    package static var summary: String { "The customer pays a merchant now, with a card. Keyed on `charge`." }
    package static var fields: [Field<Self>] {
        [
            Field("charge", \.charge),
            Field("customer", \.customer),
            Field("card", \.card, "The default card where none is named."),
            Field("merchant", \.merchant),
            Field("amount", \.amount),
            Field("memo", \.memo, "At most 256 bytes of UTF-8."),
        ]
    }

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

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
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
        return Self(
            charge: try required(charge, "charge"),
            customer: try required(customer, "customer"),
            card: card,
            merchant: try required(merchant, "merchant"),
            amount: try required(amount, "amount"),
            memo: try required(memo, "memo")
        )
    }
}

extension Payments.CreatePayment.Reply: Shape {
    package init(
        receipt: Payments.Receipt,
        replayed: Bool,
        _: Void = ()
    ) {
        self.receipt = receipt
        self.replayed = replayed
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("receipt", \.receipt),
            Field("replayed", \.replayed),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("receipt", receipt)
        writer.field("replayed", replayed)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var receipt: Payments.Receipt?
        var replayed: Bool?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "receipt": try reader.take(&receipt, key)
            case "replayed": try reader.take(&replayed, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            receipt: try required(receipt, "receipt"),
            replayed: try required(replayed, "replayed")
        )
    }
}

extension Payments.Receipt: Shape {
    package init(
        charge: ChargeID,
        customer: PartyID,
        card: CardID,
        merchant: PartyID,
        merchantName: String,
        amount: Money,
        memo: String,
        cardBalance: Money,
        entry: Int64,
        time: Timestamp,
        coupon: OfferID? = nil,
        discount: Money? = nil,
        _: Void = ()
    ) {
        self.charge = charge
        self.customer = customer
        self.card = card
        self.merchant = merchant
        self.merchantName = merchantName
        self.amount = amount
        self.memo = memo
        self.cardBalance = cardBalance
        self.entry = entry
        self.time = time
        self.coupon = coupon
        self.discount = discount
    }

    package static var summary: String { "What is handed out for a captured charge." }
    package static var fields: [Field<Self>] {
        [
            Field("charge", \.charge),
            Field("customer", \.customer),
            Field("card", \.card),
            Field("merchant", \.merchant),
            Field("merchantName", \.merchantName),
            Field("amount", \.amount, "What was paid."),
            Field("memo", \.memo),
            Field("cardBalance", \.cardBalance, "What was left on the card."),
            Field("entry", \.entry, "The ledger entry that moved the money."),
            Field("time", \.time),
            Field("coupon", \.coupon, "The coupon that was used."),
            Field("discount", \.discount, "What the coupon took off: so much more was asked for than was paid."),
        ]
    }

    package func write(to writer: inout JSONWriter) { fastWrite(to: &writer) }
    package static func read(_ reader: inout JSONReader) throws(WireError) -> Self { try fastRead(&reader) }

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

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
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
        return Self(
            charge: try required(charge, "charge"),
            customer: try required(customer, "customer"),
            card: try required(card, "card"),
            merchant: try required(merchant, "merchant"),
            merchantName: try required(merchantName, "merchantName"),
            amount: try required(amount, "amount"),
            memo: try required(memo, "memo"),
            cardBalance: try required(cardBalance, "cardBalance"),
            entry: try required(entry, "entry"),
            time: try required(time, "time"),
            coupon: coupon,
            discount: discount
        )
    }
}

extension Payments.IssueCode {
    package init(
        customer: PartyID,
        card: CardID? = nil,
        typed: Bool? = nil,
        _: Void = ()
    ) {
        self.customer = customer
        self.card = card
        self.typed = typed
    }

    package static var summary: String { "Makes a signed pay code that a merchant can redeem once, within a minute, for one payment." }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
            Field("card", \.card, "The card that will pay; the default one at that time where none is named."),
            Field("typed", \.typed, "Whether a code that can be typed is wanted too."),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("customer", customer)
        writer.field("card", card)
        writer.field("typed", typed)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var customer: PartyID?
        var card: CardID?
        var typed: Bool?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "customer": try reader.take(&customer, key)
            case "card": try reader.takeOptional(&card, key)
            case "typed": try reader.takeOptional(&typed, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            customer: try required(customer, "customer"),
            card: card,
            typed: typed
        )
    }
}

extension Payments.IssueCode.Reply: Shape {
    package init(
        code: String,
        expires: Timestamp,
        typed: String? = nil,
        _: Void = ()
    ) {
        self.code = code
        self.expires = expires
        self.typed = typed
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("code", \.code, "What the bar code holds."),
            Field("expires", \.expires),
            Field("typed", \.typed, "The same code for keyboards: ten characters, of which the last is a check character."),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("code", code)
        writer.field("expires", expires)
        writer.field("typed", typed)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var code: String?
        var expires: Timestamp?
        var typed: String?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "code": try reader.take(&code, key)
            case "expires": try reader.take(&expires, key)
            case "typed": try reader.takeOptional(&typed, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            code: try required(code, "code"),
            expires: try required(expires, "expires"),
            typed: typed
        )
    }
}

extension Payments.RedeemCode {
    package init(
        attempt: OperationID,
        code: String,
        merchant: PartyID,
        amount: Money,
        memo: String,
        _: Void = ()
    ) {
        self.attempt = attempt
        self.code = code
        self.merchant = merchant
        self.amount = amount
        self.memo = memo
    }

    package static var summary: String { "A merchant charges the customer who showed a pay code. Keyed on `attempt`: one attempt redeems one code, and a code is spent by one attempt." }
    package static var fields: [Field<Self>] {
        [
            Field("attempt", \.attempt),
            Field("code", \.code, "What the bar code holds, or what is typed for it, in capitals or not, with spaces and hyphens or not."),
            Field("merchant", \.merchant),
            Field("amount", \.amount),
            Field("memo", \.memo),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("attempt", attempt)
        writer.field("code", code)
        writer.field("merchant", merchant)
        writer.field("amount", amount)
        writer.field("memo", memo)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var attempt: OperationID?
        var code: String?
        var merchant: PartyID?
        var amount: Money?
        var memo: String?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "attempt": try reader.take(&attempt, key)
            case "code": try reader.take(&code, key)
            case "merchant": try reader.take(&merchant, key)
            case "amount": try reader.take(&amount, key)
            case "memo": try reader.take(&memo, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            attempt: try required(attempt, "attempt"),
            code: try required(code, "code"),
            merchant: try required(merchant, "merchant"),
            amount: try required(amount, "amount"),
            memo: try required(memo, "memo")
        )
    }
}

extension Payments.ReadEnabled {
    package init(
        customer: PartyID,
        _: Void = ()
    ) {
        self.customer = customer
    }

    package static var summary: String { "Whether a customer may pay at all. Enabled until the customer says otherwise." }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
        ]
    }
}

extension Payments.SetEnabled {
    package init(
        customer: PartyID,
        enabled: Bool,
        _: Void = ()
    ) {
        self.customer = customer
        self.enabled = enabled
    }

    package static var summary: String { "Enables or disables all payments of a customer. Durable before it is answered; what was paid stays paid." }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
            Field("enabled", \.enabled),
        ]
    }
}

extension Payments.EnabledView: Shape {
    package init(
        customer: PartyID,
        enabled: Bool,
        _: Void = ()
    ) {
        self.customer = customer
        self.enabled = enabled
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
            Field("enabled", \.enabled),
        ]
    }
}

extension Payments.RequestCharge {
    package init(
        charge: ChargeID,
        merchant: PartyID,
        customer: PartyID,
        amount: Money,
        memo: String,
        place: PlaceID? = nil,
        _: Void = ()
    ) {
        self.charge = charge
        self.merchant = merchant
        self.customer = customer
        self.amount = amount
        self.memo = memo
        self.place = place
    }

    package static var summary: String { "A merchant asks a customer for money; the customer approves or declines. Keyed on `charge`." }
    package static var fields: [Field<Self>] {
        [
            Field("charge", \.charge),
            Field("merchant", \.merchant),
            Field("customer", \.customer),
            Field("amount", \.amount),
            Field("memo", \.memo),
            Field("place", \.place, "The merchant's place where the customer is. Where it is named, the customer has to be there."),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("charge", charge)
        writer.field("merchant", merchant)
        writer.field("customer", customer)
        writer.field("amount", amount)
        writer.field("memo", memo)
        writer.field("place", place)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var charge: ChargeID?
        var merchant: PartyID?
        var customer: PartyID?
        var amount: Money?
        var memo: String?
        var place: PlaceID?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "charge": try reader.take(&charge, key)
            case "merchant": try reader.take(&merchant, key)
            case "customer": try reader.take(&customer, key)
            case "amount": try reader.take(&amount, key)
            case "memo": try reader.take(&memo, key)
            case "place": try reader.takeOptional(&place, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            charge: try required(charge, "charge"),
            merchant: try required(merchant, "merchant"),
            customer: try required(customer, "customer"),
            amount: try required(amount, "amount"),
            memo: try required(memo, "memo"),
            place: place
        )
    }
}

extension Payments.RequestCharge.Reply: Shape {
    package init(
        charge: Payments.ChargeView,
        replayed: Bool,
        _: Void = ()
    ) {
        self.charge = charge
        self.replayed = replayed
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("charge", \.charge),
            Field("replayed", \.replayed),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("charge", charge)
        writer.field("replayed", replayed)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var charge: Payments.ChargeView?
        var replayed: Bool?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "charge": try reader.take(&charge, key)
            case "replayed": try reader.take(&replayed, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            charge: try required(charge, "charge"),
            replayed: try required(replayed, "replayed")
        )
    }
}

extension Payments.ReadChargeable {
    package init(
        merchant: PartyID,
        customer: PartyID,
        _: Void = ()
    ) {
        self.merchant = merchant
        self.customer = customer
    }

    package static var summary: String { "Whether a merchant may request money from a customer now, as `payments.charge.request.v1` without a place would decide." }
    package static var fields: [Field<Self>] {
        [
            Field("merchant", \.merchant),
            Field("customer", \.customer),
        ]
    }
}

extension Payments.ReadChargeable.Reply: Shape {
    package init(
        customer: PartyID,
        chargeable: Bool,
        refusal: String? = nil,
        _: Void = ()
    ) {
        self.customer = customer
        self.chargeable = chargeable
        self.refusal = refusal
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
            Field("chargeable", \.chargeable),
            Field("refusal", \.refusal, "The code with which a request would be refused."),
        ]
    }
}

extension Payments.SetPermission {
    package init(
        customer: PartyID,
        merchant: PartyID? = nil,
        allowed: Bool,
        _: Void = ()
    ) {
        self.customer = customer
        self.merchant = merchant
        self.allowed = allowed
    }

    package static var summary: String { "Lets a merchant, or every merchant, request money wherever the customer is; or no longer." }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
            Field("merchant", \.merchant, "Every merchant where none is named."),
            Field("allowed", \.allowed),
        ]
    }
}

extension Payments.SetPermission.Reply: Shape {
    package init(
        allowed: Bool,
        _: Void = ()
    ) {
        self.allowed = allowed
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("allowed", \.allowed),
        ]
    }
}

extension Payments.ReadPermissions {
    package init(
        customer: PartyID,
        _: Void = ()
    ) {
        self.customer = customer
    }

    package static var summary: String { "The merchants that may request money wherever the customer is, at most 200." }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
        ]
    }
}

extension Payments.ReadPermissions.Reply: Shape {
    package init(
        everyone: Bool,
        merchants: [Payments.PermittedMerchant],
        _: Void = ()
    ) {
        self.everyone = everyone
        self.merchants = merchants
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("everyone", \.everyone),
            Field("merchants", \.merchants, "In the order of their ids."),
        ]
    }
}

extension Payments.PermittedMerchant: Shape {
    package init(
        merchant: PartyID,
        name: String? = nil,
        _: Void = ()
    ) {
        self.merchant = merchant
        self.name = name
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("merchant", \.merchant),
            Field("name", \.name, "Absent while auth cannot be asked."),
        ]
    }
}

extension Payments.ChargeState: Choice {
    package static var summary: String { "" }
    package static var meanings: [Self: String] {
        [
            .requested: "Waits for the customer.",
            .declined: "Refused by the customer.",
            .cancelled: "Taken back by the merchant.",
            .expired: "Nobody answered in time.",
        ]
    }
}

extension Payments.ChargeView: Shape {
    package init(
        charge: ChargeID,
        state: Payments.ChargeState,
        merchant: PartyID,
        merchantName: String,
        customer: PartyID,
        amount: Money,
        memo: String,
        requested: Timestamp,
        expires: Timestamp? = nil,
        decided: Timestamp? = nil,
        card: CardID? = nil,
        entry: Int64? = nil,
        refunded: Money,
        presence: Location.Presence? = nil,
        coupon: OfferID? = nil,
        discount: Money? = nil,
        customerName: String? = nil,
        productIndex: Int64? = nil,
        _: Void = ()
    ) {
        self.charge = charge
        self.state = state
        self.merchant = merchant
        self.merchantName = merchantName
        self.customer = customer
        self.amount = amount
        self.memo = memo
        self.requested = requested
        self.expires = expires
        self.decided = decided
        self.card = card
        self.entry = entry
        self.refunded = refunded
        self.presence = presence
        self.coupon = coupon
        self.discount = discount
        self.customerName = customerName
        self.productIndex = productIndex
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("charge", \.charge),
            Field("state", \.state),
            Field("merchant", \.merchant),
            Field("merchantName", \.merchantName),
            Field("customer", \.customer),
            Field("amount", \.amount, "What is to be paid. Of a charge paid with a coupon what was paid: `discount` less than was asked for."),
            Field("memo", \.memo),
            Field("requested", \.requested),
            Field("expires", \.expires, "When a requested charge expires; absent once it is decided."),
            Field("decided", \.decided),
            Field("card", \.card, "The card that paid."),
            Field("entry", \.entry),
            Field("refunded", \.refunded, "What has been paid back."),
            Field("presence", \.presence, "That the customer was at the merchant's place when the charge was requested, where that was asked for."),
            Field("coupon", \.coupon, "The coupon that it was paid with."),
            Field("discount", \.discount),
            Field("customerName", \.customerName, "What the merchant knows the customer by. Absent while it cannot be found out."),
            Field("productIndex", \.productIndex, "The charge's number among all charges, by which document 001 updates a payment."),
        ]
    }

    package func write(to writer: inout JSONWriter) { fastWrite(to: &writer) }
    package static func read(_ reader: inout JSONReader) throws(WireError) -> Self { try fastRead(&reader) }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("charge", charge)
        writer.field("state", state)
        writer.field("merchant", merchant)
        writer.field("merchantName", merchantName)
        writer.field("customer", customer)
        writer.field("amount", amount)
        writer.field("memo", memo)
        writer.field("requested", requested)
        writer.field("expires", expires)
        writer.field("decided", decided)
        writer.field("card", card)
        writer.field("entry", entry)
        writer.field("refunded", refunded)
        writer.field("presence", presence)
        writer.field("coupon", coupon)
        writer.field("discount", discount)
        writer.field("customerName", customerName)
        writer.field("productIndex", productIndex)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var charge: ChargeID?
        var state: Payments.ChargeState?
        var merchant: PartyID?
        var merchantName: String?
        var customer: PartyID?
        var amount: Money?
        var memo: String?
        var requested: Timestamp?
        var expires: Timestamp?
        var decided: Timestamp?
        var card: CardID?
        var entry: Int64?
        var refunded: Money?
        var presence: Location.Presence?
        var coupon: OfferID?
        var discount: Money?
        var customerName: String?
        var productIndex: Int64?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "charge": try reader.take(&charge, key)
            case "state": try reader.take(&state, key)
            case "merchant": try reader.take(&merchant, key)
            case "merchantName": try reader.take(&merchantName, key)
            case "customer": try reader.take(&customer, key)
            case "amount": try reader.take(&amount, key)
            case "memo": try reader.take(&memo, key)
            case "requested": try reader.take(&requested, key)
            case "expires": try reader.takeOptional(&expires, key)
            case "decided": try reader.takeOptional(&decided, key)
            case "card": try reader.takeOptional(&card, key)
            case "entry": try reader.takeOptional(&entry, key)
            case "refunded": try reader.take(&refunded, key)
            case "presence": try reader.takeOptional(&presence, key)
            case "coupon": try reader.takeOptional(&coupon, key)
            case "discount": try reader.takeOptional(&discount, key)
            case "customerName": try reader.takeOptional(&customerName, key)
            case "productIndex": try reader.takeOptional(&productIndex, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            charge: try required(charge, "charge"),
            state: try required(state, "state"),
            merchant: try required(merchant, "merchant"),
            merchantName: try required(merchantName, "merchantName"),
            customer: try required(customer, "customer"),
            amount: try required(amount, "amount"),
            memo: try required(memo, "memo"),
            requested: try required(requested, "requested"),
            expires: expires,
            decided: decided,
            card: card,
            entry: entry,
            refunded: try required(refunded, "refunded"),
            presence: presence,
            coupon: coupon,
            discount: discount,
            customerName: customerName,
            productIndex: productIndex
        )
    }
}

extension Payments.ApproveCharge {
    package init(
        charge: ChargeID,
        customer: PartyID,
        card: CardID? = nil,
        amount: Money? = nil,
        coupon: OfferID? = nil,
        _: Void = ()
    ) {
        self.charge = charge
        self.customer = customer
        self.card = card
        self.amount = amount
        self.coupon = coupon
    }

    package static var summary: String { "The customer pays a requested charge. Keyed on `charge`: approving twice pays once." }
    package static var fields: [Field<Self>] {
        [
            Field("charge", \.charge),
            Field("customer", \.customer),
            Field("card", \.card),
            Field("amount", \.amount, "What the customer saw and agreed to, before any coupon."),
            Field("coupon", \.coupon, "A coupon of the merchant's that the customer uses up with this payment. If the charge comes to nothing, the coupon is as unused as before."),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("charge", charge)
        writer.field("customer", customer)
        writer.field("card", card)
        writer.field("amount", amount)
        writer.field("coupon", coupon)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var charge: ChargeID?
        var customer: PartyID?
        var card: CardID?
        var amount: Money?
        var coupon: OfferID?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "charge": try reader.take(&charge, key)
            case "customer": try reader.take(&customer, key)
            case "card": try reader.takeOptional(&card, key)
            case "amount": try reader.takeOptional(&amount, key)
            case "coupon": try reader.takeOptional(&coupon, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            charge: try required(charge, "charge"),
            customer: try required(customer, "customer"),
            card: card,
            amount: amount,
            coupon: coupon
        )
    }
}

extension Payments.DeclineCharge {
    package init(
        charge: ChargeID,
        customer: PartyID,
        _: Void = ()
    ) {
        self.charge = charge
        self.customer = customer
    }

    package static var summary: String { "The customer refuses a requested charge. Keyed on `charge`." }
    package static var fields: [Field<Self>] {
        [
            Field("charge", \.charge),
            Field("customer", \.customer),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("charge", charge)
        writer.field("customer", customer)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var charge: ChargeID?
        var customer: PartyID?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "charge": try reader.take(&charge, key)
            case "customer": try reader.take(&customer, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            charge: try required(charge, "charge"),
            customer: try required(customer, "customer")
        )
    }
}

extension Payments.CancelCharge {
    package init(
        charge: ChargeID,
        merchant: PartyID,
        _: Void = ()
    ) {
        self.charge = charge
        self.merchant = merchant
    }

    package static var summary: String { "The merchant takes a requested charge back. Keyed on `charge`." }
    package static var fields: [Field<Self>] {
        [
            Field("charge", \.charge),
            Field("merchant", \.merchant),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("charge", charge)
        writer.field("merchant", merchant)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var charge: ChargeID?
        var merchant: PartyID?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "charge": try reader.take(&charge, key)
            case "merchant": try reader.take(&merchant, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            charge: try required(charge, "charge"),
            merchant: try required(merchant, "merchant")
        )
    }
}

extension Payments.RefundCharge {
    package init(
        refund: OperationID,
        charge: ChargeID,
        merchant: PartyID,
        amount: Money? = nil,
        _: Void = ()
    ) {
        self.refund = refund
        self.charge = charge
        self.merchant = merchant
        self.amount = amount
    }

    package static var summary: String { "The merchant pays a captured charge back, in full or in part. Keyed on `refund`." }
    package static var fields: [Field<Self>] {
        [
            Field("refund", \.refund),
            Field("charge", \.charge),
            Field("merchant", \.merchant),
            Field("amount", \.amount, "What is left of the charge where none is given."),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("refund", refund)
        writer.field("charge", charge)
        writer.field("merchant", merchant)
        writer.field("amount", amount)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var refund: OperationID?
        var charge: ChargeID?
        var merchant: PartyID?
        var amount: Money?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "refund": try reader.take(&refund, key)
            case "charge": try reader.take(&charge, key)
            case "merchant": try reader.take(&merchant, key)
            case "amount": try reader.takeOptional(&amount, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            refund: try required(refund, "refund"),
            charge: try required(charge, "charge"),
            merchant: try required(merchant, "merchant"),
            amount: amount
        )
    }
}

extension Payments.RefundCharge.Reply: Shape {
    package init(
        refund: OperationID,
        charge: ChargeID,
        amount: Money,
        refunded: Money,
        entry: Int64,
        time: Timestamp,
        replayed: Bool,
        _: Void = ()
    ) {
        self.refund = refund
        self.charge = charge
        self.amount = amount
        self.refunded = refunded
        self.entry = entry
        self.time = time
        self.replayed = replayed
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("refund", \.refund),
            Field("charge", \.charge),
            Field("amount", \.amount),
            Field("refunded", \.refunded, "What has been paid back of this charge in all."),
            Field("entry", \.entry),
            Field("time", \.time),
            Field("replayed", \.replayed),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("refund", refund)
        writer.field("charge", charge)
        writer.field("amount", amount)
        writer.field("refunded", refunded)
        writer.field("entry", entry)
        writer.field("time", time)
        writer.field("replayed", replayed)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var refund: OperationID?
        var charge: ChargeID?
        var amount: Money?
        var refunded: Money?
        var entry: Int64?
        var time: Timestamp?
        var replayed: Bool?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "refund": try reader.take(&refund, key)
            case "charge": try reader.take(&charge, key)
            case "amount": try reader.take(&amount, key)
            case "refunded": try reader.take(&refunded, key)
            case "entry": try reader.take(&entry, key)
            case "time": try reader.take(&time, key)
            case "replayed": try reader.take(&replayed, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            refund: try required(refund, "refund"),
            charge: try required(charge, "charge"),
            amount: try required(amount, "amount"),
            refunded: try required(refunded, "refunded"),
            entry: try required(entry, "entry"),
            time: try required(time, "time"),
            replayed: try required(replayed, "replayed")
        )
    }
}

extension Payments.ReadCharge {
    package init(
        charge: ChargeID,
        party: PartyID? = nil,
        _: Void = ()
    ) {
        self.charge = charge
        self.party = party
    }

    package static var summary: String { "One charge, for its customer or its merchant; nobody else learns that it exists. Operators need not be either." }
    package static var fields: [Field<Self>] {
        [
            Field("charge", \.charge),
            Field("party", \.party, "Absent: an administrator asks, or somebody who acts for nobody."),
        ]
    }
}

extension Payments.ReadRefunds {
    package init(
        party: PartyID,
        charges: [ChargeID],
        _: Void = ()
    ) {
        self.party = party
        self.charges = charges
    }

    package static var summary: String { "What was paid back of some charges of one party, in all. Charges of which nothing was paid back are left out, and so are those of others. For the account, administrators and services." }
    package static var fields: [Field<Self>] {
        [
            Field("party", \.party),
            Field("charges", \.charges, "1 to 100."),
        ]
    }
}

extension Payments.ReadRefunds.Reply: Shape {
    package init(
        refunds: [Payments.Refunded],
        _: Void = ()
    ) {
        self.refunds = refunds
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("refunds", \.refunds),
        ]
    }
}

extension Payments.Refunded: Shape {
    package init(
        charge: ChargeID,
        refunded: Money,
        _: Void = ()
    ) {
        self.charge = charge
        self.refunded = refunded
    }

    package static var summary: String { "What was paid back of a charge, in all." }
    package static var fields: [Field<Self>] {
        [
            Field("charge", \.charge),
            Field("refunded", \.refunded),
        ]
    }
}

extension Payments.ReadCharges {
    package init(
        party: PartyID,
        state: Payments.ChargeState? = nil,
        before: Int64? = nil,
        limit: Int,
        since: Timestamp? = nil,
        productIndex: Int64? = nil,
        _: Void = ()
    ) {
        self.party = party
        self.state = state
        self.before = before
        self.limit = limit
        self.since = since
        self.productIndex = productIndex
    }

    package static var summary: String { "A customer's or a merchant's charges, newest first: by when each was decided, or requested while it waits. For the account, administrators and services." }
    package static var fields: [Field<Self>] {
        [
            Field("party", \.party),
            Field("state", \.state),
            Field("before", \.before),
            Field("limit", \.limit, "1 to 100."),
            Field("since", \.since, "Only those that were decided, or requested while they wait, then or later. What is before is behind `next`, which then is there even if this page is empty."),
            Field("productIndex", \.productIndex, "Only the charge with this number. There is no next page then."),
        ]
    }
}

extension Payments.ReadCharges.Reply: Shape {
    package init(
        charges: [Payments.ChargeView],
        next: Int64? = nil,
        _: Void = ()
    ) {
        self.charges = charges
        self.next = next
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("charges", \.charges),
            Field("next", \.next, "Ask for the next page with this as `before`; absent when there is none. 0 stands for the newest."),
        ]
    }
}

extension Payments.ReadReceipt {
    package init(
        charge: ChargeID,
        party: PartyID,
        _: Void = ()
    ) {
        self.charge = charge
        self.party = party
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("charge", \.charge),
            Field("party", \.party),
        ]
    }
}

extension Payments.ChargeRequested {
    package init(
        charge: ChargeID,
        merchant: PartyID,
        customer: PartyID,
        amount: Money,
        memo: String,
        expires: Timestamp,
        time: Timestamp,
        merchantName: String? = nil,
        _: Void = ()
    ) {
        self.charge = charge
        self.merchant = merchant
        self.customer = customer
        self.amount = amount
        self.memo = memo
        self.expires = expires
        self.time = time
        self.merchantName = merchantName
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("charge", \.charge),
            Field("merchant", \.merchant),
            Field("customer", \.customer),
            Field("amount", \.amount),
            Field("memo", \.memo),
            Field("expires", \.expires),
            Field("time", \.time),
            Field("merchantName", \.merchantName, "What the customer knows the merchant by. Absent in facts that are older than this field."),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("charge", charge)
        writer.field("merchant", merchant)
        writer.field("customer", customer)
        writer.field("amount", amount)
        writer.field("memo", memo)
        writer.field("expires", expires)
        writer.field("time", time)
        writer.field("merchantName", merchantName)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var charge: ChargeID?
        var merchant: PartyID?
        var customer: PartyID?
        var amount: Money?
        var memo: String?
        var expires: Timestamp?
        var time: Timestamp?
        var merchantName: String?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "charge": try reader.take(&charge, key)
            case "merchant": try reader.take(&merchant, key)
            case "customer": try reader.take(&customer, key)
            case "amount": try reader.take(&amount, key)
            case "memo": try reader.take(&memo, key)
            case "expires": try reader.take(&expires, key)
            case "time": try reader.take(&time, key)
            case "merchantName": try reader.takeOptional(&merchantName, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            charge: try required(charge, "charge"),
            merchant: try required(merchant, "merchant"),
            customer: try required(customer, "customer"),
            amount: try required(amount, "amount"),
            memo: try required(memo, "memo"),
            expires: try required(expires, "expires"),
            time: try required(time, "time"),
            merchantName: merchantName
        )
    }
}

extension Payments.ChargeCaptured {
    package init(
        charge: ChargeID,
        merchant: PartyID,
        customer: PartyID,
        card: CardID,
        amount: Money,
        memo: String,
        entry: Int64,
        time: Timestamp,
        coupon: OfferID? = nil,
        discount: Money? = nil,
        requested: Bool? = nil,
        _: Void = ()
    ) {
        self.charge = charge
        self.merchant = merchant
        self.customer = customer
        self.card = card
        self.amount = amount
        self.memo = memo
        self.entry = entry
        self.time = time
        self.coupon = coupon
        self.discount = discount
        self.requested = requested
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("charge", \.charge),
            Field("merchant", \.merchant),
            Field("customer", \.customer),
            Field("card", \.card),
            Field("amount", \.amount),
            Field("memo", \.memo),
            Field("entry", \.entry),
            Field("time", \.time),
            Field("coupon", \.coupon, "The coupon that was used up with it."),
            Field("discount", \.discount, "What the coupon took off."),
            Field("requested", \.requested, "True where the merchant had requested it and the customer approved; absent for a payment without approval."),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("charge", charge)
        writer.field("merchant", merchant)
        writer.field("customer", customer)
        writer.field("card", card)
        writer.field("amount", amount)
        writer.field("memo", memo)
        writer.field("entry", entry)
        writer.field("time", time)
        writer.field("coupon", coupon)
        writer.field("discount", discount)
        writer.field("requested", requested)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var charge: ChargeID?
        var merchant: PartyID?
        var customer: PartyID?
        var card: CardID?
        var amount: Money?
        var memo: String?
        var entry: Int64?
        var time: Timestamp?
        var coupon: OfferID?
        var discount: Money?
        var requested: Bool?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "charge": try reader.take(&charge, key)
            case "merchant": try reader.take(&merchant, key)
            case "customer": try reader.take(&customer, key)
            case "card": try reader.take(&card, key)
            case "amount": try reader.take(&amount, key)
            case "memo": try reader.take(&memo, key)
            case "entry": try reader.take(&entry, key)
            case "time": try reader.take(&time, key)
            case "coupon": try reader.takeOptional(&coupon, key)
            case "discount": try reader.takeOptional(&discount, key)
            case "requested": try reader.takeOptional(&requested, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            charge: try required(charge, "charge"),
            merchant: try required(merchant, "merchant"),
            customer: try required(customer, "customer"),
            card: try required(card, "card"),
            amount: try required(amount, "amount"),
            memo: try required(memo, "memo"),
            entry: try required(entry, "entry"),
            time: try required(time, "time"),
            coupon: coupon,
            discount: discount,
            requested: requested
        )
    }
}

extension Payments.ChargeClosed {
    package init(
        charge: ChargeID,
        merchant: PartyID,
        customer: PartyID,
        amount: Money,
        reason: Wallet.CloseReason,
        time: Timestamp,
        merchantName: String? = nil,
        _: Void = ()
    ) {
        self.charge = charge
        self.merchant = merchant
        self.customer = customer
        self.amount = amount
        self.reason = reason
        self.time = time
        self.merchantName = merchantName
    }

    package static var summary: String { "A requested charge ended without payment: declined, cancelled or expired." }
    package static var fields: [Field<Self>] {
        [
            Field("charge", \.charge),
            Field("merchant", \.merchant),
            Field("customer", \.customer),
            Field("amount", \.amount),
            Field("reason", \.reason),
            Field("time", \.time),
            Field("merchantName", \.merchantName, "As when the charge was requested. Absent in facts that are older than this field."),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("charge", charge)
        writer.field("merchant", merchant)
        writer.field("customer", customer)
        writer.field("amount", amount)
        writer.field("reason", reason)
        writer.field("time", time)
        writer.field("merchantName", merchantName)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var charge: ChargeID?
        var merchant: PartyID?
        var customer: PartyID?
        var amount: Money?
        var reason: Wallet.CloseReason?
        var time: Timestamp?
        var merchantName: String?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "charge": try reader.take(&charge, key)
            case "merchant": try reader.take(&merchant, key)
            case "customer": try reader.take(&customer, key)
            case "amount": try reader.take(&amount, key)
            case "reason": try reader.take(&reason, key)
            case "time": try reader.take(&time, key)
            case "merchantName": try reader.takeOptional(&merchantName, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            charge: try required(charge, "charge"),
            merchant: try required(merchant, "merchant"),
            customer: try required(customer, "customer"),
            amount: try required(amount, "amount"),
            reason: try required(reason, "reason"),
            time: try required(time, "time"),
            merchantName: merchantName
        )
    }
}

extension Payments.TransferReceived {
    package init(
        operation: OperationID,
        from: PartyID,
        to: PartyID,
        amount: Money,
        memo: String,
        time: Timestamp,
        _: Void = ()
    ) {
        self.operation = operation
        self.from = from
        self.to = to
        self.amount = amount
        self.memo = memo
        self.time = time
    }

    package static var summary: String { "Somebody has received a transfer. The wallet has moved the money before." }
    package static var fields: [Field<Self>] {
        [
            Field("operation", \.operation),
            Field("from", \.from),
            Field("to", \.to),
            Field("amount", \.amount),
            Field("memo", \.memo),
            Field("time", \.time),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("operation", operation)
        writer.field("from", from)
        writer.field("to", to)
        writer.field("amount", amount)
        writer.field("memo", memo)
        writer.field("time", time)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var operation: OperationID?
        var from: PartyID?
        var to: PartyID?
        var amount: Money?
        var memo: String?
        var time: Timestamp?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "operation": try reader.take(&operation, key)
            case "from": try reader.take(&from, key)
            case "to": try reader.take(&to, key)
            case "amount": try reader.take(&amount, key)
            case "memo": try reader.take(&memo, key)
            case "time": try reader.take(&time, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            operation: try required(operation, "operation"),
            from: try required(from, "from"),
            to: try required(to, "to"),
            amount: try required(amount, "amount"),
            memo: try required(memo, "memo"),
            time: try required(time, "time")
        )
    }
}

extension Payments.ChargeRefunded {
    package init(
        charge: ChargeID,
        merchant: PartyID,
        customer: PartyID,
        amount: Money,
        refunded: Money,
        time: Timestamp,
        paid: Money? = nil,
        captured: Timestamp? = nil,
        merchantName: String? = nil,
        _: Void = ()
    ) {
        self.charge = charge
        self.merchant = merchant
        self.customer = customer
        self.amount = amount
        self.refunded = refunded
        self.time = time
        self.paid = paid
        self.captured = captured
        self.merchantName = merchantName
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("charge", \.charge),
            Field("merchant", \.merchant),
            Field("customer", \.customer),
            Field("amount", \.amount),
            Field("refunded", \.refunded),
            Field("time", \.time),
            Field("paid", \.paid, "What had been paid, and when: nobody has to remember each payment to know what a refund means. Absent where an earlier version told it."),
            Field("captured", \.captured),
            Field("merchantName", \.merchantName, "As when the charge was requested. Absent where it was paid without a request, and in facts that are older than this field."),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("charge", charge)
        writer.field("merchant", merchant)
        writer.field("customer", customer)
        writer.field("amount", amount)
        writer.field("refunded", refunded)
        writer.field("time", time)
        writer.field("paid", paid)
        writer.field("captured", captured)
        writer.field("merchantName", merchantName)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var charge: ChargeID?
        var merchant: PartyID?
        var customer: PartyID?
        var amount: Money?
        var refunded: Money?
        var time: Timestamp?
        var paid: Money?
        var captured: Timestamp?
        var merchantName: String?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "charge": try reader.take(&charge, key)
            case "merchant": try reader.take(&merchant, key)
            case "customer": try reader.take(&customer, key)
            case "amount": try reader.take(&amount, key)
            case "refunded": try reader.take(&refunded, key)
            case "time": try reader.take(&time, key)
            case "paid": try reader.takeOptional(&paid, key)
            case "captured": try reader.takeOptional(&captured, key)
            case "merchantName": try reader.takeOptional(&merchantName, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            charge: try required(charge, "charge"),
            merchant: try required(merchant, "merchant"),
            customer: try required(customer, "customer"),
            amount: try required(amount, "amount"),
            refunded: try required(refunded, "refunded"),
            time: try required(time, "time"),
            paid: paid,
            captured: captured,
            merchantName: merchantName
        )
    }
}
