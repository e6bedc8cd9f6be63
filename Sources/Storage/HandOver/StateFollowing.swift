import Bus
import Contracts
import Primitives
import Synchronization
import Wire

/// Hands a store's tables over while it is in use: pages of rows, and then of rows that have changed (ADR 44).
///
/// Which rows change is noted by triggers in a temporary table, of this connection and in memory, that are there during
/// a hand-over only. Rows behind the last one that was read are not noted: they are still to be read, also those that
/// come later. A page of changes has the rows as they are now: whoever applies all of them ends with the table as it
/// is, whatever was changed while it was read.
final class StateFollowing: StateSource {
    private struct Running {
        let copy: Int64
        let tables: [StateTable]
        let memory: [any MemoryTable]
        var readAt: UInt64
        /// Up to where the changes of each table have been read, and are noted no more.
        var forgotten: [String: Int64] = [:]
    }

    /// Rows whose changes are noted: some 100 bytes of memory each.
    private static let changedMax: Int64 = 1_000_000
    /// After which a hand-over whose tables nobody reads has ended: facts may be read for some minutes before them.
    private static let silenceMax = Duration.seconds(600)
    private static let watchPause = Duration.seconds(5)
    private static let keyColumnsMax = 4
    /// Changes that are forgotten at once: asks wait meanwhile.
    private static let forgottenAtOnce = 2000
    /// Rows that are counted with each page: more than it has, so that they are counted before all are read.
    private static let countedWithPage = 1000

    private let committer: GroupCommitter
    private let sealTime: Duration
    private let running = Mutex<Running?>(nil)

    /// - Parameter sealTime: how long a seal holds that nobody takes off.
    init(_ committer: GroupCommitter, sealTime: Duration) {
        self.committer = committer
        self.sealTime = sealTime
    }

    // MARK: Beginning and end

    func follow(_ memory: [any MemoryTable]) async throws(Fault) -> FollowedState {
        let copy = Int64.random(in: 1...Int64.max)
        let tables: [StateTable]
        do {
            tables = try await committer.database.whenFree { transaction in
                let tables = try StateSchema.tables(transaction)
                try Self.end(transaction)
                try Self.begin(tables, transaction)
                return tables
            }
        } catch {
            try? await committer.database.whenFree { try Self.end($0) }  // the error to tell is the first
            throw committer.fault(error)
        }
        for table in memory { table.follow() }
        running.withLock {
            $0 = Running(copy: copy, tables: tables, memory: memory, readAt: monotonicNanoseconds())
        }
        Task { [weak self] in
            while let self, isRunning(copy) {
                try? await Task.sleep(for: Self.watchPause)  // cut short by nobody
                await endIfOver(copy)
            }
        }
        return FollowedState(copy: copy, tables: tables + memory.map(\.table))
    }

    private func isRunning(_ copy: Int64) -> Bool { running.withLock { $0?.copy == copy } }

    /// Ends a hand-over that nobody reads, or that has more changes than memory is for.
    private func endIfOver(_ copy: Int64) async {
        let silence = running.withLock { running -> Duration? in
            guard let one = running, one.copy == copy else { return nil }
            return .nanoseconds(Int64(monotonicNanoseconds() - one.readAt))
        }
        guard let silence else { return }
        // A count that fails is taken again at the next watch.
        let changed: Int64? = try? await committer.database.whenFree {
            try $0.value("SELECT count(*) FROM temp.followed")
        }
        if silence >= Self.silenceMax || changed ?? 0 > Self.changedMax { await end(copy) }
    }

    private func end(_ copy: Int64) async {
        let ended = running.withLock { running -> Running? in
            guard running?.copy == copy else { return nil }
            defer { running = nil }
            return running
        }
        guard let ended else { return }
        for table in ended.memory { table.unfollow() }
        // Triggers that cannot be dropped cost a little until the process ends.
        try? await committer.database.whenFree { try Self.end($0) }
    }

    private static func begin(_ tables: [StateTable], _ transaction: Transaction) throws {
        var script = """
            PRAGMA recursive_triggers = ON;
            CREATE TEMP TABLE followed (
                number INTEGER PRIMARY KEY AUTOINCREMENT, place TEXT NOT NULL,
                k1 NOT NULL, k2 NOT NULL, k3 NOT NULL, k4 NOT NULL, UNIQUE (place, k1, k2, k3, k4)
            );
            CREATE INDEX temp.followed_in_order ON followed (place, number);
            -- The key of the last row of each table that has been read.
            CREATE TEMP TABLE reading (place TEXT PRIMARY KEY, k1, k2, k3, k4) WITHOUT ROWID;

            """
        for table in tables {
            guard table.keyColumns.count <= keyColumnsMax else {
                throw StoreFailure.broken("\(table.name) has a key of too many columns")
            }
            for (event, rows) in [("INSERT", ["NEW"]), ("UPDATE", ["OLD", "NEW"]), ("DELETE", ["OLD"])] {
                script += """
                    CREATE TEMP TRIGGER "followed_\(table.name)_\(event)" AFTER \(event) ON main.\(table.sql)
                    WHEN \(rows.map { hasBeenRead(table, $0) }.joined(separator: " OR ")) BEGIN
                    \(rows.map { note(table, $0) }.joined(separator: "\n"))
                    END;

                    """
            }
        }
        try transaction.script(script)
        try RowCounts.begin(tables, transaction)
    }

    private static func hasBeenRead(_ table: StateTable, _ row: String) -> String {
        "(\(table.triggerKey(row))) <= (SELECT \(table.notedKey) FROM temp.reading WHERE place = '\(table.name)')"
    }

    /// Not INSERT OR REPLACE: within a trigger, the conflict clause of the outer statement is in force. The `+` takes
    /// the column's affinity away, with which the index of keys would not be used.
    private static func note(_ table: StateTable, _ row: String) -> String {
        var keys = table.keyColumns.map { "+\(row).\(quotedName($0.name))" }
        keys += Array(repeating: "0", count: keyColumnsMax - keys.count)
        return """
            DELETE FROM followed WHERE place = '\(table.name)'
                AND k1 = \(keys[0]) AND k2 = \(keys[1]) AND k3 = \(keys[2]) AND k4 = \(keys[3]);
            INSERT INTO followed (place, k1, k2, k3, k4) VALUES ('\(table.name)', \(keys.joined(separator: ", ")));
            """
    }

    private static func end(_ transaction: Transaction) throws {
        try transaction.dropTriggers(named: "followed_")
        try RowCounts.end(transaction)
        try transaction.script(
            """
            DROP TABLE IF EXISTS temp.followed;
            DROP TABLE IF EXISTS temp.reading;
            PRAGMA recursive_triggers = OFF;
            """)
    }

    private func found(_ copy: Int64) throws(Fault) -> Running {
        let one = running.withLock { running -> Running? in
            guard running?.copy == copy else { return nil }
            running?.readAt = monotonicNanoseconds()
            return running
        }
        guard let one else { throw Fault(.malformed, "the hand-over \(copy) has ended, or never was: begin anew") }
        return one
    }

    func seal(_ copy: Int64, _ isSealed: Bool) async throws(Fault) -> SealedState {
        let tables = try found(copy).tables
        committer.seal(for: isSealed ? sealTime : .zero)
        do {
            return try await committer.read { transaction in
                SealedState(
                    tables: try tables.map { table in
                        SealedTable(
                            name: table.name, rows: try RowCounts.rows(of: table, transaction),
                            last: try transaction.lastNumber(of: table))
                    },
                    facts: try transaction.headSequence())
            }
        } catch { throw committer.fault(error) }
    }

    // MARK: Pages

    func page(
        of copy: Int64, table name: String, after text: String?, limit: Int
    ) async throws(Fault) -> StatePage {
        let one = try found(copy)
        if let memory = one.memory.first(where: { $0.table.name == name }) {
            return Self.page(of: memory, try MemoryPlace(text, in: memory.table), limit)
        }
        guard let table = one.tables.first(where: { $0.name == name }) else {
            throw Fault(.malformed, "there is no table '\(name)'")
        }
        let place = try StatePlace(text, in: table)
        let mayForget = place.change > one.forgotten[name] ?? 0
        do {
            // In one piece of work: a row that changes behind it has either been read or is noted.
            let (page, isForgotten) = try await committer.database.whenFree { transaction in
                let isForgotten = try mayForget && Self.forget(through: place.change, of: table, transaction)
                let pages = StatePages(table: table, transaction: transaction)
                let (page, next) = try pages.page(after: place, limit: limit)
                if let key = next.key, key != place.key { try Self.note(key, readOf: table, transaction) }
                try RowCounts.count(Self.countedWithPage, of: table, transaction)
                return (page, isForgotten)
            }
            if isForgotten { running.withLock { if $0?.copy == copy { $0?.forgotten[name] = place.change } } }
            return page
        } catch { throw committer.fault(error) }
    }

    private static func note(_ key: [StateValue], readOf table: StateTable, _ transaction: Transaction) throws {
        let padding = Array(repeating: StateValue.null, count: keyColumnsMax - key.count)
        try transaction.statement(
            "INSERT OR REPLACE INTO temp.reading (place, k1, k2, k3, k4) VALUES (?, ?, ?, ?, ?)",
            values: [.text(table.name)] + key + padding
        ).run()
    }

    /// Forgets changes that have been read: who asks behind them has them. Otherwise memory would be full before a long
    /// copy of a busy service ends.
    ///
    /// - Returns: whether all of them are forgotten.
    private static func forget(
        through number: Int64, of table: StateTable, _ transaction: Transaction
    ) throws -> Bool {
        try transaction.run(
            """
            DELETE FROM temp.followed WHERE number IN (
                SELECT number FROM temp.followed WHERE place = ? AND number <= ? ORDER BY number LIMIT ?)
            """, table.name, number, forgottenAtOnce) < forgottenAtOnce
    }

    private static let memoryRowsMax = 250

    private static func page(of memory: any MemoryTable, _ place: MemoryPlace, _ limit: Int) -> StatePage {
        // A row in memory is short: so many fit into an envelope.
        let limit = min(limit, memoryRowsMax)
        switch place {
        case .rows(let place):
            let (rows, next) = memory.rows(from: place, limit: limit)
            return StatePage(
                rows: rows.map(\.json), removed: [],
                next: (next.map(MemoryPlace.rows) ?? .changes(after: 0)).text, isEnd: false)
        case .changes(let number):
            let changes = memory.changes(after: number, limit: limit)
            return StatePage(
                rows: changes.rows.map(\.json), removed: changes.removed.map(\.json),
                next: MemoryPlace.changes(after: changes.next).text, isEnd: changes.isEnd)
        }
    }
}
