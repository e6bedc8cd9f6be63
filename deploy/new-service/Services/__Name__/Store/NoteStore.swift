import Bus
import Contracts
import Primitives

/// What __name__ keeps. Each function is one transaction, durable when it returns.
///
/// Decisions come back as values; the only fault that a store throws of itself is `bus.unavailable` (the disk).
package protocol NoteStore: FactLog {
    /// Keeps a note, unless its id has one already. Facts: `__name__.note.added.v1`, for a new one.
    func add(
        _ note: __Name__.AddNote, at time: Timestamp, because context: AskContext
    ) async throws(Fault) -> NoteAdding
}

package enum NoteAdding: Sendable, Equatable {
    case added(number: Int64)
    /// The same note is there.
    case existed(number: Int64)
    /// The id is another note's.
    case reused
}
