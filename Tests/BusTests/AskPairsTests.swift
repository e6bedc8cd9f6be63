import Bus
import BusZMQ
import Testing

@Suite("Asks and answers that a tap on NATS sees")
struct AskPairsTests {
    private let subject = Array("billfold.ask.echo".utf8)
    private let reply = Array("billfold.answer.a.b.1".utf8)

    private func ask(_ pairs: inout AskPairs, _ id: String) -> UInt64 {
        let body = Envelope(id: id, source: "a", type: "echo.a.b.v1", data: Array("{}".utf8)).json
        return subject.withUnsafeBytes { subject in
            reply.withUnsafeBytes { pairs.ask(subject, reply: $0, body, unixMicroseconds: 0).number }
        }
    }

    private func answer(_ pairs: inout AskPairs, to cause: String?) -> UInt64? {
        let envelope = Envelope(
            id: "x", source: "echo", type: "echo.a.b.v1.reply", causationID: cause, data: Array("{}".utf8))
        return pairs.answer(reply, envelope.json, unixMicroseconds: 0)?.number
    }

    @Test("are paired where a subject is used again, though the asks come first")
    func again() {
        var pairs = AskPairs()
        let asks = [ask(&pairs, "1"), ask(&pairs, "2"), ask(&pairs, "3")]
        let first = [answer(&pairs, to: "1"), answer(&pairs, to: nil), answer(&pairs, to: "3")]
        #expect(first == asks)
        let more = answer(&pairs, to: "3")
        #expect(more == nil, "each ask has one")
    }

    @Test("are paired by the ask's id where an answer has not passed, or is to none of them")
    func missed() {
        var pairs = AskPairs()
        _ = ask(&pairs, "1")
        let second = ask(&pairs, "2")
        let other = answer(&pairs, to: "7")
        #expect(other == nil)
        let late = answer(&pairs, to: "2")
        #expect(late == second)
        let missed = answer(&pairs, to: "1")
        #expect(missed == nil)
    }
}
