import Bus
import Contracts
import Primitives
import Storage

/// What routines keeps. Each function is one transaction, durable when it returns.
package struct NoteStore: Sendable {
    package let store: Store

    /// - Throws: as `Store.init`.
    package init(path: String) throws { store = try Store(path: path, migrations: NoteMigrations.all) }

    /// A store that ends with the process: for tests.
    package init() throws { store = try Store(inMemory: NoteMigrations.all) }

    /// Keeps a note, unless its id has one already. Fact: `routines.note.added.v1`, for a new one.
    package func add(
        _ note: Routines.AddNote, at time: Timestamp, because context: AskContext
    ) async throws(Fault) -> NoteAdding {
        try await store.write { transaction in
            let known = try transaction.first(
                "SELECT number, account, text FROM notes WHERE id = ?", note.note
            ) { row in
                try row[1] == note.account && row[2] == note.text ? NoteAdding.existed(number: row[0]) : .reused
            }
            if let known { return known }
            let number: Int64? = try transaction.value(
                "INSERT INTO notes (id, account, text, time) VALUES (?, ?, ?, ?) RETURNING number", note.note,
                note.account, note.text, time)
            guard let number else { throw StoreFailure.damaged("a note without a number") }
            try transaction.publish(
                Routines.NoteAdded(note: note.note, account: note.account, number: number, time: time), at: time,
                because: context)
            return .added(number: number)
        }
    }
}

package enum NoteAdding: Sendable, Equatable {
    case added(number: Int64)
    /// The same note is there.
    case existed(number: Int64)
    /// The id is another note's.
    case reused
}
