import Contracts
import Primitives
import Storage

/// Looks at a stretch of the ledger and tells what is wrong with it, without trusting anything but the rules:
/// numbers without a gap, the hash chain, each account's balance after each entry, a journal row behind each entry and none
/// missing between. Behind the entries it looks at the accounts, and with the last of them at what all has together: sums, holds,
/// refunds.
///
/// No stretch takes long, however large the ledger is, as nobody pays meanwhile; but the sums are over all accounts at once, as
/// money moves between them: half a second for a million.
package struct LedgerCheck {
    /// Sentences in one answer. Where more is wrong, the first say enough.
    package static let problemsMax = 20

    private let ledger: any LedgerInspecting
    private var problems: [String] = []
    private var entriesChecked: Int64 = 0
    /// After-balances of entries of this stretch, so that most predecessors need no reading.
    private var seen: [Int64: LedgerEntry] = [:]

    private init(_ ledger: any LedgerInspecting) { self.ledger = ledger }

    /// - Parameters:
    ///   - after: where the stretch before has ended, 0 for the first.
    ///   - limit: at most so many entries and accounts.
    package static func run(
        _ ledger: any LedgerInspecting, after: Int64, limit: Int
    ) throws -> Wallet.VerifyLedger.Reply {
        var check = LedgerCheck(ledger)
        var next: Int64?
        do { next = try check.stretch(after: after, limit: limit) } catch let StoreFailure.damaged(what) {
            check.tell("\(after >= 0 ? "behind entry \(after)" : "among the accounts") \(what) cannot be read")
        }
        return Wallet.VerifyLedger.Reply(
            next: next, checked: check.entriesChecked, problems: Array(check.problems.prefix(problemsMax)))
    }

    /// - Returns: where it has ended: the number of an entry, the place of an account, or nil behind everything.
    private mutating func stretch(after: Int64, limit: Int) throws -> Int64? {
        var left = limit
        var reached: AccountID?
        if after >= 0 {
            let last = try entries(after: after, limit: limit)
            left -= Int(entriesChecked)
            if left == 0 { return last }
        } else {
            reached = AccountID.last(at: after)
        }
        if let place = try accounts(after: reached, limit: left) { return place }
        try whole()
        return nil
    }

    private mutating func tell(_ problem: String) {
        if problems.count < Self.problemsMax { problems.append(problem) }
    }

    // MARK: Entries

    /// - Returns: the last entry's number.
    private mutating func entries(after: Int64, limit: Int) throws -> Int64 {
        let stretch = try ledger.entries(after: after, limit: limit)
        entriesChecked = Int64(stretch.count)
        var number = after
        // Sequences of the journal's rows behind the entry before and behind this one; nil where there is none.
        var (fact, told): (Int64?, Int64?) = (0, nil)
        var hash = LedgerEntry.genesis
        var time = Timestamp(milliseconds: .min)
        if after > 0 {
            if let before = try ledger.entry(after) {
                hash = before.hash
                time = before.time
                fact = try ledger.recorded(before.operation)?.sequence
            } else {
                fact = nil
                tell("entry \(after) is missing")
            }
        }
        for entry in stretch {
            if entry.number != number + 1 { tell("between entries \(number) and \(entry.number) some are missing") }
            if entry.digest(after: hash) != entry.hash { tell("entry \(entry.number) does not match its hash") }
            if entry.time < time { tell("entry \(entry.number) is older than the one before") }
            try side(of: entry, entry.debit)
            try side(of: entry, entry.credit)
            let before = told ?? fact
            told = try request(behind: entry)
            if let told, let before, told <= before { tell("entry \(entry.number) has an operation of before") }
            seen[entry.number] = entry
            (number, hash, time) = (entry.number, entry.hash, entry.time)
        }
        if !stretch.isEmpty { try journal(after: fact, through: told) }
        return number
    }

    /// An account's balance after an entry is the balance after its previous one, and the movement.
    private mutating func side(of entry: LedgerEntry, _ account: AccountID) throws {
        guard let side = entry.side(of: account) else { return }
        var before: Int64 = 0
        if side.previous != 0 {
            let previous = try seen[side.previous] ?? ledger.entry(side.previous)
            guard side.previous < entry.number, let known = previous?.side(of: account) else {
                tell("entry \(entry.number) names entry \(side.previous) as the previous one of an account, wrongly")
                return
            }
            before = known.after
        }
        let (expected, overflow) = before.addingReportingOverflow(side.change)
        if overflow || expected != side.after {
            tell("entry \(entry.number) leaves an account with \(side.after) instead of \(expected)")
        }
    }

    /// Nothing moves without a request: the entry's operation is in the journal, and was not refused.
    ///
    /// - Returns: the sequence of its row there.
    private mutating func request(behind entry: LedgerEntry) throws -> Int64? {
        guard let row = try ledger.recorded(entry.operation), row.kind != .operationDeclined,
            row.kind != .paymentClosed
        else {
            tell("entry \(entry.number) has no operation in the journal")
            return nil
        }
        if row.time != entry.time { tell("entry \(entry.number) and its operation differ in time") }
        return row.sequence
    }

    /// The journal has no gap. Where an end of the stretch is not known, something has been told already.
    private mutating func journal(after: Int64?, through: Int64?) throws {
        guard let after, let through else { return }
        let rows = try ledger.journalCount(after: after, through: through)
        if rows != through - after { tell("behind \(after) the journal ends at \(through) and has \(rows) rows") }
    }

    // MARK: Accounts

    /// Each has what its last entry says, and held what its open holds say.
    ///
    /// - Returns: the place of the last one, if more follow.
    private mutating func accounts(after: AccountID?, limit: Int) throws -> Int64? {
        let (head, holds) = (try ledger.head(), try ledger.openHolds())
        var lines: [String] = []
        var (checked, last, next) = (0, Int64(0), Int64?.none)
        try ledger.eachAccount(after: after) { account in
            if checked >= limit, account.id.place != last {
                next = last
                return false
            }
            (checked, last) = (checked + 1, account.id.place)
            if account.kind.isUsers, account.balance < 0 { lines.append("account \(account.id) is below zero") }
            let held = holds[account.id] ?? 0
            if held != account.held {
                lines.append("account \(account.id) has \(account.held) held, its open holds are \(held)")
            }
            if account.lastEntry == 0 {
                if account.balance != 0 { lines.append("account \(account.id) has a balance and no entry") }
            } else if account.lastEntry > head.entry {
                lines.append("account \(account.id) ends with entry \(account.lastEntry), which is missing")
            } else if try ledger.entry(account.lastEntry)?.side(of: account.id)?.after != account.balance {
                lines.append("account \(account.id) differs from its last entry, \(account.lastEntry)")
            }
            return true
        }
        for line in lines { tell(line) }
        return next
    }

    // MARK: The whole

    private mutating func whole() throws {
        let head = try ledger.head()
        var totals: [Currency: Int64] = [:]
        var isInRange = true
        try ledger.eachAccount(after: nil) { account in
            let (total, overflow) = totals[account.currency, default: 0].addingReportingOverflow(account.balance)
            totals[account.currency] = total
            if overflow { isInRange = false }
            return true
        }
        if !isInRange { tell("the sum over the accounts leaves its range") }
        for (currency, total) in totals where total != 0 {
            tell("the accounts in \(currency.code) add up to \(total) instead of 0")
        }
        for card in try ledger.openHolds().keys where try ledger.account(card) == nil {
            tell("a hold is on account \(card), which is missing")
        }
        for total in try ledger.refundTotals() where total.refunded <= 0 || total.refunded > total.captured {
            tell("of payment \(total.payment) \(total.refunded) of \(total.captured) is paid back")
        }
        let last = head.entry == 0 ? nil : try ledger.entry(head.entry)
        let fact = head.entry == 0 ? 0 : try last.flatMap { try ledger.recorded($0.operation)?.sequence }
        try journal(after: fact, through: head.fact)
    }
}

extension AccountID {
    /// Where among all accounts this one is, as a number below 0: entries have those above. Some may share a place.
    fileprivate var place: Int64 { -1 - Int64(high >> 1) }

    /// The greatest that can be at a place.
    fileprivate static func last(at place: Int64) -> AccountID {
        AccountID(high: UInt64(-1 - place) << 1 | 1, low: .max)
    }
}
