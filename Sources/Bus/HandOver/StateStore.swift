import Contracts

/// What hands a service's state over.
package protocol StateSource: Sendable {
    /// Begins a hand-over, in the place of one that goes on.
    ///
    /// - Parameter memory: what the service has in memory only.
    func follow(_ memory: [any MemoryTable]) async throws(Fault) -> FollowedState
    /// - Throws: `bus.malformed` for a hand-over that has ended and for what there is not.
    func page(of copy: Int64, table: String, after place: String?, limit: Int) async throws(Fault) -> StatePage
    /// Lets nothing be written for some seconds, or again.
    func seal(_ copy: Int64, _ isSealed: Bool) async throws(Fault) -> SealedState
}

/// What takes a service's state over: a new store, until its file is put in its place.
package protocol StateTarget: FactLog {
    var stateTables: [StateTable] { get async throws(Fault) }
    /// Empties all tables.
    func clear() async throws(Fault)
    /// Puts rows in the place of those with their keys, after it has removed others.
    func put(_ rows: [StateRow], removing removed: [StateRow], in table: StateTable) async throws(Fault)
    /// Adds facts that follow those that are there.
    func append(_ facts: [RawJSON], after sequence: Int64) async throws(Fault)
    /// Does what takes long and may be done while the owner still changes the state: checks all references, and folds
    /// the log of the file into it.
    ///
    /// - Returns: tables with a row that refers to none. It may be one that is on its way.
    func settle() async throws(Fault) -> Set<String>
    /// Checks that the rows belong together and are as many as the owner has.
    ///
    /// - Parameter changed: what `settle` has not checked.
    /// - Returns: why the state is not whole; nil if it is.
    func obstacle(to sealed: SealedState, since changed: ChangedRows) async throws(Fault) -> String?
    /// Closes the file, whose name may change then; the store is of no use any more.
    func close() async throws
}

/// A service's memory that grows with the copy of its tables, so that it is there when the copy is complete.
package protocol CopiedMemory: Sendable {
    /// - Parameters:
    ///   - rows: each takes the place of the row with its key.
    ///   - removed: rows with the columns of the key.
    /// - Throws: `StateMismatch` for a row that is none of the service's.
    func put(_ rows: [StateRow], removing removed: [StateRow], in table: String) throws
}

/// Rows of a copy that have come or gone since all of its references were checked.
package struct ChangedRows: Sendable {
    /// Beyond so many of a table, its references are all checked again.
    private static let rowsMax = 10_000

    /// Tables all of whose rows are to be checked.
    package private(set) var tables: Set<String>
    /// Tables from which rows have gone, to which others may refer.
    package private(set) var shrunk: Set<String> = []
    private var rows: [String: [[StateValue]: StateRow]] = [:]

    /// - Parameter tables: those with rows that refer to none.
    package init(in tables: Set<String> = []) { self.tables = tables }

    package var changed: [(table: String, rows: [StateRow])] { rows.map { ($0, Array($1.values)) } }

    package mutating func note(_ rows: [StateRow], removing removed: [StateRow], in table: StateTable) {
        if !removed.isEmpty { shrunk.insert(table.name) }
        guard !tables.contains(table.name) else { return }
        for row in removed { self.rows[table.name]?[table.key(of: row)] = nil }
        for row in rows { self.rows[table.name, default: [:]][table.key(of: row)] = row }
        guard self.rows[table.name]?.count ?? 0 > Self.rowsMax else { return }
        self.rows[table.name] = nil
        tables.insert(table.name)
    }
}
