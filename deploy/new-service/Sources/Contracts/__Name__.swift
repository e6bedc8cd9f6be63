import Primitives
import Wire

/// All that one may ask of __name__, or hear from it.
package enum __Name__: DataOwner {
    package static let service = "__name__"

    package enum Note {}
    package typealias NoteID = Identifier<Note>

    /// Keeps a note of an account. Keyed on `note`.
    package struct AddNote: Ask, Equatable {
        package static let type: MessageType = "__name__.note.add.v1"
        package static let retry = RetryClass.keyed
        package static let faults: [FaultCode] = [.__name__TextInvalid, .__name__IDReused]

        package struct Reply: WireMessage, Equatable {
            /// The note's place among all of them, from 1.
            package let number: Int64
            package let replayed: Bool

            package init(number: Int64, replayed: Bool) {
                self.number = number
                self.replayed = replayed
            }
        }

        package let note: NoteID
        /// Whose note it is: an actor has to be this one.
        package let account: PartyID
        /// 1 to 200 bytes of UTF-8.
        package let text: String

        package init(note: NoteID, account: PartyID, text: String) {
            self.note = note
            self.account = account
            self.text = text
        }
    }

    /// A note was kept. What it says is for its account alone, and not told.
    package struct NoteAdded: Fact, Equatable {
        package static let type: MessageType = "__name__.note.added.v1"
        package let note: NoteID
        package let account: PartyID
        /// The note's place among all of them, from 1.
        package let number: Int64
        package let time: Timestamp

        package init(note: NoteID, account: PartyID, number: Int64, time: Timestamp) {
            self.note = note
            self.account = account
            self.number = number
            self.time = time
        }
    }
}
