import Primitives
import Storage

/// The current state of accounts whose rows are written later (ADR 31).
///
/// A balance follows from the account's entries, which are written with every payment; the row may be written later.
/// Rows are written in rounds: once enough entries have gathered, the outdated rows are written in the order of ids,
/// some with each commit, so that neighbours share a page. The file records how far the last round came, and opening it
/// applies later entries.
package struct AccountsAhead {
    /// Entries before a round begins. Opening a file after a crash applies at most twice as many.
    package static let entriesMax: Int64 = 131_072
    /// Rows that a commit writes for each of its entries during a round, so that a round ends long before the next is
    /// due.
    private static let rowsPerEntry = 4

    /// An account, and the values in its row that may be outdated.
    private struct Standing {
        var account: LedgerAccount
        /// Minor units.
        var rowBalance: Int64
        var rowEntry: Int64

        init(_ account: LedgerAccount) {
            self.account = account
            rowBalance = account.balance
            rowEntry = account.lastEntry
        }

        var isWritten: Bool { rowEntry == account.lastEntry }
    }

    /// The rows to write with a commit.
    struct Due {
        fileprivate(set) var accounts: [LedgerAccount] = []
        /// The entry up to which all rows are written then; nil unless this ends a round.
        fileprivate(set) var through: Int64?
        /// The number of the round's rows that this covers; some may have been written in the meantime.
        fileprivate var places = 0
    }

    private let entriesMax: Int64
    /// Accounts in memory, about 250 bytes each, from which an account is dropped once a round has written its row.
    private var writtenMax: Int { Int(entriesMax) }
    /// Accounts in memory from which all with current rows are dropped: as many as can ever be outdated, two for each
    /// entry that gathers and for each of the current round. Only reads can reach it.
    private var countMax: Int { 3 * Int(entriesMax) }
    private var standings: [AccountID: Standing] = [:]
    /// The newest entry, and the entry up to which every row is written.
    private var head: Int64
    private var through: Int64
    /// The rest of the round, and the entry that it covers.
    private var round = KeysInOrder([])
    private var roundHead: Int64?

    /// - Parameter head: the newest entry; all rows are written up to it.
    init(head: Int64, entriesMax: Int64 = Self.entriesMax) {
        self.head = head
        self.entriesMax = entriesMax
        through = head
    }

    func account(_ id: AccountID) -> LedgerAccount? { standings[id]?.account }

    /// The account, if its row is outdated.
    func ahead(_ id: AccountID) -> LedgerAccount? {
        guard let standing = standings[id], !standing.isWritten else { return nil }
        return standing.account
    }

    /// The accounts with outdated rows, in no order, and the difference of their balances.
    var unwritten: some Sequence<(account: LedgerAccount, change: Int64)> {
        standings.values.lazy.filter { !$0.isWritten }.map { ($0.account, $0.account.balance - $0.rowBalance) }
    }

    var areWritten: Bool { head == through }

    /// Caches a row.
    mutating func remember(_ account: LedgerAccount) {
        makeRoom()
        standings[account.id] = Standing(account)
    }

    /// Not during a commit, which decides before and notes after it for the same accounts.
    private mutating func makeRoom() {
        if standings.count >= countMax { standings = standings.filter { !$0.value.isWritten } }
    }

    /// Whether a changed account's row may be written later. Not if money is held: the schema compares that with the
    /// balance in the row.
    func mayFollow(_ account: LedgerAccount) -> Bool { account.held == 0 && standings[account.id]?.account.held == 0 }

    /// The rows to write with a commit of so many entries.
    mutating func due(with entries: Int) -> Due {
        makeRoom()
        if roundHead == nil, head - through >= entriesMax { beginRound() }
        return due(rows: (entries + 1) * Self.rowsPerEntry)
    }

    /// Continues or begins a round while nobody pays, with at most so many rows.
    mutating func dueQuietly(rows count: Int) -> Due {
        if roundHead == nil, !areWritten { beginRound() }
        return due(rows: count)
    }

    private mutating func due(rows count: Int) -> Due {
        guard let roundHead else { return Due() }
        let rows = round.first(count)
        return Due(
            accounts: rows.compactMap { ahead($0.key.reinterpreted()) },
            through: rows.count == round.count ? roundHead : nil, places: rows.count)
    }

    /// All outdated rows.
    mutating func allDue() -> Due {
        beginRound()
        return due(rows: round.count)
    }

    private mutating func beginRound() {
        round = KeysInOrder(unwritten.map { .init(key: $0.account.id.reinterpreted(), place: $0.account.lastEntry) })
        roundHead = head
    }

    /// Notes a commit: the rows that it wrote, and the accounts that it changed.
    mutating func committed(_ changes: LedgerChanges, _ due: Due) {
        for account in due.accounts { standings[account.id] = Standing(account) }
        round.removeFirst(due.places)
        if let reached = due.through {
            through = reached
            roundHead = nil
        }
        for record in changes.accounts where record.state != .stored {
            let account = record.value
            if record.state == .changed, mayFollow(account) {
                standings[account.id]?.account = account
            } else {
                standings[account.id] = Standing(account)
            }
        }
        if let last = changes.entries.last { head = last.number }
        guard standings.count > writtenMax else { return }
        for account in due.accounts where standings[account.id]?.isWritten == true { standings[account.id] = nil }
    }
}

extension AccountsAhead {
    /// Applies later entries to outdated rows, which a process leaves that did not end in order.
    static func catchUp(_ transaction: Transaction) throws {
        try transaction.atomically {
            // An account has the balance after its newest entry. A row written since the last round's end has it
            // already.
            try transaction.script(
                """
                WITH behind AS (
                    SELECT number, debit, debit_after, credit, credit_after FROM entries
                    WHERE number > (SELECT through FROM accounts_follow)
                ),
                changes AS (
                    SELECT debit AS account, debit_after AS balance, number FROM behind
                    UNION ALL
                    SELECT credit, credit_after, number FROM behind
                ),
                newest AS (
                    SELECT account, balance, number,
                        row_number() OVER (PARTITION BY account ORDER BY number DESC) AS place
                    FROM changes
                )
                UPDATE accounts SET balance = newest.balance, through_entry = newest.number FROM newest
                WHERE accounts.id = newest.account AND newest.place = 1 AND accounts.through_entry < newest.number;

                UPDATE accounts_follow SET through = newest.number
                FROM (SELECT max(number) AS number FROM entries) AS newest WHERE through < newest.number;
                """)
        }
    }
}
