import Primitives
import Storage

/// Accounts as their entries have left them, ahead of their rows (ADR 31).
///
/// What an account has follows from its entries, which are written with every payment; its row may follow later. Rows
/// are written in rounds: once enough entries have gathered, those that are behind are written in the order of their
/// ids, some with each commit, so that neighbours on a page share the writing of it. How far the last round came is
/// kept beside them; whoever opens the file applies the entries behind that.
package struct AccountsAhead {
    /// Entries that gather before a round begins. Opening a file after a crash applies at most twice as many.
    package static let entriesMax: Int64 = 131_072
    /// Rows written with a commit of a round for each of its entries: a round ends long before the next is due.
    private static let rowsPerEntry = 4

    /// An account, and what its row says of it. Nothing else of a row is ever behind.
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

    /// Rows that are to be written with a commit.
    struct Due {
        fileprivate(set) var accounts: [LedgerAccount] = []
        /// The entry up to which all rows are written then; nil where this does not end a round.
        fileprivate(set) var through: Int64?
        /// How much of the round this is; some of it may have been written meanwhile.
        fileprivate var places = 0
    }

    private let entriesMax: Int64
    /// Accounts remembered, some 250 bytes each, before one whose row a round has written is forgotten with that.
    private var writtenMax: Int { Int(entriesMax) }
    /// Accounts remembered before all are forgotten whose rows are written: as many as are ever behind, which is two
    /// for each entry that gathers, and for each while the round of those goes on. Reached by those that were looked at
    /// only.
    private var countMax: Int { 3 * Int(entriesMax) }
    private var standings: [AccountID: Standing] = [:]
    /// The newest entry, and the one up to which every row is written.
    private var head: Int64
    private var through: Int64
    /// What is left of the round, and the entry that it will have come to.
    private var round = KeysInOrder([])
    private var roundHead: Int64?

    /// - Parameter head: the newest entry; all rows are written up to it.
    init(head: Int64, entriesMax: Int64 = Self.entriesMax) {
        self.head = head
        self.entriesMax = entriesMax
        through = head
    }

    func account(_ id: AccountID) -> LedgerAccount? { standings[id]?.account }

    /// The account where it is ahead of its row.
    func ahead(_ id: AccountID) -> LedgerAccount? {
        guard let standing = standings[id], !standing.isWritten else { return nil }
        return standing.account
    }

    /// Those that are ahead of their rows, in no order, and by how much their balances are.
    var unwritten: some Sequence<(account: LedgerAccount, change: Int64)> {
        standings.values.lazy.filter { !$0.isWritten }.map { ($0.account, $0.account.balance - $0.rowBalance) }
    }

    var areWritten: Bool { head == through }

    /// Keeps what a row says.
    mutating func remember(_ account: LedgerAccount) {
        makeRoom()
        standings[account.id] = Standing(account)
    }

    /// Not while a commit goes on: what may follow is found out before it and noted behind it, of the same accounts.
    private mutating func makeRoom() {
        if standings.count >= countMax { standings = standings.filter { !$0.value.isWritten } }
    }

    /// Whether the row of a changed account may follow later. Where money is set aside it may not: the schema holds
    /// that against the balance in the row itself.
    func mayFollow(_ account: LedgerAccount) -> Bool { account.held == 0 && standings[account.id]?.account.held == 0 }

    /// What goes with a commit of so many entries.
    mutating func due(with entries: Int) -> Due {
        makeRoom()
        if roundHead == nil, head - through >= entriesMax { beginRound() }
        return due(rows: (entries + 1) * Self.rowsPerEntry)
    }

    /// What goes on with a round, or begins one, while nobody pays: so many rows at most.
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

    /// All that is behind.
    mutating func allDue() -> Due {
        beginRound()
        return due(rows: round.count)
    }

    private mutating func beginRound() {
        round = KeysInOrder(unwritten.map { .init(key: $0.account.id.reinterpreted(), place: $0.account.lastEntry) })
        roundHead = head
    }

    /// Takes note of a commit: of the rows that were due, and of what the operations changed.
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
    /// Applies to the rows of accounts the entries behind them: what a process has left that did not end in order.
    static func catchUp(_ transaction: Transaction) throws {
        try transaction.atomically {
            // An account has what its newest entry says. A row written since the last round's end knows it already.
            try transaction.script(
                """
                WITH behind AS (
                    SELECT number, debit, debit_after, credit, credit_after FROM entries
                    WHERE number > (SELECT through FROM accounts_follow)
                ),
                newest AS (
                    SELECT account, balance, max(number) AS number
                    FROM (
                        SELECT debit AS account, debit_after AS balance, number FROM behind
                        UNION ALL
                        SELECT credit, credit_after, number FROM behind
                    )
                    GROUP BY account
                )
                UPDATE accounts SET balance = newest.balance, through_entry = newest.number FROM newest
                WHERE accounts.id = newest.account AND accounts.through_entry < newest.number;

                UPDATE accounts_follow SET through = newest.number
                FROM (SELECT max(number) AS number FROM entries) AS newest WHERE through < newest.number;
                """)
        }
    }
}
