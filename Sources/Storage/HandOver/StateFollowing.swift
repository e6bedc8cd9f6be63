import Bus
import Contracts
import Primitives
import Synchronization
import Wire

/// Hands a store's tables over while it is in use: pages of rows, and then of rows that have changed (ADR 44).
///
/// Which rows change is noted by triggers in a temporary table, of this connection and in memory, that are there during
/// a hand-over only. A page of changes has the rows as they are now: whoever applies all of them ends with the table as
/// it is, whatever was changed while it was read.
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

            """
        for table in tables {
            guard table.keyColumns.count <= keyColumnsMax else {
                throw StoreFailure.broken("\(table.name) has a key of too many columns")
            }
            for (event, rows) in [("INSERT", ["NEW"]), ("UPDATE", ["OLD", "NEW"]), ("DELETE", ["OLD"])] {
                script += """
                    CREATE TEMP TRIGGER "followed_\(table.name)_\(event)" AFTER \(event) ON main.\(table.sql) BEGIN
                    \(rows.map { note(table, $0) }.joined(separator: "\n"))
                    END;

                    """
            }
        }
        try transaction.script(script)
    }

    /// Not INSERT OR REPLACE: within a trigger, the conflict clause of the outer statement is in force. The `+` takes
    /// the column's affinity away, with which the index of keys would not be used.
    private static func note(_ table: StateTable, _ row: String) -> String {
        var keys = table.keyColumns.map { "+\(row).\(StateTable.quoted($0.name))" }
        keys += Array(repeating: "0", count: keyColumnsMax - keys.count)
        return """
            DELETE FROM followed WHERE place = '\(table.name)'
                AND k1 = \(keys[0]) AND k2 = \(keys[1]) AND k3 = \(keys[2]) AND k4 = \(keys[3]);
            INSERT INTO followed (place, k1, k2, k3, k4) VALUES ('\(table.name)', \(keys.joined(separator: ", ")));
            """
    }

    private static func end(_ transaction: Transaction) throws {
        let triggers: [String] = try transaction.values(
            "SELECT name FROM sqlite_temp_master WHERE type = 'trigger' AND name LIKE 'followed\\_%' ESCAPE '\\'")
        let script = triggers.map { "DROP TRIGGER temp.\(StateTable.quoted($0));" }.joined(separator: "\n")
        try transaction.script(script + "DROP TABLE IF EXISTS temp.followed; PRAGMA recursive_triggers = OFF;")
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
                            name: table.name, rows: try transaction.value("SELECT count(*) FROM \(table.sql)") ?? 0,
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
            let place = try StatePlace(text, in: memory.table)
            return try Self.page(of: memory, place, limit)
        }
        guard let table = one.tables.first(where: { $0.name == name }) else {
            throw Fault(.malformed, "there is no table '\(name)'")
        }
        let place = try StatePlace(text, in: table)
        do {
            if case .changes(let number) = place { try await forget(through: number, of: table, in: one) }
            return try await committer.read { transaction in
                try StatePages.page(of: table, place, limit, transaction)
            }
        } catch { throw committer.fault(error) }
    }

    /// Forgets changes that have been read: who asks behind them has them. Otherwise memory would be full before a long
    /// copy of a busy service ends.
    private func forget(through number: Int64, of table: StateTable, in one: Running) async throws {
        guard number > one.forgotten[table.name] ?? 0 else { return }
        let isAll = try await committer.database.whenFree { transaction in
            try transaction.run(
                """
                DELETE FROM temp.followed WHERE number IN (
                    SELECT number FROM temp.followed WHERE place = ? AND number <= ? ORDER BY number LIMIT ?)
                """, table.name, number, Self.forgottenAtOnce)
            return transaction.connection.changes < Self.forgottenAtOnce
        }
        if isAll { running.withLock { if $0?.copy == one.copy { $0?.forgotten[table.name] = number } } }
    }

    private static func page(
        of memory: any MemoryTable, _ place: StatePlace, _ limit: Int
    ) throws(Fault) -> StatePage {
        // A row in memory is short: so many fit into an envelope.
        let limit = min(limit, memoryRowsMax)
        switch place {
        case .start: return Self.page(memory, rowsFrom: 0, limit)
        case .memory(let place): return Self.page(memory, rowsFrom: place, limit)
        case .changes(let number):
            let changes = memory.changes(after: number, limit: limit)
            return StatePage(
                rows: changes.rows.map(memory.table.json), removed: changes.removed.map(memory.table.json),
                next: StatePlace.changes(after: changes.next).text, isEnd: changes.isEnd)
        case .rows: throw Fault(.malformed, "'\(place.text)' is no place in \(memory.table.name)")
        }
    }

    private static let memoryRowsMax = 250

    private static func page(
        _ memory: any MemoryTable, rowsFrom place: Int, _ limit: Int
    ) -> StatePage {
        let (rows, next) = memory.rows(from: place, limit: limit)
        return StatePage(
            rows: rows.map(memory.table.json), removed: [],
            next: (next.map(StatePlace.memory) ?? .changes(after: 0)).text, isEnd: false)
    }
}
