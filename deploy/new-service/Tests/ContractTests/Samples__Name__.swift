import Contracts
import Primitives

extension Samples {
    static let __name__: [Sample] =
        ask(
            __Name__.AddNote(note: __name__Note, account: customer, text: "Call back"),
            reply: __Name__.AddNote.Reply(number: 42, replayed: true))
        + fact(__name__NoteAdded) + readFacts(of: __Name__.self, like: __name__NoteAdded) + head(of: __Name__.self)
        + readStats(of: __Name__.self) + readSpans(of: __Name__.self) + writeBackup(of: __Name__.self)

    private static let __name__Note = __Name__.NoteID(high: 0x019A_9C3D_2C40_0064, low: 0x0064_0064_0064_0064)
    private static let __name__NoteAdded = __Name__.NoteAdded(
        note: __name__Note, account: customer, number: 42, time: time)
}
