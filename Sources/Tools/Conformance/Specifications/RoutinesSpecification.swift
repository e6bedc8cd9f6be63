import Contracts
import Primitives

extension Routines: Specified {
    package static let specification = Specification(
        service: service, needs: [],
        examples: [
            note, Example(facts: Routines.self), Example(stats: Routines.self),
            Example(spans: Routines.self), Example(backup: Routines.self)
        ],
        log: FactsSpecification(Routines.self) { trial in _ = try await trial.asker.ask(newNote(trial.world)) },
        load: note.load)

    private static let note = Example(
        nobody: AddNote(note: nobody(), account: nobody(), text: "Nobody's"), make: { newNote($0) },
        other: { AddNote(note: $0.note, account: $0.account, text: "Another text") }, reused: .routinesIDReused,
        expect: { _, reply, _ in try require(reply.number > 0, "the note has no place among the others") })

    private static func newNote(_ world: World) -> AddNote {
        AddNote(note: world.id(), account: world.id(), text: "Conformance")
    }
}
