import Contracts
import Primitives
import Storage

/// Checks a stretch of the ledger and reports every problem. It trusts only the rules: it checks entries with the
/// journal's rows first, then accounts, holds and refunds against these, and the sums and anchors at the end.
///
/// Payments wait during a stretch, so each is short. Only the last one grows with the ledger: the database adds up all
/// accounts at once, as money moves between them.
package struct LedgerCheck {
    /// The most problems in one answer; more would add nothing.
    package static let problemsMax = 20

    let ledger: any LedgerInspecting
    let now: Timestamp
    private var problems: [String] = []
    /// Times that cannot be right.
    private var wrongTimes: [String] = []
    var entriesChecked: Int64 = 0
    /// Rows that this stretch may still check.
    var left: Int
    /// The first row of the journal that no entry of earlier stretches has named.
    private var rowsFrom: Int64 = 0
    /// Entries of this stretch, and those before it that they follow, so that none is read twice.
    var seen: [Int64: LedgerEntry] = [:]
    /// Rows of the journal that the index of operations has led to, so that each is looked up once.
    private var recorded: [OperationID: JournalRow] = [:]
    /// The newest entries of the accounts that this stretch moves.
    private var newest: [AccountID: Int64] = [:]

    /// The phases of the check, in order. The raw value is part of a stretch's start.
    private enum Phase: Int64, CaseIterable {
        case journal = 0
        case accounts, holds, refunds
    }

    private init(_ ledger: any LedgerInspecting, limit: Int, now: Timestamp) {
        self.ledger = ledger
        self.now = now
        left = limit
    }

    /// - Parameters:
    /// - after: the end of the previous stretch; 0 for the first.
    /// - limit: the most rows to check.
    /// - anchor: compared in addition to the ledger's own.
    package static func run(
        _ ledger: any LedgerInspecting, after: Int64, limit: Int, now: Timestamp, anchor: LedgerAnchor? = nil
    ) throws -> Wallet.VerifyLedger.Reply {
        var check = LedgerCheck(ledger, limit: limit, now: now)
        var next: Int64?
        do { next = try check.stretch(after: after, anchor) } catch let StoreFailure.damaged(what) {
            check.report("\(after >= 0 ? "behind entry \(after)" : "behind the entries") \(what) cannot be read")
        }
        return Wallet.VerifyLedger.Reply(
            next: next, checked: check.entriesChecked, problems: Array(check.problems.prefix(problemsMax)),
            wrongTimes: check.wrongTimes.isEmpty ? nil : check.wrongTimes)
    }

    /// - Returns: the end of the stretch: the number of an entry, a place below 0 after the entries, or nil at the end.
    private mutating func stretch(after: Int64, _ anchor: LedgerAnchor?) throws -> Int64? {
        var (first, key) = (Phase.journal, Int64?.none)
        if after >= 0 {
            if let last = try entries(after: after) { return last }
        } else {
            (first, key) = Self.place(after)
            if first == .journal { rowsFrom = key ?? 0 }
        }
        for phase in Phase.allCases where phase.rawValue >= first.rawValue {
            let reached =
                switch phase {
                case .journal: try journal(after: rowsFrom, through: .max, limit: left, withEntries: true)
                case .accounts: try accounts(after: key.map(Self.lastID))
                case .holds: try holds(after: key.map(Self.lastID))
                case .refunds: try refunds(after: key.map(Self.lastID))
                }
            if let reached { return Self.number(phase, reached) }
            key = nil
        }
        try whole(anchor)
        return nil
    }

    mutating func report(_ problem: String) {
        if problems.count < Self.problemsMax { problems.append(problem) }
    }

    /// Times are permanent, and no money is wrong by them.
    mutating func note(_ times: TimeCheck) {
        wrongTimes += times.findings.prefix(Self.problemsMax - wrongTimes.count)
    }

    // MARK: Places behind the entries: numbers below 0, entries having those above

    private static let keyBits = 61

    private static func number(_ phase: Phase, _ key: Int64) -> Int64 { -1 - (phase.rawValue << keyBits | key) }

    private static func place(_ number: Int64) -> (Phase, Int64) {
        let bits = -1 - number
        return (Phase(rawValue: bits >> keyBits) ?? .refunds, bits & (1 << keyBits - 1))
    }

    /// The place of an id among a table's rows. Several ids may share one.
    static func key<Subject>(_ id: Identifier<Subject>) -> Int64 { Int64(id.high >> 3) }

    /// The greatest id at a place.
    private static func lastID<Subject>(_ key: Int64) -> Identifier<Subject> {
        Identifier(high: UInt64(key) << 3 | 7, low: .max)
    }

    // MARK: Entries

    /// Checks entries, and the journal's rows up to that of the last entry.
    ///
    /// - Returns: where it ended, if more may follow.
    private mutating func entries(after: Int64) throws -> Int64? {
        let stretch = try ledger.entries(after: after, limit: left)
        try readAhead(
            operations: stretch.map(\.operation),
            entries: stretch.flatMap { [$0.debitPrevious, $0.creditPrevious] }.filter { $0 <= after },
            accounts: stretch.flatMap { [$0.debit, $0.credit] })
        var before = after == 0 ? nil : try ledger.entry(after)
        if after > 0, before == nil { report("entry \(after) is missing") }
        let start = try before.flatMap { try ledger.recorded($0.operation)?.sequence } ?? 0
        var published = start
        var times = TimeCheck("entry", now)
        if let before { times.begin(after: before.time) }
        for entry in stretch {
            if entry.number != (before?.number ?? after) + 1 {
                report("between entries \(before?.number ?? after) and \(entry.number) some are missing")
            }
            times.look(at: entry.time, of: entry.number)
            if let sequence = try check(entry, after: before?.hash) {
                if sequence <= published { report("entry \(entry.number) has an operation of before") }
                published = max(published, sequence)
            }
            seen[entry.number] = entry
            before = entry
        }
        note(times)
        // If an operation is missing, the journal is checked from the start: rather twice than not at all.
        let isRowKnown = after == 0 || start > 0
        let rowsMax = left * Self.rowsPerEntryMax
        left -= stretch.count
        if isRowKnown, let reached = try journal(after: start, through: published, limit: rowsMax, withEntries: false) {
            return Self.number(.journal, reached)
        }
        entriesChecked = Int64(stretch.count)
        if left == 0 { return before?.number }
        rowsFrom = isRowKnown ? published : 0
        return nil
    }
    /// Rows of the journal checked for each entry of a stretch. If there are more, the stretch ends among them.
    private static let rowsPerEntryMax = 4

    func entry(_ number: Int64) throws -> LedgerEntry? { try seen[number] ?? ledger.entry(number) }

    /// - Returns: the sequence of the operation's row; nil if that is missing.
    mutating func check(_ entry: LedgerEntry, after previous: [UInt8]?) throws -> Int64? {
        if entry.digest(after: previous ?? LedgerEntry.genesis) != entry.hash {
            report("entry \(entry.number) does not match its hash")
        }
        try side(of: entry, entry.debit)
        try side(of: entry, entry.credit)
        return try request(behind: entry)
    }

    /// An account's balance after an entry is the balance after its previous entry plus the movement, and the account
    /// includes the entry.
    private mutating func side(of entry: LedgerEntry, _ account: AccountID) throws {
        guard let side = entry.side(of: account) else { return }
        if newest[account] == nil { newest[account] = try ledger.account(account)?.lastEntry ?? 0 }
        if let last = newest[account], last < entry.number {
            report("account \(account) ends with entry \(last), and entry \(entry.number) moves it")
        }
        var before: Int64 = 0
        if side.previous != 0 {
            guard side.previous < entry.number, let known = try self.entry(side.previous)?.side(of: account) else {
                report("entry \(entry.number) names entry \(side.previous) as the previous one of an account, wrongly")
                return
            }
            before = known.after
        }
        let (expected, overflow) = before.addingReportingOverflow(side.change)
        if overflow || expected != side.after {
            report("entry \(entry.number) leaves an account with \(side.after) instead of \(expected)")
        }
    }

    /// No money moves without a request: the entry's operation is in the journal and was not refused.
    ///
    /// - Returns: the sequence of its row.
    private mutating func request(behind entry: LedgerEntry) throws -> Int64? {
        guard let row = try recorded(entry.operation), row.kind != .operationDeclined,
            row.kind != .paymentClosed
        else {
            report("entry \(entry.number) has no operation in the journal")
            return nil
        }
        if row.time != entry.time { report("entry \(entry.number) and its operation differ in time") }
        if row.entryNumber != entry.number {
            report("entry \(entry.number) is not the one that its operation names")
        }
        return row.sequence
    }

    /// Reads together what is looked up one by one afterwards, which from a server would take as many round trips. What
    /// is damaged is left to that look-up, which reports it in its place.
    mutating func readAhead(operations: [OperationID], entries: [Int64], accounts: [AccountID] = []) throws {
        func whole<Key, Value>(_ read: () throws -> [Key: Value]) throws -> [Key: Value] {
            do { return try read() } catch StoreFailure.damaged { return [:] }
        }
        recorded.merge(try whole { try ledger.recorded(Set(operations)) }) { $1 }
        seen.merge(try whole { try ledger.entries(Set(entries).subtracting([0])) }) { $1 }
        newest.merge(try whole { try ledger.accounts(Set(accounts)).mapValues(\.lastEntry) }) { $1 }
    }

    /// The row that the index of operations leads to.
    mutating func recorded(_ operation: OperationID) throws -> JournalRow? {
        if let row = recorded[operation] { return row }
        let row = try ledger.recorded(operation)
        recorded[operation] = row
        return row
    }

    // MARK: The whole

    private mutating func whole(_ anchor: LedgerAnchor?) throws {
        let sums = try ledger.countedSums()
        for (currency, ofCurrency) in Dictionary(grouping: sums, by: \.currency) {
            let total = ofCurrency.reduce(Int128(0)) { $0 + Int128($1.balance) }
            if total != 0 { report("the accounts in \(currency.code) add up to \(total) instead of 0") }
        }
        let kept = try ledger.accountSums()
        for sum in sums where !kept.contains(sum) {
            report("the sums that are kept of accounts (\(sum.kind.name), \(sum.currency.code)) are not theirs")
        }
        for sum in kept where !sums.contains(where: { $0.kind == sum.kind && $0.currency == sum.currency }) {
            report("sums are kept of accounts that there are not (\(sum.kind.name), \(sum.currency.code))")
        }
        for card in try ledger.openHolds().keys where try ledger.account(card) == nil {
            report("a hold is on account \(card), which is missing")
        }
        if let doubt = ledger.doubt { report(doubt) }
        for anchor in ledger.anchors + (anchor.map { [$0] } ?? []) {
            if let problem = try ledger.problem(with: anchor) { report(problem) }
        }
    }
}

/// Times that cannot be right, reported once for a stretch, as a wrong clock writes many of them.
struct TimeCheck {
    private let noun: String
    /// Later times are in the future.
    private let latest: Timestamp
    private var before: Timestamp?
    private var future: (first: Int64, last: Int64, count: Int, time: Timestamp)?
    private var back: [String] = []

    /// - Parameter noun: what has the times.
    init(_ noun: String, _ now: Timestamp) {
        self.noun = noun
        latest = now + ClockGuard.stepMax
    }

    mutating func begin(after time: Timestamp) { before = time }

    mutating func look(at time: Timestamp, of number: Int64) {
        if time > latest {
            let known = future ?? (number, number, 0, time)
            future = (known.first, number, known.count + 1, max(known.time, time))
        }
        if let before, time + ClockGuard.stepMax < before {
            back.append(
                "\(noun) \(number) has the time \(time.rfc3339), behind one with \(before.rfc3339): a clock was wrong")
        }
        before = time
    }

    /// A sentence each.
    var findings: [String] {
        guard let future else { return back }
        let which =
            future.count == 1
            ? "\(noun) \(future.first) has a time"
            : "\(future.count) times from \(noun) \(future.first) to \(future.last) are"
        return ["\(which) in the future (up to \(future.time.rfc3339)): a clock was wrong"] + back
    }
}
