import Bus
import CPostgres
import Dispatch
import Glibc
import Synchronization

/// libpq's C interface, as far as the kit uses it: the driver under `Transaction` (ADR 46).
///
/// Everything is sent in pipeline mode (postgresql.org/docs/15/libpq-pipeline-mode.html): what needs no answer of its
/// own, such as BEGIN, goes out with the next statement, so that a statement is one round trip.
///
/// An owner that leads names its epoch: each transaction looks at the schema's `leader` first, and one that writes
/// locks that row before anything else. A connection of an owner that was deposed can so neither read nor commit.
final class PostgresConnection: DatabaseConnection {
    /// What is to be seen in an answer.
    private enum Awaited {
        case anything
        case prepared(String)
        /// A row, or a division by zero: this owner leads no more.
        case leadership
        case savepoint
        case commit
        case rows
    }

    /// Statements sent without a look at their answers, which the server must not have to keep.
    private static let awaitedMax = 512

    private let handle: OpaquePointer
    private var awaited: [Awaited] = []
    /// Rows that are not sent yet, by statement. They go before anything else.
    private var gathered: [RowBatch] = []
    /// The names of prepared statements by their text and the types of their parameters.
    private var prepared: [String: String] = [:]
    private var names: Set<String> = []
    private let warnings = Warnings()
    /// Called when whether the last commit is durable cannot be known, or this owner leads no more.
    private var lost: (String) -> Void = { _ in }
    private let watch: CommitWatch

    /// Nil for an owner that needs not lead.
    private(set) var epoch: Int64?

    private(set) var changes = 0
    private(set) var totalChanges: Int64 = 0
    private(set) var isInTransaction = false
    private var isReading = false
    private var isClaimed = false
    private(set) var spoiled: StoreFailure?
    private var isLeadershipSeen = false
    /// When the server last answered: monotonic nanoseconds.
    private var answered = monotonicNanoseconds()
    /// Whether a savepoint is due with the next change, and whether it was made.
    private var wantsPiece = false
    private var hasPiece = false

    /// - Parameters:
    ///   - address: a connection string or URI of libpq (postgresql.org/docs/15/libpq-connect.html).
    ///   - options: keywords and values, instead of those of the address.
    /// - Throws: `StoreFailure.broken` where there is no server, or it lets nobody in.
    init(
        _ address: String, options: [(String, String)], watch: CommitWatch = CommitWatch()
    ) throws(StoreFailure) {
        let all = [("dbname", address)] + options
        let connected = Self.withStrings(all.map(\.0)) { keywords in
            Self.withStrings(all.map(\.1)) { values in PQconnectdbParams(keywords, values, 1) }
        }
        guard let connected else { throw .broken("no memory") }
        guard PQstatus(connected) == CONNECTION_OK else {
            defer { PQfinish(connected) }
            throw .broken(String(cString: PQerrorMessage(connected)).trimmed)
        }
        handle = connected
        self.watch = watch
        PQsetNoticeReceiver(
            handle,
            { context, result in
                guard let context else { return }
                Unmanaged<Warnings>.fromOpaque(context).takeUnretainedValue().note(result)
            }, Unmanaged.passUnretained(warnings).toOpaque())
        PQenterPipelineMode(handle)
    }

    deinit { PQfinish(handle) }

    /// The character set of the server's database, in PostgreSQL's words.
    var serverEncoding: String { PQparameterStatus(handle, "server_encoding").map { String(cString: $0) } ?? "" }

    /// From now on only the leader of this epoch may use the connection.
    ///
    /// - Parameter lost: called when whether the last commit is durable cannot be known, or the owner leads no more.
    func lead(epoch: Int64?, lost: @escaping (String) -> Void) {
        self.epoch = epoch
        self.lost = lost
    }

    private static func withStrings<Value>(
        _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value
    ) -> Value {
        let copies = strings.map { UnsafePointer(strdup($0)) }
        defer { for copy in copies { free(UnsafeMutablePointer(mutating: copy)) } }
        return (copies + [nil]).withUnsafeBufferPointer { body($0.baseAddress!) }
    }

    // MARK: Statements

    func prepare(_ sql: String) throws(StoreFailure) -> Statement {
        do { return PostgresStatement(self, try SQLReader.read(sql)) } catch { throw .broken("\(error)") }
    }

    func script(_ sql: String) throws(StoreFailure) {
        let statements: [[SQLNode]]
        do { statements = try Dialect.script(sql) } catch { throw .broken("\(error)") }
        for statement in statements {
            guard let made = PostgresSchema.making(statement) else {
                try PostgresStatement(self, statement).run()
                continue
            }
            try prepareForChange(Dialect(statement))
            for sql in made { try runNative(sql) }
        }
    }

    /// Runs statements of PostgreSQL's own, in no transaction but theirs.
    func runNative(_ sql: String) throws(StoreFailure) {
        try sendGathered()
        try sync()
        PQexitPipelineMode(handle)
        defer { PQenterPipelineMode(handle) }
        let result = PQexec(handle, sql)
        defer { PQclear(result) }
        guard [PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY].contains(PQresultStatus(result)) else {
            throw failure(result)
        }
    }

    /// Runs one statement and returns its answer, to be cleared by the caller.
    func execute(_ statement: Dialect, _ parameters: [PostgresParameter]) throws(StoreFailure) -> OpaquePointer {
        try sendGathered()
        try prepareForChange(statement)
        try send(statement, parameters)
        guard let result = try sync() else { throw .broken("no answer") }
        if statement.isWrite { count(result) }
        return result
    }

    /// Sends one statement whose answer only says whether it failed, which the next one that is executed finds out.
    func enqueue(_ statement: Dialect, _ parameters: [PostgresParameter]) throws(StoreFailure) {
        try sendGathered()
        try prepareForChange(statement)
        try post(statement, parameters)
        totalChanges += 1
    }

    /// Keeps a row to be inserted, until anything else is sent.
    func gather(_ row: [PostgresParameter], in rows: RowBatch) throws(StoreFailure) {
        try prepareForChange(rows.one)
        if rows.count == 0 { gathered.append(rows) }
        rows.add(row)
        totalChanges += 1
        if rows.isFull { try sendGathered() }
    }

    private func sendGathered() throws(StoreFailure) {
        // A batch that fails takes the transaction with it, so the others are not sent.
        defer { forgetGathered() }
        for rows in gathered {
            let (statement, parameters) = rows.take()
            try post(statement, parameters)
        }
    }

    private func forgetGathered() {
        for rows in gathered { rows.removeAll() }
        gathered.removeAll(keepingCapacity: true)
    }

    private func post(_ statement: Dialect, _ parameters: [PostgresParameter]) throws(StoreFailure) {
        try send(statement, parameters)
        awaited[awaited.count - 1] = .anything
        if awaited.count >= Self.awaitedMax { try sync() }
    }

    /// Says something to the server if it has heard nothing for a while: it ends silent sessions, and whoever reads
    /// many rows of one answer sends no statement meanwhile.
    func breakSilence() throws(StoreFailure) {
        guard monotonicNanoseconds() - answered > UInt64(PostgresDatabase.heartbeat / .nanoseconds(1)) else { return }
        try send("SELECT 1")
        try sync()
    }

    private func count(_ result: OpaquePointer) {
        changes = Int(String(cString: PQcmdTuples(result))) ?? 0
        totalChanges += Int64(changes)
    }

    private func prepareForChange(_ statement: Dialect) throws(StoreFailure) {
        guard statement.isWrite, isInTransaction, !isReading else { return }
        try claim()
        if wantsPiece, !hasPiece {
            try send("SAVEPOINT piece", .savepoint)
            hasPiece = true
        }
    }

    /// Before anything else is changed: that this owner leads, which a successor waits for.
    private func claim() throws(StoreFailure) {
        guard let epoch, !isClaimed else { return }
        // The division by zero fails the rest of the pipeline, COMMIT too. Locked, not changed: while somebody has an
        // old snapshot, each change would leave a version of the row that every look at it passes.
        try send(
            """
            WITH claimed AS (SELECT FROM leader WHERE epoch = \(epoch) FOR UPDATE)
            SELECT 1 / count(*) FROM claimed
            """, .leadership)
        isClaimed = true
    }

    private func send(_ statement: Dialect, _ parameters: [PostgresParameter]) throws(StoreFailure) {
        let types = parameters.map(\.type)
        let key = statement.sql + " " + types.map(String.init).joined(separator: ",")
        let name = prepared[key] ?? "s\(prepared.count)"
        prepared[key] = name
        if !names.contains(name) {
            guard PQsendPrepare(handle, name, statement.sql, Int32(types.count), types) == 1 else { throw gone() }
            awaited.append(.prepared(name))
            names.insert(name)
        }
        let isSent = PostgresParameter.withPointers(parameters) { values, lengths, formats in
            PQsendQueryPrepared(handle, name, Int32(types.count), values, lengths, formats, 1)
        }
        guard isSent == 1 else { throw gone() }
        awaited.append(.rows)
    }

    private func send(_ sql: String, _ expected: Awaited = .anything) throws(StoreFailure) {
        guard PQsendQueryParams(handle, sql, 0, nil, nil, nil, nil, 1) == 1 else { throw gone() }
        awaited.append(expected)
    }

    // MARK: Transactions

    func control(_ step: TransactionStep) throws(StoreFailure) {
        switch step {
        case .rollback, .rollbackPiece: forgetGathered()
        default: try sendGathered()
        }
        switch step {
        // A standby that takes over has to have every commit.
        case .begin, .beginUnsynced: try begin("BEGIN", isReading: false)
        case .beginReading: try begin("BEGIN READ ONLY", isReading: true)
        case .commit: try commit()
        case .rollback: try rollback()
        case .beginPiece: wantsPiece = true
        case .rollbackPiece:
            guard hasPiece else { return }
            try send("ROLLBACK TO piece")
            try sync()
            spoiled = nil
        case .endPiece:
            if hasPiece { try send("RELEASE piece") }
            (wantsPiece, hasPiece) = (false, false)
        }
    }

    private func begin(_ sql: String, isReading: Bool) throws(StoreFailure) {
        try send(sql)
        isInTransaction = true
        self.isReading = isReading
        isLeadershipSeen = epoch == nil
        if let epoch { try send("SELECT 1 / count(*) FROM leader WHERE epoch = \(epoch)", .leadership) }
    }

    private func commit() throws(StoreFailure) {
        warnings.clear()
        watch.begin()
        defer { watch.end() }
        try send("COMMIT", .commit)
        try sync()
        ended()
        // The server answers with success also where a wait for its standbys was cancelled.
        if let warning = warnings.last { throw unknown("COMMIT came with a warning: \(warning)") }
    }

    private func rollback() throws(StoreFailure) {
        try send("ROLLBACK")
        // Nobody gets what was read before it is known that this owner led then.
        if !isReading || !isLeadershipSeen { try sync() }
        ended()
    }

    private func ended() {
        (isInTransaction, isReading, isClaimed, spoiled) = (false, false, false, nil)
        (wantsPiece, hasPiece) = (false, false)
    }

    var survivesPiece: Bool { isInTransaction && (spoiled == nil || hasPiece) }

    var mayBeDeposed: Bool { epoch != nil }

    var isRemote: Bool { true }

    func touch() throws(StoreFailure) {
        guard isInTransaction, epoch != nil else { return try script("UPDATE leader SET epoch = epoch") }
        try claim()
    }

    /// Runs statements, and has the server cancel what it is at when they have not ended after so long. A COMMIT that
    /// waits for its standbys then comes with a warning.
    func cancelling<Value>(after time: Duration, _ body: () throws -> Value) rethrows -> Value {
        let cancel = Cancel(handle)
        let alarm = DispatchWorkItem { cancel.send() }
        DispatchQueue.global().asyncAfter(deadline: .now() + time / .seconds(1), execute: alarm)
        defer { alarm.cancel() }
        return try body()
    }

    /// Runs statements, and breaks the connection when they have not ended after so long: a server that stands still
    /// keeps it open, and answers nothing.
    func breaking<Value>(after time: Duration, _ body: () throws -> Value) rethrows -> Value {
        let socket = Socket(PQsocket(handle))
        let alarm = DispatchWorkItem { socket.shutDown() }
        DispatchQueue.global().asyncAfter(deadline: .now() + time / .seconds(1), execute: alarm)
        defer {
            alarm.cancel()
            socket.giveUp()
        }
        return try body()
    }

    // MARK: Answers

    /// Sends what is waiting and reads all answers.
    ///
    /// - Returns: the last answer with rows, to be cleared by the caller.
    @discardableResult
    private func sync() throws(StoreFailure) -> OpaquePointer? {
        if awaited.isEmpty { return nil }
        let expected = awaited
        awaited = []
        guard PQpipelineSync(handle) == 1 else { throw gone() }
        var found: OpaquePointer?
        var trouble: StoreFailure?
        for one in expected {
            let result = PQgetResult(handle)
            // Behind each statement's answer there is nothing.
            while result != nil, let more = PQgetResult(handle) { PQclear(more) }
            let status = PQresultStatus(result)
            let isRight = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK
            if trouble == nil {
                if isRight { trouble = unexpected(one, result) } else { trouble = failed(one, result) }
            }
            // The savepoint that is there is that of the piece before.
            if case .savepoint = one, trouble != nil { hasPiece = false }
            if case .prepared(let name) = one, !isRight { names.remove(name) }
            if case .rows = one, isRight {
                PQclear(found)
                found = result
            } else {
                PQclear(result)
            }
        }
        // The end of the pipeline's part.
        PQclear(PQgetResult(handle))
        answered = monotonicNanoseconds()
        guard PQstatus(handle) == CONNECTION_OK else {
            PQclear(found)
            throw gone()
        }
        guard let trouble else { return found }
        PQclear(found)
        if isInTransaction { spoiled = trouble }
        throw trouble
    }

    /// Takes note of an answer; a failure where it is not as it has to be.
    private func unexpected(_ one: Awaited, _ result: OpaquePointer?) -> StoreFailure? {
        switch one {
        case .anything, .rows, .prepared, .savepoint: return nil
        case .leadership:
            isLeadershipSeen = true
            return nil
        case .commit:
            let tag = String(cString: PQcmdStatus(result))
            return tag == "COMMIT" ? nil : unknown("COMMIT was answered with \(tag)")
        }
    }

    private func failed(_ one: Awaited, _ result: OpaquePointer?) -> StoreFailure {
        guard PQstatus(handle) == CONNECTION_OK, let result else { return gone(result) }
        let failure = failure(result)
        if case .leadership = one, case .constraint(let why) = failure {
            let isDivision = Self.code(of: result) == "22012"
            return unknown(isDivision ? "another process leads" : "who leads is not known: \(why)")
        }
        if case .commit = one, !failure.mayBeOfOne { return unknown("COMMIT failed: \(failure)") }
        return failure
    }

    private func failure(_ result: OpaquePointer?) -> StoreFailure {
        let code = Self.code(of: result)
        let text = String(cString: PQresultErrorMessage(result)).trimmed + " (\(code))"
        if isReading, code == "25006" { return .constraint("a read wrote") }
        return switch code.prefix(2) {
        case "21", "22", "23", "42", "P0": .constraint(text)
        case "53": .full(text)
        default: .broken(text)
        }
    }

    /// SQLSTATE of a failed statement, such as 22012 of a division by zero; empty where the server gave none.
    private static func code(of result: OpaquePointer?) -> String {
        PQresultErrorField(result, 67).map { String(cString: $0) } ?? ""  // PG_DIAG_SQLSTATE
    }

    /// - Parameter result: the last answer, in which the server may have said why it ends the session.
    private func gone(_ result: OpaquePointer? = nil) -> StoreFailure {
        let said = String(cString: PQresultErrorMessage(result)).trimmed
        let why = said.isEmpty ? String(cString: PQerrorMessage(handle)).trimmed : said
        return unknown("the connection is lost: \(why)")
    }

    private func unknown(_ why: String) -> StoreFailure {
        lost(why)
        return .broken(why)
    }

    // MARK: Schema

    func tables() throws -> [String] {
        var names: [String] = []
        try prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").each { row in
            names.append(try row[0])
            return true
        }
        return names
    }

    func columns(of table: String) throws -> [TableColumn] {
        var columns: [TableColumn] = []
        try prepare(
            """
            SELECT attname, atttypid, coalesce(attnum = ANY (indkey), FALSE) FROM pg_attribute
            LEFT JOIN pg_index ON indrelid = attrelid AND indisprimary
            WHERE attrelid = to_regclass('"' || ? || '"') AND attnum > 0 AND NOT attisdropped ORDER BY attnum
            """
        ).bind(table).each { row in
            let kind: TableColumn.Kind =
                switch UInt32(row.int64(1)) {
                case PostgresType.text: .text
                case PostgresType.bytes: .bytes
                case PostgresType.integer: .integer
                case let type: throw StoreFailure.damaged("a column of \(table) is of type \(type)")
                }
            columns.append(TableColumn(name: try row[0], kind: kind, isKey: row.int64(2) != 0))
            return true
        }
        return columns
    }
}

/// A connection's socket, for another thread. Its number may be another file's once the connection has been closed.
private final class Socket: Sendable {
    private let descriptor: Mutex<Int32?>

    init(_ descriptor: Int32) { self.descriptor = Mutex(descriptor) }

    func shutDown() { descriptor.withLock { _ = $0.map { shutdown($0, Int32(SHUT_RDWR)) } } }

    func giveUp() { descriptor.withLock { $0 = nil } }
}

/// Asks a connection's server to cancel what it is at, from any thread.
///
/// Unchecked: `PQcancel` may be called from any thread.
private final class Cancel: @unchecked Sendable {
    private let handle: OpaquePointer?

    init(_ connection: OpaquePointer) { handle = PQgetCancel(connection) }

    deinit { PQfreeCancel(handle) }

    func send() {
        var why = [CChar](repeating: 0, count: 256)
        PQcancel(handle, &why, Int32(why.count))
    }
}

/// The warnings of a connection.
private final class Warnings {
    private(set) var last: String?

    func clear() { last = nil }

    func note(_ result: OpaquePointer?) {
        // PG_DIAG_SEVERITY_NONLOCALIZED
        guard let severity = PQresultErrorField(result, 86), String(cString: severity) == "WARNING" else { return }
        last = String(cString: PQresultErrorMessage(result)).trimmed
    }
}

extension String {
    fileprivate var trimmed: String {
        String(split(whereSeparator: \.isWhitespace).joined(separator: " "))
    }
}
