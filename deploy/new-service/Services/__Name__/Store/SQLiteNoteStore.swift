import Bus
import Contracts
import Foundation
import GRDB
import Primitives
import Sodium
import Storage

/// The one SQLite file of __name__.
package struct SQLiteNoteStore: NoteStore {
    private let committer: GroupCommitter
    /// Called after each commit that has told facts.
    private let factsCommitted: @Sendable () -> Void
    /// Hears what went wrong underneath, which never travels.
    private let trouble: @Sendable (any Error) -> Void

    /// Opens or makes the file and brings it to the newest schema.
    ///
    /// - Throws: `SQLiteFile.OpenError`, or GRDB's `DatabaseError`.
    package init(
        path: String, factsCommitted: @escaping @Sendable () -> Void = {},
        trouble: @escaping @Sendable (any Error) -> Void = { _ in }
    ) throws {
        committer = GroupCommitter(try SQLiteFile(path: path, migrator: NoteMigrations.migrator))
        self.factsCommitted = factsCommitted
        self.trouble = trouble
    }

    /// A store that ends with the process: for tests.
    package init(inMemory factsCommitted: @escaping @Sendable () -> Void) throws {
        committer = GroupCommitter(try SQLiteFile(inMemory: NoteMigrations.migrator))
        self.factsCommitted = factsCommitted
        trouble = { _ in }
    }

    package func add(
        _ note: __Name__.AddNote, at time: Timestamp, because context: AskContext
    ) async throws(Fault) -> NoteAdding {
        let adding: NoteAdding
        do {
            adding = try await committer.write { database in
                if let known = try Row.fetchOne(
                    database.cachedStatement(sql: "SELECT number, account, text FROM notes WHERE id = ?"),
                    arguments: [Data(note.note.bytes)])
                {
                    let isSame = known[1] as Data == Data(note.account.bytes) && known[2] as String == note.text
                    return isSame ? .existed(number: known[0]) : .reused
                }
                try database.cachedStatement(
                    sql: "INSERT INTO notes (id, account, text, time) VALUES (?, ?, ?, ?)"
                ).execute(arguments: [
                    Data(note.note.bytes), Data(note.account.bytes), note.text, time.milliseconds
                ])
                let number = database.lastInsertedRowID
                try Self.tell(
                    __Name__.NoteAdded(note: note.note, account: note.account, number: number, time: time),
                    in: database, because: context)
                return .added(number: number)
            }
        } catch {
            throw unavailable(error)
        }
        if case .added = adding { factsCommitted() }
        return adding
    }

    /// In the transaction of what the fact tells of.
    private static func tell(
        _ fact: __Name__.NoteAdded, in database: Database, because context: AskContext
    ) throws {
        try Outbox.append(database) { sequence in
            let id: MessageID = Randomness.shared.identifier(at: fact.time)
            return Envelope(
                id: id.hex, source: __Name__.service, type: __Name__.NoteAdded.type.name, time: fact.time,
                correlationID: context.correlationID, causationID: context.causationID,
                traceparent: context.traceparent, sequence: sequence, data: fact.json
            ).json
        }
    }

    package func read(after sequence: Int64, limit: Int) async throws -> FactsPage {
        do {
            return try await committer.read { database in
                let facts = try Outbox.read(
                    database, after: max(0, sequence), limit: min(max(1, limit), 1000), bytesMax: FactsPage.bytesMax)
                return FactsPage(facts: facts.map(RawJSON.init), head: try Outbox.head(database))
            }
        } catch {
            throw unavailable(error)
        }
    }

    private func unavailable(_ error: any Error) -> Fault {
        // The committer logs what is the disk's.
        if !StoreFailure.isOfDisk(error) { trouble(error) }
        return .ofStore(error)
    }
}
