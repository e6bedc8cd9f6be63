import Bus
import Contracts
import Foundation
import GRDB
import Primitives
import Sodium
import Storage

/// Notifications' one SQLite file. Inboxes, endpoints and deliveries are in extensions.
package struct SQLiteNoticeStore: NoticeStore {
    /// Holds the file's lock for as long as the store lives.
    let file: SQLiteFile
    private let committer: GroupCommitter
    package let rules: DeliveryRules
    /// Called after each commit that has told facts.
    private let factsCommitted: @Sendable () -> Void
    /// Hears what went wrong underneath, which never travels.
    private let trouble: @Sendable (any Error) -> Void

    /// Opens or makes the file and brings it to the newest schema.
    ///
    /// - Throws: `SQLiteFile.OpenError`, or GRDB's `DatabaseError`.
    package init(
        path: String, rules: DeliveryRules = .init(), factsCommitted: @escaping @Sendable () -> Void = {},
        trouble: @escaping @Sendable (any Error) -> Void = { _ in }
    ) throws {
        file = try SQLiteFile(path: path, migrator: NoticeMigrations.migrator)
        // What letters said is overwritten with zeros once it is of no use. The log may have it from a process that crashed.
        try file.queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA secure_delete = ON; PRAGMA wal_checkpoint(TRUNCATE)")
        }
        committer = GroupCommitter(file)
        self.rules = rules
        self.factsCommitted = factsCommitted
        self.trouble = trouble
    }

    /// A copy of the file, made while it is in use.
    package func copy(to path: String) async throws -> DataCopy { try await committer.file.copy(to: path) }

    // MARK: What is heard

    package func position(of source: String) async throws(Fault) -> FactPosition {
        try await read { database in
            FactPosition(
                sequence: try Cursors.read(database, source: source), mark: try Cursors.mark(database, source: source))
        }
    }

    package func write(
        _ heard: [Heard], names: [PartyID: String], letters: [SendOrder], from source: String,
        through last: FactPosition, at now: Timestamp
    ) async throws(Fault) -> [Queued] {
        let queued = try await write { database in
            var queued: [Queued] = []
            let position = try Cursors.read(database, source: source)
            for one in heard {
                guard let place = one.fact.sequence, place > position else { continue }
                for draft in one.notices(names: names) {
                    queued += try add(draft, because: AskContext(from: one.fact), to: database, at: now)
                }
                if case .requested(let charge) = one.happening, let draft = one.notNotified,
                    try !Self.settings(of: charge.customer, in: database).enabled
                {
                    queued += try add(draft, because: AskContext(from: one.fact), to: database, at: now)
                }
                if let message = one.hookMessage { queued += try add(message, to: database, at: now) }
            }
            for letter in letters {
                if case .recorded(let one?) = try record(letter, in: database, at: now) { queued.append(one) }
            }
            if last.sequence > position {
                try Cursors.write(database, source: source, sequence: last.sequence, mark: last.mark)
            }
            return queued
        }
        if !heard.isEmpty || !letters.isEmpty { factsCommitted() }
        return queued
    }

    // MARK: Facts

    package func read(after sequence: Int64, limit: Int) async throws -> FactsPage {
        try await read { database in
            let facts = try Outbox.read(
                database, after: max(0, sequence), limit: min(max(1, limit), 1000), bytesMax: FactsPage.bytesMax)
            return FactsPage(facts: facts.map(RawJSON.init), head: try Outbox.head(database))
        }
    }

    func tell<Told: Fact>(_ fact: Told, in database: Database, at time: Timestamp, because cause: AskContext?) throws {
        try Outbox.append(database) { sequence in
            let id: MessageID = Randomness.shared.identifier(at: time)
            return Envelope(
                id: id.hex, source: Notifications.service, type: Told.type.name, time: time,
                correlationID: cause?.correlationID, causationID: cause?.causationID, traceparent: cause?.traceparent,
                sequence: sequence, data: fact.json
            ).json
        }
    }

    // MARK: Transactions

    /// A transaction that tells facts.
    func writeTelling<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(Fault) -> Value {
        let value = try await write(body)
        factsCommitted()
        return value
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(Fault) -> Value {
        do { return try await committer.write(body) } catch { throw unavailable(error) }
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(Fault) -> Value {
        do { return try await committer.read(body) } catch { throw unavailable(error) }
    }

    func unavailable(_ error: any Error) -> Fault {
        // The committer logs what is the disk's.
        if !StoreFailure.isOfDisk(error) { trouble(error) }
        return .ofStore(error)
    }
}
