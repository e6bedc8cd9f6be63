import Contracts
import Schemas
import Wire

package struct NewRoutinesNote: RequestBody, Equatable {
    package let text: String

    static let notes: [String: SchemaNote] = [
        "text": SchemaNote(
            "1 to 200 bytes of UTF-8.", constraints: [.init("minLength", 1), .init("maxLength", 200)],
            example: "Call back")
    ]
}

extension RouteTable {
    static let routines = [
        Route(
            .post, "/v1/routines/notes", "createRoutinesNote", "Keeps a note of the account", for: .holders,
            key: .required, status: 201, asks: [Routines.AddNote.self]
        ) { (call: Call, body: NewRoutinesNote) async throws(Fault) -> Given<Routines.AddNote.Reply> in
            let reply = try await call.ask(
                Routines.AddNote(note: call.operation(), account: call.account, text: body.text))
            return Given(reply, replayed: reply.replayed)
        }
    ]
}
