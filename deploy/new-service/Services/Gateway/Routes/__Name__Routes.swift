import Contracts
import Schemas
import Wire

package struct New__Name__Note: RequestBody, Equatable {
    package let text: String

    static let notes: [String: SchemaNote] = [
        "text": SchemaNote(
            "1 to 200 bytes of UTF-8.", constraints: [.init("minLength", 1), .init("maxLength", 200)],
            example: "Call back")
    ]
}

extension RouteTable {
    static let __name__ = [
        Route(
            .post, "/v1/__name__/notes", "create__Name__Note", "Keeps a note of the account", for: .holders,
            key: .required, status: 201, asks: [__Name__.AddNote.self]
        ) { (call: Call, body: New__Name__Note) async throws(Fault) -> Given<__Name__.AddNote.Reply> in
            let reply = try await call.ask(
                __Name__.AddNote(note: call.operation(), account: call.account, text: body.text))
            return Given(reply, replayed: reply.replayed)
        }
    ]
}
