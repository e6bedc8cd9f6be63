// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

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
            Field("counterparty", \.counterparty, "The other party. Absent where the other account belongs to the set itself, as in a reload."),
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

    package static var summary: String { "The entries of all cards of a customer, or of a merchant's account, newest first: payments, refunds, reloads, transfers both ways." }
    package static var fields: [Field<Self>] {
        [
            Field("holder", \.holder, "With a card, the same of that card alone."),
            Field("before", \.before, "Only entries older than this one."),
            Field("since", \.since, "Only what moved then or later. What is before is behind `next`, which then is there even if the first page is empty. A page behind it, again with `since`, has none if what is before is too old."),
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
        wrongTimes: [String]? = nil,
        _: Void = ()
    ) {
        self.next = next
        self.checked = checked
        self.problems = problems
        self.wrongTimes = wrongTimes
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("next", \.next, "Where the next stretch begins, below 0 behind the entries; absent when the whole ledger has been checked."),
            Field("checked", \.checked, "So many entries."),
            Field("problems", \.problems, "The problems found, one sentence each; empty when there is none. At most 20."),
            Field("wrongTimes", \.wrongTimes, "Times that cannot be right, one sentence each, as a clock was wrong when they were written; absent when there is none. At most 20. They stay, and no money is wrong by them."),
        ]
    }
}
