import Bus
import Contracts
import Primitives

package struct AddNoteHandler: Answering {
    private let store: NoteStore
    private let clock: WallClock
    private let textBytesMax: Int

    package init(store: NoteStore, clock: WallClock = .system, textBytesMax: Int = 200) {
        self.store = store
        self.clock = clock
        self.textBytesMax = textBytesMax
    }

    package func answer(
        _ ask: Routines.AddNote, in context: AskContext
    ) async throws(Fault) -> Routines.AddNote.Reply {
        try NoteRules.check(ask.text, bytesMax: textBytesMax)
        switch try await store.add(ask, at: clock.now(), because: context) {
        case .added(let number): return .init(number: number, replayed: false)
        case .existed(let number): return .init(number: number, replayed: true)
        case .reused: throw Fault(.routinesIDReused)
        }
    }
}
