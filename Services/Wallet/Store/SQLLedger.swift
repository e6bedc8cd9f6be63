import Contracts
import Primitives
import Storage

/// The ledger's statements on one connection: the reads and writes of `LedgerGroup`.
///
/// Used by one thread at a time, within its owner's transaction.
final class SQLLedger {
    private let transaction: Transaction
    let rules: LedgerRules
    var anchors: [LedgerAnchor] = []
    var doubt: String?

    private var accounts: AccountsAhead
    private let entriesAheadMax: Int64
    /// The end of the ledger, where each commit begins; nil until it is read.
    private(set) var newest: LedgerHead?
    /// The row of each operation in the journal.
    private let operations: KeyIndex
    /// What the rows of customers say, an absent one included: every payment from a named card asks.
    private var defaultCards = Remembered<PartyID, CardID?>(atMost: defaultCardsMax)
    /// Customers in `defaultCards`, about 50 bytes each.
    private static let defaultCardsMax = 131_072
    /// The sums over all accounts; nil until they are first read, which reads every account.
    private var sums: [AccountSum]?
    /// Whether a group is being decided.
    private var isInGroup = false
    private let headEntry, headFact: Statement
    private let selectAccount, selectSomeAccounts, updateAccount, insertAccount, selectAccounts, sumAccounts,
        reachAccounts: Statement
    private let selectJournal, selectSomeJournal, pageJournal: Statement
    private let journalInsertion: JournalInsertion
    private let selectHold, selectHolds, dueHolds, dueHoldsOfCard, updateHold, insertHold, sumHolds: Statement
    private let selectRefund, updateRefund, insertRefund, selectRefunds: Statement
    private let selectDefault, upsertDefault: Statement
    private let countCards, findNumber, insertCard, selectCard, selectCards: Statement
    private let insertEntry, selectEntry, selectSomeEntries, pageEntries, walkEntries, findEntry: Statement

    /// - Parameter entriesAheadMax: see `AccountsAhead.entriesMax`.
    init(_ transaction: Transaction, rules: LedgerRules, entriesAheadMax: Int64) throws {
        self.transaction = transaction
        self.rules = rules
        self.entriesAheadMax = entriesAheadMax
        func prepare(_ sql: String) throws(StoreFailure) -> Statement { try transaction.prepare(sql) }
        headEntry = try prepare("SELECT number, hash FROM entries ORDER BY number DESC LIMIT 1")
        headFact = try prepare("SELECT sequence, hash, time FROM journal ORDER BY sequence DESC LIMIT 1")
        accounts = AccountsAhead(head: try headEntry.first { $0.int64(0) } ?? 0, entriesMax: entriesAheadMax)
        operations = try KeyIndex(
            LedgerMigrations.operations, transaction, placesMax: min(Int(entriesAheadMax), KeysAhead.placesMax))

        let account = "SELECT id, kind, owner, currency, balance, held, through_entry FROM accounts"
        selectAccount = try prepare(account + " WHERE id = ?")
        selectSomeAccounts = try prepare(account + " WHERE id IN (\(Statement.placeholders))")
        selectAccounts = try prepare(account + " WHERE id > ? ORDER BY id LIMIT ?")
        sumAccounts = try prepare(
            """
            SELECT kind, currency, count(*), \(Self.sum("balance")), \(Self.sum("held")) FROM accounts
            GROUP BY kind, currency
            """)
        updateAccount = try prepare("UPDATE accounts SET balance = ?, held = ?, through_entry = ? WHERE id = ?")
        reachAccounts = try prepare("UPDATE accounts_follow SET through = ?")
        insertAccount = try prepare(
            """
            INSERT INTO accounts (id, kind, owner, currency, balance, held, through_entry) VALUES (?, ?, ?, ?, ?, ?, ?)
            """)

        let journal = """
            SELECT sequence, operation, fingerprint, kind, time, correlation, causation, trace, body, hash FROM journal
            """
        selectJournal = try prepare(journal + " WHERE sequence = ?")
        selectSomeJournal = try prepare(journal + " WHERE sequence IN (\(Statement.placeholders))")
        pageJournal = try prepare(journal + " WHERE sequence > ? ORDER BY sequence LIMIT ?")
        journalInsertion = try JournalInsertion(transaction)

        let hold = "SELECT id, card, customer, merchant, amount, expires, state, captured, ended FROM holds"
        selectHold = try prepare(hold + " WHERE id = ?")
        selectHolds = try prepare(hold + " WHERE id > ? ORDER BY id LIMIT ?")
        dueHolds = try prepare(hold + " WHERE state = 0 AND expires <= ? ORDER BY expires LIMIT ?")
        dueHoldsOfCard = try prepare(
            hold + " WHERE state = 0 AND card = ? AND expires <= ? ORDER BY expires, id LIMIT ? OFFSET ?")
        updateHold = try prepare("UPDATE holds SET state = ?, captured = ?, ended = ? WHERE id = ?")
        insertHold = try prepare(
            """
            INSERT INTO holds (id, card, customer, merchant, amount, expires, state, captured, ended)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        sumHolds = try prepare("SELECT card, sum(amount) FROM holds WHERE state = 0 GROUP BY card")

        let refund = "SELECT payment, captured, refunded, newest FROM refunds"
        selectRefund = try prepare(refund + " WHERE payment = ?")
        selectRefunds = try prepare(refund + " WHERE payment > ? ORDER BY payment LIMIT ?")
        updateRefund = try prepare("UPDATE refunds SET refunded = ?, newest = ? WHERE payment = ?")
        insertRefund = try prepare("INSERT INTO refunds (payment, captured, refunded, newest) VALUES (?, ?, ?, ?)")

        selectDefault = try prepare("SELECT default_card FROM customers WHERE owner = ?")
        upsertDefault = try prepare(
            """
            INSERT INTO customers (owner, default_card) VALUES (?, ?)
            ON CONFLICT (owner) DO UPDATE SET default_card = excluded.default_card
            """)

        let card = "SELECT card, customer, number_digest, last_four, position FROM cards"
        selectCard = try prepare(card + " WHERE card = ?")
        selectCards = try prepare(card + " WHERE customer = ? ORDER BY position")
        countCards = try prepare("SELECT count(*) FROM cards WHERE customer = ?")
        findNumber = try prepare("SELECT 1 FROM cards WHERE number_digest = ?")
        insertCard = try prepare(
            "INSERT INTO cards (card, customer, number_digest, last_four, position) VALUES (?, ?, ?, ?, ?)")

        selectEntry = try prepare(Self.selectEntries + " WHERE number = ?")
        selectSomeEntries = try prepare(Self.selectEntries + " WHERE number IN (\(Statement.placeholders))")
        pageEntries = try prepare(Self.selectEntries + " WHERE number > ? ORDER BY number LIMIT ?")
        // One statement for many entries, each of which would be a round trip to a server. The way ends at an entry
        // that does not move the account.
        let older = "CASE WHEN debit = ?1 THEN debit_previous WHEN credit = ?1 THEN credit_previous ELSE -1 END"
        walkEntries = try prepare(
            """
            WITH RECURSIVE walk (here, older, step) AS (
                SELECT number, \(older), 1 FROM entries WHERE number = ?2
                UNION ALL
                SELECT number, \(older), step + 1 FROM walk JOIN entries ON number = older WHERE step < ?3
            )
            \(Self.selectEntries) JOIN walk ON number = here ORDER BY step
            """)
        findEntry = try prepare(
            """
            WITH RECURSIVE walk (here, older, step) AS (
                SELECT number, \(older), 1 FROM entries WHERE number = ?2
                UNION ALL
                SELECT number, \(older), step + 1 FROM walk JOIN entries ON number = older
                WHERE here >= ?3 AND older < here AND step < ?4
            )
            SELECT here, older, step FROM walk ORDER BY here LIMIT 1
            """)
        insertEntry = try prepare(
            """
            INSERT INTO entries
                (number, operation, kind, debit, credit, amount, currency, debit_after, credit_after,
                debit_previous, credit_previous, time, memo, hash)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
    }

    static let selectEntries = """
        SELECT number, operation, kind, debit, credit, amount, currency, debit_after, credit_after,
            debit_previous, credit_previous, time, memo, hash
        FROM entries
        """

    // MARK: Transactions

    func beginTransaction() throws(StoreFailure) {
        try transaction.begin()
        isInGroup = true
    }

    /// Writes the changes of a group and some outdated rows, and commits. Durable when it returns.
    func commitTransaction(with changes: LedgerChanges) throws {
        let (due, keys) = (accounts.due(with: changes.entries.count), try operations.due(with: changes.journal.count))
        // Comes before the changes, which may have newer values of the same accounts.
        try write(due)
        try operations.write(keys)
        try write(changes)
        try transaction.commit()
        isInGroup = false
        follow(changes)
        accounts.committed(changes, due)
        operations.written(keys)
        for row in changes.journal {
            if let operation = row.operation { operations.add(operation.reinterpreted(), at: row.sequence) }
        }
        for (customer, card) in changes.defaultCards { defaultCards[customer] = .some(card) }
        newest?.follow(changes)
    }

    /// Whether no row is outdated.
    var isSettled: Bool { accounts.areWritten && operations.isSettled }

    /// Writes outdated rows, and commits.
    ///
    /// - Parameter rowsMax: the most rows of each kind; nil for a whole round.
    func commitTransactionSettling(rowsMax: Int?) throws {
        let due = rowsMax.map { accounts.dueQuietly(rows: $0) } ?? accounts.allDue()
        let keys = try operations.dueQuietly(rowsMax: rowsMax)
        try write(due)
        try operations.write(keys)
        try transaction.commit()
        isInGroup = false
        accounts.committed(LedgerChanges(), due)
        operations.written(keys)
    }

    /// For tests that change rows directly, when none is outdated.
    func forget() throws {
        newest = nil
        defaultCards.forgetAll()
        operations.forget()
        sums = nil
        accounts = AccountsAhead(head: try head().entry, entriesMax: entriesAheadMax)
    }

    /// Leaves no transaction open, or throws `broken`: then the connection's state is unknown.
    func rollbackTransaction() throws(StoreFailure) {
        // SQLite may have rolled back by itself (sqlite.org/lang_transaction.html, section 3).
        if transaction.isOpen {
            do { try transaction.rollback() } catch { throw .broken("rollback: \(error)") }
        }
        isInGroup = false
        guard !transaction.isOpen else { throw .broken("a transaction stays open") }
    }

    private func write(_ due: AccountsAhead.Due) throws(StoreFailure) {
        for account in due.accounts { try update(account) }
        if let through = due.through { try reachAccounts.bind(through).post() }
    }

    private func write(_ changes: LedgerChanges) throws(StoreFailure) {
        for record in changes.accounts { try write(record) }
        for card in changes.cards {
            try insertCard.bind(card.card).bind(card.customer).bind(card.numberDigest).bind(card.lastFour)
                .bind(card.position).post()
        }
        for (customer, card) in changes.defaultCards { try upsertDefault.bind(customer).bind(card).post() }
        for record in changes.holds { try write(record) }
        for record in changes.refunds { try write(record) }
        for entry in changes.entries { try write(entry) }
        for row in changes.journal { try write(row) }
    }

    private func write(_ record: LedgerChanges.Record<LedgerAccount>) throws(StoreFailure) {
        let account = record.value
        switch record.state {
        case .stored: return
        case .changed: if !accounts.mayFollow(account) { try update(account) }
        case .added:
            try insertAccount.bind(account.id).bind(account.kind.rawValue).bind(account.owner)
                .bind(account.currency.code).bind(account.balance).bind(account.held).bind(account.lastEntry).post()
        }
    }

    private func update(_ account: LedgerAccount) throws(StoreFailure) {
        try updateAccount.bind(account.balance).bind(account.held).bind(account.lastEntry).bind(account.id).post()
    }

    private func write(_ record: LedgerChanges.Record<Hold>) throws(StoreFailure) {
        let hold = record.value
        switch record.state {
        case .stored: return
        case .changed:
            try updateHold.bind(hold.state.rawValue).bind(hold.captured).bind(hold.ended).bind(hold.id).post()
        case .added:
            try insertHold.bind(hold.id).bind(hold.card).bind(hold.customer).bind(hold.merchant).bind(hold.amount)
                .bind(hold.expires.milliseconds).bind(hold.state.rawValue).bind(hold.captured).bind(hold.ended).post()
        }
    }

    private func write(_ record: LedgerChanges.Record<RefundTotal>) throws(StoreFailure) {
        let total = record.value
        switch record.state {
        case .stored: return
        case .changed: try updateRefund.bind(total.refunded).bind(total.newest).bind(total.payment).post()
        case .added:
            try insertRefund.bind(total.payment).bind(total.captured).bind(total.refunded).bind(total.newest).post()
        }
    }

    private func write(_ entry: LedgerEntry) throws(StoreFailure) {
        try insertEntry.bind(entry.number).bind(entry.operation).bind(entry.kind.storedCode).bind(entry.debit)
            .bind(entry.credit).bind(entry.amount).bind(entry.currency.code).bind(entry.debitAfter)
            .bind(entry.creditAfter).bind(entry.debitPrevious).bind(entry.creditPrevious)
            .bind(entry.time.milliseconds).bind(entry.memo).bind(entry.hash).postRow()
    }

    private func write(_ row: JournalRow) throws(StoreFailure) {
        if let operation = row.operation { try operations.expectNew(operation.reinterpreted()) }
        try journalInsertion.write(row)
    }
}

// MARK: Reading

extension SQLLedger: LedgerInspecting {
    func head() throws -> LedgerHead {
        if let newest { return newest }
        var head = LedgerHead.empty
        _ = try headEntry.first { row in
            head.entry = row.int64(0)
            head.hash = row.bytes(1)
        }
        _ = try headFact.first { row in
            head.fact = row.int64(0)
            head.chain = row.bytes(1)
            head.time = Timestamp(milliseconds: row.int64(2))
        }
        newest = head
        return head
    }

    func account(_ id: AccountID) throws -> LedgerAccount? {
        if let known = accounts.account(id) { return known }
        guard let account = try selectAccount.bind(id).first({ try $0.account() }) else { return nil }
        // Read-only scans are not cached: they may touch every account.
        if isInGroup { accounts.remember(account) }
        return account
    }

    func accounts(_ ids: Set<AccountID>) throws -> [AccountID: LedgerAccount] {
        var found: [AccountID: LedgerAccount] = [:]
        for id in ids { found[id] = accounts.account(id) }
        try selectSomeAccounts.each(of: ids.filter { found[$0] == nil }) {
            let account = try $0.account()
            found[account.id] = account
        }
        return found
    }

    func accounts(after: AccountID?, limit: Int) throws -> [LedgerAccount] {
        try page(selectAccounts, after, limit) {
            let row = try $0.account()
            return accounts.ahead(row.id) ?? row
        }
    }

    /// Rows of a table behind an id, or from the first.
    private func page<Subject, Value>(
        _ select: Statement, _ after: Identifier<Subject>?, _ limit: Int, _ value: (Row) throws -> Value
    ) throws -> [Value] {
        var page: [Value] = []
        // No id is less than an empty one.
        try select.bind(after.map { Array($0.bytes) } ?? []).bind(Int64(limit)).each {
            page.append(try value($0))
            return true
        }
        return page
    }

    func accountSums() throws -> [AccountSum] {
        if let sums { return sums }
        let counted = try countedSums()
        sums = counted
        return counted
    }

    func countedSums() throws -> [AccountSum] {
        var counted: [AccountSum] = []
        try sumAccounts.each { row in
            guard let kind = AccountKind(rawValue: row.int64(0)), let currency = Currency(row.text(1)),
                let balance = Self.sum(row, at: 3), let held = Self.sum(row, at: 5)
            else { throw StoreFailure.damaged("the sum over the accounts") }
            counted.append(
                AccountSum(kind: kind, currency: currency, count: row.int64(2), balance: balance, held: held))
            return true
        }
        for (account, change) in accounts.unwritten {
            let sum = counted.firstIndex { $0.kind == account.kind && $0.currency == account.currency }
            if let sum { counted[sum].balance &+= change }
        }
        return counted
    }

    /// The sum of a column in two parts, as a sum that leaves its range would be an error of the statement.
    private static func sum(_ column: String) -> String {
        "sum(\(column) / \(halfRange)), sum(\(column) % \(halfRange))"
    }

    /// - Returns: nil where the sum leaves its range.
    private static func sum(_ row: Row, at column: Int) -> Int64? {
        Int64(exactly: Int128(row.int64(column)) * Int128(halfRange) + Int128(row.int64(column + 1)))
    }

    private static let halfRange: Int64 = 1 << 32

    /// Updates the sums by these changes, which are committed and not noted yet.
    private func follow(_ changes: LedgerChanges) {
        guard sums != nil else { return }
        for record in changes.accounts where record.state != .stored {
            let (account, before) = (record.value, accounts.account(record.value.id))
            let index = sums?.firstIndex { $0.kind == account.kind && $0.currency == account.currency }
            // The first account of a kind, or one that was not cached: the sums are computed anew at the next read.
            guard let index, record.state == .added || before != nil else {
                sums = nil
                return
            }
            sums?[index].count += record.state == .added ? 1 : 0
            sums?[index].balance &+= account.balance &- (before?.balance ?? 0)
            sums?[index].held &+= account.held &- (before?.held ?? 0)
        }
    }

    func recorded(_ operation: OperationID) throws -> JournalRow? {
        guard let sequence = try operations.place(of: operation.reinterpreted()) else { return nil }
        guard let row = try selectJournal.bind(sequence).first({ try $0.journalRow() }), row.operation == operation
        else {
            throw StoreFailure.damaged("the index of operations")
        }
        return row
    }

    func prefetch(_ wanted: () -> (operations: [OperationID], accounts: [AccountID])) throws {
        guard transaction.isRemote else { return }
        let wanted = wanted()
        try operations.prefetch(wanted.operations.map { $0.reinterpreted() })
        let unknown = Set(wanted.accounts).filter { accounts.account($0) == nil }
        for account in try self.accounts(unknown).values { accounts.remember(account) }
    }

    func recorded(_ some: Set<OperationID>) throws -> [OperationID: JournalRow] {
        try operations.prefetch(some.map { $0.reinterpreted() })
        var places: [Int64: OperationID] = [:]
        for operation in some {
            if let place = try operations.place(of: operation.reinterpreted()) { places[place] = operation }
        }
        var found: [OperationID: JournalRow] = [:]
        try selectSomeJournal.each(of: places.keys) {
            let row = try $0.journalRow()
            if let operation = places[row.sequence], row.operation == operation { found[operation] = row }
        }
        return found
    }

    func journal(after sequence: Int64, limit: Int, take: (JournalRow) -> Bool) throws {
        try pageJournal.bind(sequence).bind(Int64(limit)).each { take(try $0.journalRow()) }
    }

    func journalRow(_ sequence: Int64) throws -> JournalRow? {
        try selectJournal.bind(sequence).first { try $0.journalRow() }
    }

    func hold(_ id: OperationID) throws -> Hold? { try selectHold.bind(id).first { try $0.hold() } }

    func holdsDue(at time: Timestamp, limit: Int) throws -> [Hold] {
        try holds(dueHolds.bind(time.milliseconds).bind(Int64(limit)))
    }

    func holdsDue(of card: AccountID, at time: Timestamp, skip: Int, limit: Int) throws -> [Hold] {
        try holds(dueHoldsOfCard.bind(card).bind(time.milliseconds).bind(Int64(limit)).bind(Int64(skip)))
    }

    private func holds(_ statement: Statement) throws -> [Hold] {
        var found: [Hold] = []
        try statement.each {
            found.append(try $0.hold())
            return true
        }
        return found
    }

    func openHolds() throws -> [AccountID: Int64] {
        var held: [AccountID: Int64] = [:]
        try sumHolds.each {
            held[try $0.id(0)] = $0.int64(1)
            return true
        }
        return held
    }

    func refundTotal(of payment: OperationID) throws -> RefundTotal? {
        try selectRefund.bind(payment).first { try $0.refundTotal() }
    }

    func holds(after: OperationID?, limit: Int) throws -> [Hold] {
        try page(selectHolds, after, limit) { try $0.hold() }
    }

    func refundTotals(after: OperationID?, limit: Int) throws -> [RefundTotal] {
        try page(selectRefunds, after, limit) { try $0.refundTotal() }
    }

    func defaultCard(of customer: PartyID) throws -> CardID? {
        if let known = defaultCards[customer] { return known }
        let card: CardID? = try selectDefault.bind(customer).first { try $0.id(0) }
        defaultCards[customer] = .some(card)
        return card
    }

    func cardCount(of customer: PartyID) throws -> Int {
        Int(try countCards.bind(customer).first { $0.int64(0) } ?? 0)
    }

    func hasCard(numberDigest: [UInt8]) throws -> Bool {
        try findNumber.bind(numberDigest).first { _ in true } ?? false
    }

    func card(_ card: CardID) throws -> CardRecord? { try selectCard.bind(card).first { try $0.card() } }

    func cards(of customer: PartyID) throws -> [CardRecord] {
        var cards: [CardRecord] = []
        try selectCards.bind(customer).each {
            cards.append(try $0.card())
            return true
        }
        return cards
    }

    func entry(_ number: Int64) throws -> LedgerEntry? { try selectEntry.bind(number).first { try $0.entry() } }

    func entries(after number: Int64, limit: Int) throws -> [LedgerEntry] {
        var entries: [LedgerEntry] = []
        try pageEntries.bind(number).bind(Int64(limit)).each {
            entries.append(try $0.entry())
            return true
        }
        return entries
    }

    func entries(_ numbers: Set<Int64>) throws -> [Int64: LedgerEntry] {
        var entries: [Int64: LedgerEntry] = [:]
        try selectSomeEntries.each(of: numbers) {
            let entry = try $0.entry()
            entries[entry.number] = entry
        }
        return entries
    }

    func history(
        of account: AccountID, from newest: Int64, limit: Int
    ) throws -> [(entry: LedgerEntry, side: LedgerEntry.Side)] {
        var entries: [(entry: LedgerEntry, side: LedgerEntry.Side)] = []
        var next = newest
        try walkEntries.bind(account).bind(newest).bind(Int64(limit)).each {
            let entry = try $0.entry()
            guard entry.number == next, let side = entry.side(of: account), side.previous < next else { return false }
            entries.append((entry, side))
            next = side.previous
            return true
        }
        guard next == 0 || entries.count == limit else { throw StoreFailure.damaged("entry \(next) of an account") }
        return entries
    }

    func back(along account: AccountID, to end: Int64, from newest: Int64, limit: Int) throws -> (
        next: Int64, steps: Int
    ) {
        let found = try findEntry.bind(account).bind(newest).bind(end).bind(Int64(limit)).first {
            (here: $0.int64(0), older: $0.int64(1), steps: Int($0.int64(2)))
        }
        guard let found, found.older < found.here, found.here < end || found.older == 0 || found.steps == limit else {
            throw StoreFailure.damaged("entry \(found?.older ?? newest) of an account")
        }
        return (found.here < end ? found.here : found.older, found.steps)
    }
}
