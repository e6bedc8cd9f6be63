import Primitives
import Wire

extension Wallet {
    /// The entries of a card or of a merchant's account, newest first.
    package struct ReadEntries: Ask, Equatable {
        package static let type: MessageType = "wallet.entries.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .holder(\.holder)
        package static let limits: [Limit<Self>] = [.number(\.limit, 1...100, example: 10)]
        package static let faults: [FaultCode] = [.cardNotFound, .noCard, .accountNotFound]
        package static var examples: Examples<Self> {
            Examples(
                Wallet.ReadEntries(
                    holder: Wallet.Holder(party: Samples.customer, role: .customer, card: Samples.card), before: 1001,
                    limit: 100),
                bare: Wallet.ReadEntries(holder: Wallet.Holder(party: Samples.merchant, role: .merchant), limit: 1),
                reply: Wallet.ReadEntries.Reply(
                    entries: [
                        Wallet.EntryView(
                            entry: 1000, kind: .payment, operation: Samples.operation, amount: Money(-350),
                            balance: Money(1300),
                            time: Samples.time, memo: Samples.memo),
                        Wallet.EntryView(
                            entry: 999, kind: .opening, operation: Samples.operation, amount: Samples.balance,
                            balance: Samples.balance,
                            time: Samples.time, memo: "")
                    ], next: 999),
                bareReply: Wallet.ReadEntries.Reply(entries: [], next: nil))
        }

        package struct Reply: WireMessage, Equatable {
            package let entries: [EntryView]
            /// Ask for the next page with this as `before`; absent when there is none.
            package let next: Int64?
        }

        package let holder: Holder
        /// Only entries older than this one.
        package let before: Int64?
        /// 1 to 100.
        package let limit: Int
    }

    /// An entry as its account's holder sees it.
    package struct EntryView: Codable, Sendable, Equatable {
        package let entry: Int64
        package let kind: EntryKind
        package let operation: OperationID
        /// Positive when the money came in, negative when it went out.
        package let amount: Money
        /// The account's balance after it.
        package let balance: Money
        package let time: Timestamp
        package let memo: String
        /// The card that it moved, where entries of several cards are read together.
        package let card: CardID?
        /// The other party. Absent where the other account belongs to the set itself, as in a reload.
        package let counterparty: PartyID?
        package let counterpartyRole: HolderRole?
    }

    /// The entries of all cards of a customer, or of a merchant's account, newest first: payments, refunds, reloads,
    /// transfers both ways.
    package struct ReadMovements: Ask, Equatable {
        package static let type: MessageType = "wallet.movements.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .holder(\.holder)
        package static let limits: [Limit<Self>] = [
            .number(\.limit, 1...100, example: 10), .number(\.before, 1...Int64.max, example: 1001)
        ]
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Wallet.ReadMovements(
                    holder: Wallet.Holder(party: Samples.customer, role: .customer), before: 1001,
                    since: Samples.time, limit: 10),
                bare: Wallet.ReadMovements(
                    holder: Wallet.Holder(party: Samples.merchant, role: .merchant), limit: 1),
                reply: Wallet.ReadMovements.Reply(
                    entries: [
                        Wallet.EntryView(
                            entry: 1000, kind: .transfer, operation: Samples.operation, amount: Money(-350),
                            balance: Money(1300), time: Samples.time, memo: Samples.memo, card: Samples.card,
                            counterparty: Samples.friend, counterpartyRole: .customer)
                    ], next: 1000),
                bareReply: Wallet.ReadMovements.Reply(entries: [], next: nil))
        }

        package struct Reply: WireMessage, Equatable {
            package let entries: [EntryView]
            /// Ask for the next page with this as `before`; absent when there is none.
            package let next: Int64?
        }

        /// With a card, the same of that card alone.
        package let holder: Holder
        /// Only entries older than this one.
        package let before: Int64?
        /// Only what moved then or later. What is before is behind `next`, which then is there even if the first page
        /// is empty. A page behind it, again with `since`, has none if what is before is too old.
        package let since: Timestamp?
        /// 1 to 100.
        package let limit: Int
    }

    package enum EntryKind: String, Codable, Sendable, CaseIterable {
        case opening, reload, payment, capture, refund, transfer
    }

    /// The sums over all accounts, for whoever wants to see that they cancel out.
    package struct ReadLedger: Ask, Equatable {
        package static let type: MessageType = "wallet.ledger.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .any(.administrator)
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Wallet.ReadLedger(),
                reply: Wallet.ReadLedger.Reply(
                    accounts: [
                        Wallet.ReadLedger.Sum(kind: "card", count: 3, balance: Money(4950)),
                        Wallet.ReadLedger.Sum(kind: "issuing", count: 1, balance: Money(-4950))
                    ], total: Money(0), held: Samples.price, entries: 1000, head: Samples.digest, sequence: 42,
                    chain: Samples.digest,
                    verified: Wallet.Verification(time: Samples.time, checked: 1000, problems: 0)),
                bareReply: Wallet.ReadLedger.Reply(
                    accounts: [], total: Money(0), held: Money(0), entries: 0, head: String(repeating: "0", count: 64),
                    sequence: 0))
        }

        package struct Reply: WireMessage, Equatable {
            package let accounts: [Sum]
            /// The sum over all accounts: zero.
            package let total: Money
            package let held: Money
            package let entries: Int64
            /// The newest entry's hash, 64 hex digits.
            package let head: String
            /// The newest fact's sequence.
            package let sequence: Int64
            /// The hash of the newest fact's row, 64 hex digits: it covers all facts and entries. Absent before the
            /// first fact.
            package let chain: String?
            /// The newest check of the whole ledger. Absent until one has ended since the process started.
            package let verified: Verification?
        }

        package struct Sum: Codable, Sendable, Equatable {
            /// `card`, `merchant`, `funding` or `issuing`.
            package let kind: String
            package let count: Int64
            package let balance: Money
        }
    }

    /// A check of the whole ledger that has ended.
    package struct Verification: Codable, Sendable, Equatable {
        package let time: Timestamp
        /// So many entries.
        package let checked: Int64
        /// So many things were wrong.
        package let problems: Int64
    }

    /// A ledger's head as it was written down elsewhere: the row of that fact still has this hash, or the ledger was
    /// changed.
    package struct Anchor: Codable, Sendable, Equatable {
        package static let limits: [Limit<Self>] = [
            .number(\.sequence, 1...Int64.max, example: 1000),
            .text(
                \.chain, of: .hexDigits, 64...64, or: .malformed,
                example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")
        ]

        /// The fact's sequence.
        package let sequence: Int64
        /// `chain` of `wallet.ledger.read.v1` at that time, 64 hex digits.
        package let chain: String
    }

    /// Checks a stretch of the ledger: first the entries, then the journal, accounts, holds and refunds, and with the
    /// last stretch their sums and the anchors. Hash chains, balances, times, and each table against the journal.
    package struct VerifyLedger: Ask, Equatable {
        package static let type: MessageType = "wallet.ledger.verify.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .any(.administrator)
        package static let limits: [Limit<Self>] = [.number(\.limit, 1...10_000, example: 1000)]
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Wallet.VerifyLedger(
                    after: 1000, limit: 10_000, anchor: Wallet.Anchor(sequence: 42, chain: Samples.digest)),
                bare: Wallet.VerifyLedger(after: 1000, limit: 10_000),
                reply: Wallet.VerifyLedger.Reply(
                    next: 1500, checked: 500, problems: ["entry 1042 does not follow 1041"],
                    wrongTimes: [
                        "entry 1043 has a time in the future (up to 2126-11-21T09:30:00.000Z): a clock was wrong"
                    ]),
                bareReply: Wallet.VerifyLedger.Reply(next: nil, checked: 0, problems: []))
        }

        package struct Reply: WireMessage, Equatable {
            /// Where the next stretch begins, below 0 behind the entries; absent when the whole ledger has been
            /// checked.
            package let next: Int64?
            /// So many entries.
            package let checked: Int64
            /// The problems found, one sentence each; empty when there is none. At most 20.
            package let problems: [String]
            /// Times that cannot be right, one sentence each, as a clock was wrong when they were written; absent when
            /// there is none. At most 20. They stay, and no money is wrong by them.
            package let wrongTimes: [String]?
        }

        /// Begin behind this entry, 0 for the first, or where `next` says.
        package let after: Int64
        /// At most so many rows, 1 to 10,000: the wallet writes nothing meanwhile.
        package let limit: Int
        /// A head to compare with in the last stretch, beside those that the wallet knows.
        package let anchor: Anchor?
    }
}
