import Contracts
import Primitives
import Storage

/// Checks the journal, and the tables that follow from it: everything that decides about money is in a row of the
/// journal or in an entry, and is compared with these.
extension LedgerCheck {
    // MARK: The journal

    /// Checks the sequence for gaps, the chain, the index of operations, and that each table agrees with the row.
    ///
    /// - Parameters:
    /// - last: the last row of the stretch.
    /// - withEntries: checks the entries that rows name, too.
    /// - Returns: the sequence that was reached, if more rows follow.
    mutating func journal(after: Int64, through last: Int64, limit: Int, withEntries: Bool) throws -> Int64? {
        var rows: [JournalRow] = []
        try ledger.journal(after: after, limit: limit) { row in
            guard row.sequence <= last else { return false }
            rows.append(row)
            return true
        }
        var (sequence, hash) = (after, JournalRow.genesis)
        var times = TimeCheck("fact", now)
        if after > 0 {
            if let before = try ledger.journalRow(after) {
                hash = before.hash
                times.begin(after: before.time)
            } else {
                report("fact \(after) is missing")
            }
        }
        for row in rows {
            if row.sequence != sequence + 1 { report("between facts \(sequence) and \(row.sequence) some are missing") }
            let entry = try entry(of: row)
            if withEntries, let entry {
                _ = try check(entry, after: ledger.entry(entry.number - 1)?.hash)
                seen[entry.number] = entry
            }
            if entry != nil, withEntries || rows.count == limit { entriesChecked += 1 }
            var evidence = JournalRow.Evidence(entry: entry?.hash)
            if row.kind == .cardAdded, let card = row.operation {
                evidence.cardNumber = try ledger.card(card.reinterpreted())?.numberDigest
            }
            if row.digest(after: hash, key: ledger.rules.chainKey, evidence) != row.hash {
                report("fact \(row.sequence) does not match its hash")
            }
            // Entries have the same problems, and are reported with these.
            if entry == nil || withEntries {
                times.look(at: row.time, of: row.sequence)
            } else {
                times.begin(after: row.time)
            }
            if let operation = row.operation { try checkIndex(operation, row) }
            try checkTables(row)
            (sequence, hash) = (row.sequence, row.hash)
        }
        note(times)
        if withEntries { left -= rows.count }
        return rows.count < limit || sequence == last ? nil : sequence
    }

    private mutating func entry(of row: JournalRow) throws -> LedgerEntry? {
        guard let number = row.entryNumber else { return nil }
        guard let entry = try entry(number), entry.operation == row.operation else {
            report("fact \(row.sequence) names entry \(number), which is missing or another operation's")
            return nil
        }
        return entry
    }

    private mutating func checkIndex(_ operation: OperationID, _ row: JournalRow) throws {
        var found: Int64?
        do { found = try recorded(operation)?.sequence } catch StoreFailure.damaged { found = nil }
        if found != row.sequence { report("the index of operations does not lead to fact \(row.sequence)") }
    }

    private mutating func checkTables(_ row: JournalRow) throws {
        switch row.account {
        case .cardAdded(let fact):
            let account = try ledger.account(fact.card.reinterpreted())
            let card = try ledger.card(fact.card)
            let isSame =
                account?.kind == .card && account?.owner == fact.customer && account?.currency == fact.balance.currency
                && card?.customer == fact.customer && card?.lastFour == fact.lastFour && card?.position == row.sequence
            if !isSame { report("card \(fact.card) is not as it was added by fact \(row.sequence)") }
        case .accountOpened(let fact):
            let account = try ledger.account(fact.merchant.reinterpreted())
            if account?.kind != .merchant || account?.owner != fact.merchant {
                report("account \(fact.merchant) is not as it was opened by fact \(row.sequence)")
            }
        case .holdPlaced(let fact):
            let hold = try ledger.hold(fact.hold)
            let isSame =
                hold?.card == fact.card && hold?.customer == fact.customer && hold?.merchant == fact.merchant
                && hold?.amount == fact.amount.amount && hold?.expires == fact.expires
            if !isSame { report("hold \(fact.hold) is not as it was placed by fact \(row.sequence)") }
        case .holdEnded(let end):
            let hold = try ledger.hold(end.hold)
            if hold?.state != end.state || hold?.captured != end.captured || hold?.ended != row.sequence {
                report("hold \(end.hold) is not as it was ended by fact \(row.sequence)")
            }
        case .refunded(let refund):
            let total = try ledger.refundTotal(of: refund.payment)
            if (total?.refunded ?? 0) < refund.refunded || (total?.newest ?? 0) < row.sequence {
                report("of payment \(refund.payment) less is known to be paid back than fact \(row.sequence) says")
            }
        case .unreadable: report("fact \(row.sequence) cannot be read")
        case .other: return
        }
    }

    // MARK: Tables

    /// Reads at least one row of a table, in the order of ids. Rows at one place come together, beyond the limit too.
    ///
    /// - Returns: the rows, and the place of the last one if more rows may follow.
    private mutating func stretch<Row, Subject>(
        after: Identifier<Subject>?, by id: KeyPath<Row, Identifier<Subject>>,
        _ page: (Identifier<Subject>?, Int) throws -> [Row]
    ) throws -> (rows: [Row], next: Int64?) {
        let limit = max(left, 1)
        var rows = try page(after, limit)
        var next: Int64?
        if rows.count == limit, let last = rows.last {
            let place = Self.key(last[keyPath: id])
            rows += try rest(of: place, after: last[keyPath: id], by: id, page)
            next = place
        }
        left -= rows.count
        return (rows, next)
    }

    /// The rows behind one that share its place.
    private func rest<Row, Subject>(
        of place: Int64, after first: Identifier<Subject>, by id: KeyPath<Row, Identifier<Subject>>,
        _ page: (Identifier<Subject>?, Int) throws -> [Row]
    ) throws -> [Row] {
        var rest: [Row] = []
        while true {
            let more = try page(rest.last?[keyPath: id] ?? first, Self.restAtOnce)
            rest += more.prefix { Self.key($0[keyPath: id]) == place }
            guard let last = more.last, Self.key(last[keyPath: id]) == place else { return rest }
        }
    }

    /// Rows that are read at once of those that share a place, which are few.
    private static let restAtOnce = 16

    /// Each account has the journal's owner, the balance of its last entry, and the sum of its open holds as held.
    mutating func accounts(after: AccountID?) throws -> Int64? {
        let (accounts, next) = try stretch(after: after, by: \LedgerAccount.id, ledger.accounts)
        let (head, holds) = (try ledger.head(), try ledger.openHolds())
        try readAhead(
            operations: accounts.filter { $0.kind == .card }.map { $0.id.reinterpreted() },
            entries: accounts.map(\.lastEntry))
        for account in accounts {
            if account.kind.isUsers, account.balance < 0 { report("account \(account.id) is below zero") }
            let held = holds[account.id] ?? 0
            if held != account.held {
                report("account \(account.id) has \(account.held) held, its open holds are \(held)")
            }
            if account.lastEntry == 0 {
                if account.balance != 0 { report("account \(account.id) has a balance and no entry") }
            } else if account.lastEntry > head.entry {
                report("account \(account.id) ends with entry \(account.lastEntry), which is missing")
            } else if try entry(account.lastEntry)?.side(of: account.id)?.after != account.balance {
                report("account \(account.id) differs from its last entry, \(account.lastEntry)")
            }
            try checkOwner(of: account)
        }
        return next
    }

    private mutating func checkOwner(of account: LedgerAccount) throws {
        guard account.kind == .card else {
            if account.owner.reinterpreted() != account.id { report("account \(account.id) is not its own") }
            return
        }
        guard let row = try recorded(account.id.reinterpreted()), case .cardAdded(let fact) = row.account,
            fact.customer == account.owner, try ledger.card(fact.card)?.customer == account.owner
        else { return report("card \(account.id) has no such owner in the journal") }
        if let chosen = try ledger.defaultCard(of: account.owner),
            try ledger.account(chosen.reinterpreted())?.owner != account.owner
        {
            report("the default card of customer \(account.owner) is another's")
        }
    }

    /// Each hold was placed, and is open or ended by the fact that it names.
    mutating func holds(after: OperationID?) throws -> Int64? {
        let (holds, next) = try stretch(after: after, by: \Hold.id, ledger.holds)
        for hold in holds {
            if try ledger.recorded(hold.id)?.kind != .holdPlaced { report("hold \(hold.id) was never placed") }
            guard let ended = hold.ended else {
                if hold.state != .open { report("hold \(hold.id) is not open, and no fact says why") }
                continue
            }
            guard let row = try ledger.journalRow(ended), case .holdEnded(let end) = row.account, end.hold == hold.id,
                end.state == hold.state
            else {
                report("hold \(hold.id) was not ended by fact \(ended)")
                continue
            }
        }
        return next
    }

    /// Each refund is as its newest fact says, and no more than was paid.
    mutating func refunds(after: OperationID?) throws -> Int64? {
        let (totals, next) = try stretch(after: after, by: \RefundTotal.payment, ledger.refundTotals)
        for total in totals {
            if total.refunded <= 0 || total.refunded > total.captured {
                report("of payment \(total.payment) \(total.refunded) of \(total.captured) is paid back")
            }
            if try ledger.recorded(total.payment)?.paid?.amount != total.captured {
                report("payment \(total.payment) was not \(total.captured), of which \(total.refunded) is paid back")
            }
            guard let row = try ledger.journalRow(total.newest), case .refunded(let refund) = row.account,
                refund.payment == total.payment, refund.refunded == total.refunded
            else {
                report("of payment \(total.payment) no fact says that \(total.refunded) is paid back")
                continue
            }
        }
        return next
    }
}
