import Primitives

/// Where the ledger ends.
package struct LedgerHead: Equatable, Sendable {
    /// The newest entry's number; 0 before the first.
    package var entry: Int64
    /// The newest entry's hash.
    package var hash: [UInt8]
    /// The newest fact's sequence; 0 before the first.
    package var fact: Int64
    /// The hash of the newest fact's row.
    package var chain: [UInt8]
    /// Of the newest fact.
    package var time: Timestamp

    package init(entry: Int64, hash: [UInt8], fact: Int64, chain: [UInt8], time: Timestamp) {
        self.entry = entry
        self.hash = hash
        self.fact = fact
        self.chain = chain
        self.time = time
    }

    /// Of a ledger with nothing in it.
    package static let empty = LedgerHead(
        entry: 0, hash: LedgerEntry.genesis, fact: 0, chain: JournalRow.genesis, time: Timestamp(milliseconds: .min))
}

extension LedgerHead {
    /// Goes on to where the ledger ends with these changes.
    mutating func follow(_ changes: LedgerChanges) {
        if let last = changes.entries.last {
            entry = last.number
            hash = last.hash
        }
        if let last = changes.journal.last {
            fact = last.sequence
            chain = last.hash
            time = last.time
        }
    }
}

/// What the ledger needs to know to decide. Valid within one transaction; throws on trouble with the storage only.
package protocol LedgerReading {
    func head() throws -> LedgerHead
    func account(_ id: AccountID) throws -> LedgerAccount?
    func recorded(_ operation: OperationID) throws -> JournalRow?
    /// Looks up what `recorded` and `account` are going to be asked for, where that costs less than one at a time.
    func prefetch(_ wanted: () -> (operations: [OperationID], accounts: [AccountID])) throws
    func hold(_ id: OperationID) throws -> Hold?
    /// Open holds whose time is up at `time`, those due first.
    func holdsDue(at time: Timestamp, limit: Int) throws -> [Hold]
    /// The same of one card, without so many of the earliest.
    func holdsDue(of card: AccountID, at time: Timestamp, skip: Int, limit: Int) throws -> [Hold]
    func refundTotal(of payment: OperationID) throws -> RefundTotal?
    func defaultCard(of customer: PartyID) throws -> CardID?
    func cardCount(of customer: PartyID) throws -> Int
    func hasCard(numberDigest: [UInt8]) throws -> Bool
}

/// What readers and the check of the whole ledger want beside that.
package protocol LedgerInspecting: LedgerReading {
    var rules: LedgerRules { get }
    /// Heads that were written down outside of the ledger's file.
    var anchors: [LedgerAnchor] { get }
    /// Why it is not known whether facts are missing at the ledger's end; nil where it is.
    var doubt: String? { get }
    func journalRow(_ sequence: Int64) throws -> JournalRow?
    func card(_ card: CardID) throws -> CardRecord?
    /// In the order in which they were added.
    func cards(of customer: PartyID) throws -> [CardRecord]
    func entry(_ number: Int64) throws -> LedgerEntry?
    /// Oldest first.
    func entries(after number: Int64, limit: Int) throws -> [LedgerEntry]
    /// An account's entries from one of them back, newest first.
    ///
    /// - Parameter newest: the number of the first one; 0 for none.
    func history(
        of account: AccountID, from newest: Int64, limit: Int
    ) throws -> [(entry: LedgerEntry, side: LedgerEntry.Side)]
    /// Goes back along an account's entries to the newest before the entry `end`, which may be another account's.
    ///
    /// - Parameters:
    ///   - newest: the number of one of the account's entries, `end` or later.
    ///   - limit: entries that are read at most.
    /// - Returns: the number of that entry, or of the one where the way goes on if it is not before `end`; 0 behind the
    ///   first. And how many entries were read.
    func back(along account: AccountID, to end: Int64, from newest: Int64, limit: Int) throws -> (
        next: Int64, steps: Int
    )
    /// The entries of some numbers, as far as they exist.
    func entries(_ numbers: Set<Int64>) throws -> [Int64: LedgerEntry]
    /// The accounts of some ids, as far as they exist.
    func accounts(_ ids: Set<AccountID>) throws -> [AccountID: LedgerAccount]
    /// The rows of some operations, without those that the index does not lead to.
    func recorded(_ operations: Set<OperationID>) throws -> [OperationID: JournalRow]
    /// Journal rows after a sequence, oldest first, for as long as `take` returns true.
    func journal(after sequence: Int64, limit: Int, take: (JournalRow) -> Bool) throws
    /// What all accounts of a kind and a currency have together.
    func accountSums() throws -> [AccountSum]
    /// The same, counted anew from every account.
    ///
    /// - Throws: `StoreFailure.damaged` also where a sum leaves its range.
    func countedSums() throws -> [AccountSum]
    /// In the order of their ids, behind one or from the first.
    func accounts(after: AccountID?, limit: Int) throws -> [LedgerAccount]
    /// What open holds set aside, by card, minor units.
    func openHolds() throws -> [AccountID: Int64]
    /// In the order of their ids, behind one or from the first.
    func holds(after: OperationID?, limit: Int) throws -> [Hold]
    /// In the order of the payments' ids, behind one or from the first.
    func refundTotals(after: OperationID?, limit: Int) throws -> [RefundTotal]
}

/// Minor units.
package struct AccountSum: Equatable, Sendable {
    package let kind: AccountKind
    package let currency: Currency
    package var count: Int64
    package var balance: Int64
    package var held: Int64

    package init(kind: AccountKind, currency: Currency, count: Int64, balance: Int64, held: Int64) {
        self.kind = kind
        self.currency = currency
        self.count = count
        self.balance = balance
        self.held = held
    }
}
