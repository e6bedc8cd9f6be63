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
            Field("balance", \.balance, "What is on the card."),
            Field("available", \.available, "What of it can be spent: the balance less what is held."),
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

extension Wallet.OpenAccount {
    package init(
        merchant: PartyID,
        _: Void = ()
    ) {
        self.merchant = merchant
    }

    package static var summary: String { "Opens a merchant's account. Idempotent: an open one stays as it is." }
    package static var fields: [Field<Self>] {
        [
            Field("merchant", \.merchant),
        ]
    }
}

extension Wallet.ReadAccount {
    package init(
        merchant: PartyID,
        _: Void = ()
    ) {
        self.merchant = merchant
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("merchant", \.merchant),
        ]
    }
}

extension Wallet.AccountView: Shape {
    package init(
        merchant: PartyID,
        balance: Money,
        _: Void = ()
    ) {
        self.merchant = merchant
        self.balance = balance
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("merchant", \.merchant),
            Field("balance", \.balance),
        ]
    }
}

extension Wallet.PostPayment {
    package init(
        payment: ChargeID,
        customer: PartyID,
        card: CardID? = nil,
        merchant: PartyID,
        amount: Money,
        memo: String,
        attempt: OperationID? = nil,
        coupon: OfferID? = nil,
        _: Void = ()
    ) {
        self.payment = payment
        self.customer = customer
        self.card = card
        self.merchant = merchant
        self.amount = amount
        self.memo = memo
        self.attempt = attempt
        self.coupon = coupon
    }

    package static var summary: String { "Pays a merchant from a card: authorize and capture in one commit. Keyed on `payment`, the charge's id." }
    package static var fields: [Field<Self>] {
        [
            Field("payment", \.payment),
            Field("customer", \.customer),
            Field("card", \.card, "The default card where none is named."),
            Field("merchant", \.merchant),
            Field("amount", \.amount),
            Field("memo", \.memo, "What the customer reads on the receipt; at most 512 bytes."),
            Field("attempt", \.attempt, "The single-use pay code's owner may be asked to pay once only: a second use under another key differs here."),
            Field("coupon", \.coupon, "The coupon that this payment uses up: captured with the money, in one commit."),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("payment", payment)
        writer.field("customer", customer)
        writer.field("card", card)
        writer.field("merchant", merchant)
        writer.field("amount", amount)
        writer.field("memo", memo)
        writer.field("attempt", attempt)
        writer.field("coupon", coupon)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var payment: ChargeID?
        var customer: PartyID?
        var card: CardID?
        var merchant: PartyID?
        var amount: Money?
        var memo: String?
        var attempt: OperationID?
        var coupon: OfferID?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "payment": try reader.take(&payment, key)
            case "customer": try reader.take(&customer, key)
            case "card": try reader.takeOptional(&card, key)
            case "merchant": try reader.take(&merchant, key)
            case "amount": try reader.take(&amount, key)
            case "memo": try reader.take(&memo, key)
            case "attempt": try reader.takeOptional(&attempt, key)
            case "coupon": try reader.takeOptional(&coupon, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            payment: try required(payment, "payment"),
            customer: try required(customer, "customer"),
            card: card,
            merchant: try required(merchant, "merchant"),
            amount: try required(amount, "amount"),
            memo: try required(memo, "memo"),
            attempt: attempt,
            coupon: coupon
        )
    }
}

extension Wallet.ReadPayment {
    package init(
        payment: ChargeID,
        _: Void = ()
    ) {
        self.payment = payment
    }

    package static var summary: String { "A payment by its charge's id: whether an earlier ask moved the money." }
    package static var fields: [Field<Self>] {
        [
            Field("payment", \.payment),
        ]
    }
}

extension Wallet.ClosePayment {
    package init(
        payment: ChargeID,
        reason: Wallet.CloseReason,
        _: Void = ()
    ) {
        self.payment = payment
        self.reason = reason
    }

    package static var summary: String { "Ends a payment without moving money: nothing can be posted under its id any more. Keyed on `payment`. Whichever of this and `wallet.payment.post.v1` commits first decides the charge." }
    package static var fields: [Field<Self>] {
        [
            Field("payment", \.payment),
            Field("reason", \.reason),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("payment", payment)
        writer.field("reason", reason)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var payment: ChargeID?
        var reason: Wallet.CloseReason?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "payment": try reader.take(&payment, key)
            case "reason": try reader.take(&reason, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            payment: try required(payment, "payment"),
            reason: try required(reason, "reason")
        )
    }
}

extension Wallet.CloseReason: Choice {
    package static var summary: String { "" }
    package static var meanings: [Self: String] {
        [
            .declined: "By the customer.",
            .cancelled: "By the merchant.",
            .expired: "By the clock.",
        ]
    }
}

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

extension Wallet.PostRefund {
    package init(
        operation: OperationID,
        payment: ChargeID,
        merchant: PartyID,
        amount: Money? = nil,
        _: Void = ()
    ) {
        self.operation = operation
        self.payment = payment
        self.merchant = merchant
        self.amount = amount
    }

    package static var summary: String { "Pays back a payment, in full or in part, to the card that paid. Keyed on `operation`." }
    package static var fields: [Field<Self>] {
        [
            Field("operation", \.operation),
            Field("payment", \.payment),
            Field("merchant", \.merchant),
            Field("amount", \.amount, "What is left of the payment where none is given."),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("operation", operation)
        writer.field("payment", payment)
        writer.field("merchant", merchant)
        writer.field("amount", amount)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var operation: OperationID?
        var payment: ChargeID?
        var merchant: PartyID?
        var amount: Money?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "operation": try reader.take(&operation, key)
            case "payment": try reader.take(&payment, key)
            case "merchant": try reader.take(&merchant, key)
            case "amount": try reader.takeOptional(&amount, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            operation: try required(operation, "operation"),
            payment: try required(payment, "payment"),
            merchant: try required(merchant, "merchant"),
            amount: amount
        )
    }
}

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

extension Wallet.ReadEntries {
    package init(
        holder: Wallet.Holder,
        before: Int64? = nil,
        limit: Int,
        _: Void = ()
    ) {
        self.holder = holder
        self.before = before
        self.limit = limit
    }

    package static var summary: String { "The entries of a card or of a merchant's account, newest first." }
    package static var fields: [Field<Self>] {
        [
            Field("holder", \.holder),
            Field("before", \.before, "Only entries older than this one."),
            Field("limit", \.limit, "1 to 100."),
        ]
    }
}

extension Wallet.ReadEntries.Reply: Shape {
    package init(
        entries: [Wallet.EntryView],
        next: Int64? = nil,
        _: Void = ()
    ) {
        self.entries = entries
        self.next = next
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("entries", \.entries),
            Field("next", \.next, "Ask for the next page with this as `before`; absent when there is none."),
        ]
    }
}

extension Wallet.EntryView: Shape {
    package init(
        entry: Int64,
        kind: Wallet.EntryKind,
        operation: OperationID,
        amount: Money,
        balance: Money,
        time: Timestamp,
        memo: String,
        card: CardID? = nil,
        counterparty: PartyID? = nil,
        counterpartyRole: Wallet.HolderRole? = nil,
        _: Void = ()
    ) {
        self.entry = entry
        self.kind = kind
        self.operation = operation
        self.amount = amount
        self.balance = balance
        self.time = time
        self.memo = memo
        self.card = card
        self.counterparty = counterparty
        self.counterpartyRole = counterpartyRole
    }

    package static var summary: String { "An entry as its account's holder sees it." }
    package static var fields: [Field<Self>] {
        [
            Field("entry", \.entry),
            Field("kind", \.kind),
            Field("operation", \.operation),
            Field("amount", \.amount, "Positive when the money came in, negative when it went out."),
            Field("balance", \.balance, "The account's balance after it."),
            Field("time", \.time),
            Field("memo", \.memo),
            Field("card", \.card, "The card that it moved, where entries of several cards are read together."),
            Field("counterparty", \.counterparty, "Who is on the other side. Absent where that is the house, as of a reload."),
            Field("counterpartyRole", \.counterpartyRole),
        ]
    }
}

extension Wallet.ReadMovements {
    package init(
        holder: Wallet.Holder,
        before: Int64? = nil,
        since: Timestamp? = nil,
        limit: Int,
        _: Void = ()
    ) {
        self.holder = holder
        self.before = before
        self.since = since
        self.limit = limit
    }

    package static var summary: String { "What moved on all cards of a customer, or on a merchant's account, newest first: payments, refunds, reloads, transfers both ways." }
    package static var fields: [Field<Self>] {
        [
            Field("holder", \.holder, "With a card, the same of that card alone."),
            Field("before", \.before, "Only entries older than this one."),
            Field("since", \.since, "Only what moved then or later. What is before is behind `next`, which then is there even if this page is empty."),
            Field("limit", \.limit, "1 to 100."),
        ]
    }
}

extension Wallet.ReadMovements.Reply: Shape {
    package init(
        entries: [Wallet.EntryView],
        next: Int64? = nil,
        _: Void = ()
    ) {
        self.entries = entries
        self.next = next
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("entries", \.entries),
            Field("next", \.next, "Ask for the next page with this as `before`; absent when there is none."),
        ]
    }
}

extension Wallet.EntryKind: Choice {
    package static var summary: String { "" }
    package static var meanings: [Self: String] {
        [:]
    }
}

extension Wallet.ReadLedger {
    package init(
        _: Void = ()
    ) {
    }

    package static var summary: String { "The sums over all accounts, for whoever wants to see that they cancel out." }
    package static var fields: [Field<Self>] {
        [
        ]
    }
}

extension Wallet.ReadLedger.Reply: Shape {
    package init(
        accounts: [Wallet.ReadLedger.Sum],
        total: Money,
        held: Money,
        entries: Int64,
        head: String,
        sequence: Int64,
        chain: String? = nil,
        verified: Wallet.Verification? = nil,
        _: Void = ()
    ) {
        self.accounts = accounts
        self.total = total
        self.held = held
        self.entries = entries
        self.head = head
        self.sequence = sequence
        self.chain = chain
        self.verified = verified
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("accounts", \.accounts),
            Field("total", \.total, "The sum over all accounts: zero."),
            Field("held", \.held),
            Field("entries", \.entries),
            Field("head", \.head, "The newest entry's hash, 64 hex digits."),
            Field("sequence", \.sequence, "The newest fact's sequence."),
            Field("chain", \.chain, "The hash of the newest fact's row, 64 hex digits: it covers all facts and entries. Absent before the first fact."),
            Field("verified", \.verified, "The newest check of the whole ledger. Absent until one has ended since the process started."),
        ]
    }
}

extension Wallet.ReadLedger.Sum: Shape {
    package init(
        kind: String,
        count: Int64,
        balance: Money,
        _: Void = ()
    ) {
        self.kind = kind
        self.count = count
        self.balance = balance
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("kind", \.kind, "`card`, `merchant`, `funding` or `issuing`."),
            Field("count", \.count),
            Field("balance", \.balance),
        ]
    }
}

extension Wallet.Verification: Shape {
    package init(
        time: Timestamp,
        checked: Int64,
        problems: Int64,
        _: Void = ()
    ) {
        self.time = time
        self.checked = checked
        self.problems = problems
    }

    package static var summary: String { "A check of the whole ledger that has ended." }
    package static var fields: [Field<Self>] {
        [
            Field("time", \.time),
            Field("checked", \.checked, "So many entries."),
            Field("problems", \.problems, "So many things were wrong."),
        ]
    }
}

extension Wallet.Anchor: Shape {
    package init(
        sequence: Int64,
        chain: String,
        _: Void = ()
    ) {
        self.sequence = sequence
        self.chain = chain
    }

    package static var summary: String { "A ledger's head as it was written down elsewhere: the row of that fact still has this hash, or the ledger was changed." }
    package static var fields: [Field<Self>] {
        [
            Field("sequence", \.sequence, "The fact's sequence."),
            Field("chain", \.chain, "`chain` of `wallet.ledger.read.v1` at that time, 64 hex digits."),
        ]
    }
}

extension Wallet.VerifyLedger {
    package init(
        after: Int64,
        limit: Int,
        anchor: Wallet.Anchor? = nil,
        _: Void = ()
    ) {
        self.after = after
        self.limit = limit
        self.anchor = anchor
    }

    package static var summary: String { "Checks a stretch of the ledger: first the entries, then the journal, accounts, holds and refunds, and with the last stretch their sums and the anchors. Hash chains, balances, times, and each table against the journal." }
    package static var fields: [Field<Self>] {
        [
            Field("after", \.after, "Begin behind this entry, 0 for the first, or where `next` says."),
            Field("limit", \.limit, "At most so many rows, 1 to 10,000: the wallet writes nothing meanwhile."),
            Field("anchor", \.anchor, "A head to compare with in the last stretch, beside those that the wallet knows."),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.anchor),
    ]
}

extension Wallet.VerifyLedger.Reply: Shape {
    package init(
        next: Int64? = nil,
        checked: Int64,
        problems: [String],
        _: Void = ()
    ) {
        self.next = next
        self.checked = checked
        self.problems = problems
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("next", \.next, "Where the next stretch begins, below 0 behind the entries; absent when the whole ledger has been checked."),
            Field("checked", \.checked, "So many entries."),
            Field("problems", \.problems, "What is wrong, one sentence each; empty when all is well. At most 20."),
        ]
    }
}
