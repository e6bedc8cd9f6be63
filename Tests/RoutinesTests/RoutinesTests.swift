import Bus
import Contracts
import Primitives
import RoutinesService
import Testing
import Wire

@Suite("routines")
struct RoutinesTests {
    private static let note = Routines.NoteID(high: 1, low: 1)
    private static let ada = PartyID(high: 2, low: 1)
    private static let bob = PartyID(high: 2, low: 2)

    private let store: NoteStore
    private let handler: AddNoteHandler

    init() throws {
        store = try NoteStore()
        handler = AddNoteHandler(store: store)
    }

    private func add(
        _ text: String, of account: PartyID = ada
    ) async throws -> Routines.AddNote.Reply {
        try await handler.answer(
            Routines.AddNote(note: Self.note, account: account, text: text),
            in: AskContext(deadline: Timestamp(milliseconds: .max), causationID: "ask-1"))
    }

    @Test("one id is one note, however often it is asked for")
    func resent() async throws {
        #expect(try await add("Call back") == .init(number: 1, replayed: false))
        #expect(try await add("Call back") == .init(number: 1, replayed: true))
        #expect(try await store.store.read(after: 0, limit: 10).head == 1)
    }

    @Test("other content under a known id is refused")
    func reused() async throws {
        _ = try await add("Call back")
        await #expect(throws: Fault(.routinesIDReused)) { try await add("Do not call back") }
        await #expect(throws: Fault(.routinesIDReused)) { try await add("Call back", of: Self.bob) }
    }

    @Test("each note is told of, without what it says")
    func published() async throws {
        _ = try await add("Call back")
        let page = try await store.store.read(after: 0, limit: 10)
        let envelope = try Envelope(json: try #require(page.facts.first).bytes)
        #expect(envelope.type == "routines.note.added.v1")
        #expect(envelope.sequence == 1)
        #expect(envelope.causationID == "ask-1")
        #expect(try Routines.NoteAdded(json: envelope.data).account == Self.ada)
        #expect(!String(decoding: page.facts[0].bytes, as: UTF8.self).contains("Call back"))
    }

    @Test("a note says something", arguments: ["", " \n", String(repeating: "x", count: 201)])
    func texts(text: String) async throws {
        do {
            _ = try await add(text)
            Issue.record("taken")
        } catch let fault as Fault {
            #expect(fault.code == .routinesTextInvalid)
        }
    }
}
