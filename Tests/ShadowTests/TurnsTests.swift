import Bus
import BusZMQ
import Primitives
import Shadow
import Testing

@Suite("Turns of a candidate")
struct TurnsTests {
    private static let start = ContinuousClock.now

    private var turns = Turns()
    private var pairs = AskPairs()

    private mutating func ask(_ name: String, isReading: Bool = true, after time: Duration = .zero) {
        let subject = Array("subject".utf8)
        let copy = subject.withUnsafeBytes { pairs.ask($0, reply: $0, Array(name.utf8), unixMicroseconds: 0) }
        turns.add(copy, isReading: isReading, at: Self.start + time)
    }

    private mutating func fact(_ name: String, of source: String = "payments", at milliseconds: Int64 = 0) {
        let envelope = Envelope(
            id: name, source: source, type: "\(source).thing.changed.v1", time: Timestamp(milliseconds: milliseconds),
            sequence: 1, data: Array("{}".utf8))
        turns.add(
            PublishedFact(type: envelope.type, sequence: 1, envelope: Array(name.utf8)), envelope, at: Self.start)
    }

    /// Names of the turns that the candidate gets after a time, in their order; nil: nothing is waited for any more.
    private mutating func given(after time: Duration? = .zero, answered: Bool = true) -> [String] {
        var names: [String] = []
        while let turn = turns.next(at: time.map { Self.start + $0 }, isAnswered: { _ in answered }) {
            switch turn {
            case .ask(let copy): names.append(String(decoding: copy.body, as: UTF8.self))
            case .fact(let fact): names.append(Self.name(fact))
            }
        }
        return names
    }

    private static func name(_ fact: Turns.Fact) -> String { String(decoding: fact.fact.envelope, as: UTF8.self) }

    @Test("facts wait for the asks before them, and all comes in its order in the end")
    mutating func order() {
        ask("read")
        fact("a")
        ask("mark", isReading: false)
        fact("b")
        #expect(given(after: nil, answered: false) == ["read", "a", "mark", "b"])
    }

    @Test("facts are held from reads that come within a second, and from changes for less")
    mutating func held() {
        fact("a")
        ask("read", after: Turns.factHeldFromChange)
        fact("b")
        ask("mark", isReading: false, after: Turns.factHeldFromChange)
        fact("c")
        ask("late", after: Turns.factHeld)
        fact("d")
        #expect(given() == ["read", "a", "b", "mark", "c", "late"])
        #expect(given(after: Turns.factHeldFromChange).isEmpty)
        #expect(given(after: Turns.factHeld) == ["d"])
    }

    @Test("a fact that the live service shows to know goes ahead of later asks, with those of its source before")
    mutating func known() {
        for name in ["a", "b", "c"] { fact(name) }
        fact("other", of: "wallet")
        ask("read")
        turns.know("b")
        ask("again")
        #expect(given() == ["read", "a", "b", "again"])
        turns.know("nothing")
        turns.know("other")
        #expect(given() == ["other"])
    }

    @Test("an ask is given when the live service has answered it, or has taken too long")
    mutating func answers() {
        ask("read")
        #expect(given(answered: false).isEmpty)
        #expect(given(after: Turns.answerPatience, answered: false) == ["read"])
    }

    @Test("facts that an answer shows to be known go ahead, in their order, up to the first that has an id of the ask")
    mutating func ahead() {
        let ids = ["1", "2", "3"].map { String(repeating: $0, count: 32) }
        let moment = Timestamp(milliseconds: 1_000)
        ask("read")
        for (id, time) in zip(ids, [500, 990, 1_001] as [Int64]) { fact(id, at: time) }
        var others = self
        #expect(turns.facts(by: moment, naming: [ids[1], ids[2]]).map(Self.name) == [ids[0], ids[1]])
        #expect(turns.facts(by: moment, naming: [ids[2]]).isEmpty)
        #expect(given(after: nil) == ["read", ids[2]])
        // Facts without an id of the ask are given when they are older; all are where no id is looked for.
        #expect(others.turns.facts(by: moment, naming: [ids[2]]).map(Self.name) == [ids[0]])
        #expect(others.turns.facts(by: moment, naming: nil).map(Self.name) == [ids[1]])
    }
}
