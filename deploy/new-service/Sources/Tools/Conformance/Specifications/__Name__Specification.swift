import Contracts
import Primitives

extension __Name__: Specified {
    package static let specification = Specification(
        service: service, needs: [],
        examples: [
            note, Example(facts: __Name__.self), Example(stats: __Name__.self),
            Example(spans: __Name__.self), Example(backup: __Name__.self),
            Example(follow: __Name__.self), Example(state: __Name__.self), Example(seal: __Name__.self)
        ],
        log: FactsSpecification(__Name__.self) { trial in _ = try await trial.asker.ask(newNote(trial.world)) },
        load: note.load)

    private static let note = Example(
        nobody: AddNote(note: nobody(), account: nobody(), text: "Nobody's"), make: { newNote($0) },
        other: { AddNote(note: $0.note, account: $0.account, text: "Another text") }, reused: .__name__IDReused,
        expect: { _, reply, _ in try require(reply.number > 0, "the note has no place among the others") })

    private static func newNote(_ world: World) -> AddNote {
        AddNote(note: world.id(), account: world.id(), text: "Conformance")
    }
}
