import Bus
import Contracts
import Primitives

/// What a piece of work sees of its service's database: SQL with typed arguments, facts, cursors.
///
/// Parameters are written `?` or `?1`. Valid inside the closure that receives it; one per connection, used by one
/// thread at a time.
package final class Transaction {
    let connection: any DatabaseConnection
    private var statements: [String: Statement] = [:]
    /// The facts of this piece of work, for the publisher.
    private var published: [PublishedFact] = []
    /// The newest fact's sequence; nil until it is read from the outbox.
    private var head: Int64?

    init(_ connection: any DatabaseConnection) { self.connection = connection }

    // MARK: Statements

    /// A statement for its caller alone, who keeps it as long as the store: for work that is done for every payment.
    package func prepare(_ sql: String) throws(StoreFailure) -> Statement { try connection.prepare(sql) }

    /// The cached statement of this text, or a new one while that is running.
    package func statement(_ sql: String) throws(StoreFailure) -> Statement {
        guard let known = statements[sql] else {
            let statement = try prepare(sql)
            statements[sql] = statement
            return statement
        }
        return known.isRunning ? try prepare(sql) : known
    }

    /// Runs one statement.
    ///
    /// - Returns: how many rows it inserted, updated or deleted.
    @discardableResult
    package func run<each Argument: ColumnValue>(
        _ sql: String, _ arguments: repeat each Argument
    ) throws(StoreFailure) -> Int {
        let statement = try statement(sql)
        repeat (each arguments).bind(to: statement)
        try statement.run()
        return connection.changes
    }

    /// Runs a statement whose failure fails the whole group, and whose changes nobody counts.
    ///
    /// See `Statement.post`.
    package func post<each Argument: ColumnValue>(
        _ sql: String, _ arguments: repeat each Argument
    ) throws(StoreFailure) {
        let statement = try statement(sql)
        repeat (each arguments).bind(to: statement)
        try statement.post()
    }

    /// Adds one row by `INSERT INTO table (columns) VALUES (?, …)`, whose failure fails the whole group.
    ///
    /// See `Statement.postRow`.
    package func postRow<each Argument: ColumnValue>(
        _ sql: String, _ arguments: repeat each Argument
    ) throws(StoreFailure) {
        let statement = try statement(sql)
        repeat (each arguments).bind(to: statement)
        try statement.postRow()
    }

    /// Lets go of the cached statements, without which the connection cannot be closed.
    func finalizeStatements() { statements = [:] }

    /// Runs statements without parameters.
    package func script(_ sql: String) throws(StoreFailure) { try connection.script(sql) }

    /// The first row of a query; nil if it has none.
    package func first<each Argument: ColumnValue, Value>(
        _ sql: String, _ arguments: repeat each Argument, as value: (Row) throws -> Value
    ) throws -> Value? {
        let statement = try statement(sql)
        repeat (each arguments).bind(to: statement)
        return try statement.first(value)
    }

    /// The first column of the first row; nil if there is no row, or NULL in it.
    package func value<each Argument: ColumnValue, Value: ColumnValue>(
        _ sql: String, _ arguments: repeat each Argument, as type: Value.Type = Value.self
    ) throws -> Value? {
        let statement = try statement(sql)
        repeat (each arguments).bind(to: statement)
        return try statement.first { row in try row[0] as Value? } ?? nil
    }

    /// Every row of a query.
    package func all<each Argument: ColumnValue, Value>(
        _ sql: String, _ arguments: repeat each Argument, as value: (Row) throws -> Value
    ) throws -> [Value] {
        let statement = try statement(sql)
        repeat (each arguments).bind(to: statement)
        var values: [Value] = []
        try statement.each { row in
            values.append(try value(row))
            return true
        }
        return values
    }

    /// The first column of every row.
    package func values<each Argument: ColumnValue, Value: ColumnValue>(
        _ sql: String, _ arguments: repeat each Argument, as type: Value.Type = Value.self
    ) throws -> [Value] {
        try all(sql, repeat each arguments) { row in try row[0] }
    }

    /// Passes each row to `body` until it returns false.
    package func each<each Argument: ColumnValue>(
        _ sql: String, _ arguments: repeat each Argument, while body: (Row) throws -> Bool
    ) throws {
        let statement = try statement(sql)
        repeat (each arguments).bind(to: statement)
        try statement.each(body)
    }

    /// Whether each statement that is run is a round trip to a server, so that one for many rows is worth while.
    package var isRemote: Bool { connection.isRemote }

    // MARK: Atomicity, for owners of a file without a `Store`

    /// Whether a transaction has been begun and not ended.
    package var isOpen: Bool { connection.isInTransaction }

    package func begin() throws(StoreFailure) { try connection.control(.begin) }

    /// Durable when it returns.
    package func commit() throws(StoreFailure) { try connection.control(.commit) }

    package func rollback() throws(StoreFailure) { try connection.control(.rollback) }

    /// Runs `body`, which only reads. Where another process may lead by now, nothing of what it read is given to
    /// anybody before it is known that this one did then.
    package func reading<Value>(_ body: () throws -> Value) throws -> Value {
        guard connection.mayBeDeposed else { return try body() }
        try connection.control(.beginReading)
        let result = Result { try body() }
        try connection.control(.rollback)
        return try result.get()
    }

    /// Runs `body` in a transaction of its own: all of it is written, or nothing.
    package func atomically(_ body: () throws -> Void) throws {
        try connection.control(.begin)
        do {
            try body()
            try connection.control(.commit)
        } catch {
            if isOpen { try connection.control(.rollback) }
            throw error
        }
    }

    /// Returns when it is known that no other process led when this was called. Costs a commit where one may.
    ///
    /// A primary that was deposed without noticing still answers reads as before; it cannot commit.
    package func confirm() throws {
        guard connection.mayBeDeposed else { return }
        try atomically { try connection.touch() }
    }

    /// Writes and changes nothing: fails as long as nothing can be written.
    package func touch() throws(StoreFailure) { try connection.touch() }

    // MARK: Facts

    /// Adds a fact to the outbox, with the next sequence. It goes to the publisher after the commit.
    ///
    /// - Parameter cause: the ask, or the fact of another service, that it follows from.
    package func publish<F: Fact>(_ fact: F, at time: Timestamp, because cause: AskContext?) throws {
        try publish(fact, by: Cause(time: time, context: cause))
    }

    /// Adds a fact to the outbox, with the next sequence. It goes to the publisher after the commit.
    package func publish<F: Fact>(_ fact: F, by cause: Cause) throws {
        let sequence = try headSequence() + 1
        let source = F.type.service
        let envelope = Envelope.json(
            id: source + "-" + String(sequence), source: source, type: F.type.name, time: cause.time,
            correlationID: cause.correlationID, causationID: cause.causationID, traceparent: cause.traceparent,
            sequence: sequence
        ) { fact.write(to: &$0) }
        try postRow("INSERT INTO facts (sequence, envelope) VALUES (?, ?)", sequence, envelope)
        head = sequence
        published.append(PublishedFact(type: F.type.name, sequence: sequence, envelope: envelope))
    }

    /// The newest fact's sequence; 0 before the first.
    package func headSequence() throws -> Int64 {
        if let head { return head }
        let newest: Int64 = try value("SELECT max(sequence) FROM facts") ?? 0
        head = newest
        return newest
    }

    /// Whether the work has published facts.
    var hasPublished: Bool { !published.isEmpty }

    /// Takes the facts of the work that has ended.
    func takePublished() -> [PublishedFact] {
        defer { published = [] }
        return published
    }

    /// What was written has been rolled back.
    func rolledBack() {
        published = []
        head = nil
    }
}
