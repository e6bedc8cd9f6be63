import Contracts
import Primitives
import Storage

/// Looks at a stretch of the ledger and tells what is wrong with it, without trusting anything but the rules:
/// numbers without a gap, the hash chain, each account's balance after each entry, a journal row behind each entry.
/// The last stretch also looks at the accounts, the holds, the refunds and the journal as a whole.
package struct LedgerCheck {
    /// Sentences in one answer. Where more is wrong, the first say enough.
    package static let problemsMax = 20

    private let ledger: any LedgerInspecting
    private var problems: [String] = []
    /// After-balances of entries of this stretch, so that most predecessors need no reading.
    private var seen: [Int64: LedgerEntry] = [:]

    private init(_ ledger: any LedgerInspecting) { self.ledger = ledger }

    /// - Parameters:
    ///   - after: begin behind this entry; 0 for the first.
    ///   - limit: at most so many entries.
    package static func run(
        _ ledger: any LedgerInspecting, after: Int64, limit: Int
    ) throws -> Wallet.VerifyLedger.Reply {
        var check = LedgerCheck(ledger)
        var (checked, last, isLast) = (0, after, true)
        do {
            (checked, last) = try check.entries(after: after, limit: limit)
            isLast = checked < limit
            if isLast { try check.whole() }
        } catch let StoreFailure.damaged(what) {
            check.tell("behind entry \(after) \(what) cannot be read")
        }
        return Wallet.VerifyLedger.Reply(
            next: isLast ? nil : last, checked: Int64(checked),
            problems: Array(check.problems.prefix(problemsMax)))
    }

    private mutating func tell(_ problem: String) {
        if problems.count < Self.problemsMax { problems.append(problem) }
    }

    // MARK: Entries

    private mutating func entries(after: Int64, limit: Int) throws -> (checked: Int, last: Int64) {
        let stretch = try ledger.entries(after: after, limit: limit)
        var number = after
        var hash = LedgerEntry.genesis
        var time = Timestamp(milliseconds: .min)
        if after > 0 {
            if let before = try ledger.entry(after) {
                hash = before.hash
                time = before.time
            } else {
                tell("entry \(after) is missing")
            }
        }
        for entry in stretch {
            if entry.number != number + 1 { tell("between entries \(number) and \(entry.number) some are missing") }
            if entry.digest(after: hash) != entry.hash { tell("entry \(entry.number) does not match its hash") }
            if entry.time < time { tell("entry \(entry.number) is older than the one before") }
            try side(of: entry, entry.debit)
            try side(of: entry, entry.credit)
            try request(behind: entry)
            seen[entry.number] = entry
            (number, hash, time) = (entry.number, entry.hash, entry.time)
        }
        return (stretch.count, number)
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
    private mutating func request(behind entry: LedgerEntry) throws {
        guard let row = try ledger.recorded(entry.operation), row.kind != .operationDeclined,
            row.kind != .paymentClosed
        else {
            tell("entry \(entry.number) has no operation in the journal")
            return
        }
        if row.time != entry.time { tell("entry \(entry.number) and its operation differ in time") }
    }

    // MARK: The whole

    private mutating func whole() throws {
        let head = try ledger.head()
        try accounts(head)
        for total in try ledger.refundTotals() where total.refunded <= 0 || total.refunded > total.captured {
            tell("of payment \(total.payment) \(total.refunded) of \(total.captured) is paid back")
        }
        let rows = try ledger.journalCount()
        if rows != head.fact { tell("the journal ends at \(head.fact) and has \(rows) rows") }
    }

    private mutating func accounts(_ head: LedgerHead) throws {
        var holds = try ledger.openHolds()
        var totals: [Currency: Int64] = [:]
        var lines: [String] = []
        try ledger.eachAccount { account in
            let (total, overflow) = totals[account.currency, default: 0].addingReportingOverflow(account.balance)
            totals[account.currency] = total
            if overflow { lines.append("the sum over the accounts leaves its range") }
            if account.kind.isUsers, account.balance < 0 { lines.append("account \(account.id) is below zero") }
            let held = holds.removeValue(forKey: account.id) ?? 0
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
        }
        for card in holds.keys { lines.append("a hold is on account \(card), which is missing") }
        for (currency, total) in totals where total != 0 {
            lines.append("the accounts in \(currency.code) add up to \(total) instead of 0")
        }
        for line in lines { tell(line) }
    }
}
