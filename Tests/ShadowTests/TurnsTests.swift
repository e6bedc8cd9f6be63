import Bus
import BusZMQ
import Primitives
import Shadow
import Testing

@Suite("Turns of a candidate")
struct TurnsTests {
    private static func ask(_ name: String) -> Turns.Turn {
        var pairs = AskPairs()
        let subject = Array("subject".utf8)
        return .ask(
            subject.withUnsafeBytes { pairs.ask($0, reply: $0, Array(name.utf8), unixMicroseconds: 0) })
    }

    private static func fact(_ id: String, at milliseconds: Int64) -> Turns.Turn {
        .fact(
            PublishedFact(type: "payments.charge.captured.v1", sequence: milliseconds, envelope: Array(id.utf8)),
            time: Timestamp(milliseconds: milliseconds))
    }

    /// The bodies of asks and facts, in the order in which the candidate gets them.
    private static func names(_ turns: inout Turns) -> [String] {
        var names: [String] = []
        while let turn = turns.next() {
            switch turn {
            case .ask(let copy): names.append(String(decoding: copy.body, as: UTF8.self))
            case .fact(let fact, _): names.append(name(fact))
            }
        }
        return names
    }

    private static func name(_ fact: PublishedFact) -> String { String(decoding: fact.envelope, as: UTF8.self) }

    @Test("facts wait for the asks before them")
    func order() {
        var turns = Turns()
        turns.add(Self.ask("read"))
        turns.add(Self.fact("a", at: 5))
        turns.add(Self.ask("mark"))
        turns.add(Self.fact("b", at: 6))
        #expect(Self.names(&turns) == ["read", "a", "mark", "b"])
    }

    @Test("facts that the live service may have known go ahead, in their order; those after the moment do not")
    func ahead() {
        var turns = Turns()
        turns.add(Self.ask("mark"))
        turns.add(Self.fact("a", at: 5))
        turns.add(Self.ask("read"))
        turns.add(Self.fact("b", at: 7))
        turns.add(Self.fact("c", at: 8))
        #expect(turns.facts(by: Timestamp(milliseconds: 7)).map(Self.name) == ["a", "b"])
        #expect(turns.facts(by: Timestamp(milliseconds: 7)).isEmpty)
        #expect(Self.names(&turns) == ["mark", "read", "c"])
    }
}
