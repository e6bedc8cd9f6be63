import Primitives
import Wire

/// Notes of accounts.
package enum __Name__: StateOwner {
    package static let service = "__name__"
    package static var sample: any Fact { NoteAdded.examples.fact }
    package static let stateTables = [
        StateTable("notes", key: "number integer", "id bytes, account bytes, text text, time integer")
    ]

    package enum Note {}
    package typealias NoteID = Identifier<Note>

    /// Keeps a note of an account. Keyed on `note`.
    package struct AddNote: Ask, Equatable {
        package static let type: MessageType = "__name__.note.add.v1"
        package static let effect: Effect<Self> = .keyed(by: \.note)
        package static let access: Access<Self> = .only(\.account, .customer, .merchant, .administrator)
        package static let limits: [Limit<Self>] = [
            .text(\.text, 1...200, or: .__name__TextInvalid, example: "Call back")
        ]
        package static let faults: [FaultCode] = [.__name__TextInvalid, .__name__IDReused]
        package static var examples: Examples<Self> {
            Examples(
                Self(note: Samples.__name__Note, account: Samples.customer, text: "Call back"),
                reply: Reply(number: 42, replayed: true))
        }

        package struct Reply: WireMessage, Equatable {
            /// The note's place among all of them, from 1.
            package let number: Int64
            package let replayed: Bool
        }

        package let note: NoteID
        /// Whose note it is.
        package let account: PartyID
        /// 1 to 200 bytes of UTF-8.
        package let text: String
    }

    /// A note was kept. What it says is for its account alone, and not told.
    package struct NoteAdded: Fact, Equatable {
        package static let type: MessageType = "__name__.note.added.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Self(note: Samples.__name__Note, account: Samples.customer, number: 42, time: Samples.time))
        }

        package let note: NoteID
        package let account: PartyID
        /// The note's place among all of them, from 1.
        package let number: Int64
        package let time: Timestamp
    }
}

extension FaultCode {
    package static let __name__TextInvalid = FaultCode("__name__.text_invalid", 422, .never, "The text is not valid")
    package static let __name__IDReused = FaultCode(
        "__name__.id_reused", 422, .never, "The same id was used for something else")
}

extension Samples {
    package static let __name__Note = __Name__.NoteID(high: 0x019A_9C3D_2C40_0064, low: 0x0064_0064_0064_0064)
}
