import Contracts
import Shadow
import Testing
import Wire

@Suite("What is different")
struct DifferenceTests {
    private static let rules = AnswerRules()

    private func reply(_ data: JSONValue, to type: String = "a.b.read.v1") -> ComparedAnswer {
        ComparedAnswer(type: "\(type).reply", data: data)
    }

    private func differences(
        _ live: ComparedAnswer, _ shadow: ComparedAnswer, ignoring ignored: Set<String> = []
    ) -> [Difference] {
        var comparison = Comparison(Self.rules)
        return comparison.differences(live, shadow, ignoring: ignored)
    }

    @Test("the same answers differ in nothing; a field that is null counts as one that is absent")
    func same() {
        let one = reply(["a": 1, "b": ["x", "y"], "c": .null])
        #expect(differences(one, reply(["b": ["x", "y"], "a": 1])).isEmpty)
    }

    @Test("each difference is named by its path, a list's length too")
    func paths() {
        let live = reply(["a": 1, "list": [["t": "x"], ["t": "y"]], "only": true])
        let shadow = reply(["a": 2, "list": [["t": "z"]], "new": "n"])
        let found = differences(live, shadow)
        #expect(found.map(\.path) == ["data.a", "data.list.count", "data.list[0].t", "data.only", "data.new"])
        #expect(found[0] == Difference(path: "data.a", live: 1, shadow: 2))
        #expect(found[3] == Difference(path: "data.only", live: true, shadow: nil))
        #expect(found[4] == Difference(path: "data.new", live: nil, shadow: "n"))
        #expect(found[2].kind == "data.list[].t")
    }

    @Test("what is ignored is ignored wherever it stands in a list")
    func ignored() {
        let live = reply(["list": [["t": 1, "u": 1], ["t": 2, "u": 2]]])
        let shadow = reply(["list": [["t": 3, "u": 1], ["t": 4, "u": 5]]])
        #expect(differences(live, shadow, ignoring: ["data.list[].t"]).map(\.path) == ["data.list[1].u"])
    }

    @Test("of a refusal its code counts, not its words; a refusal is not a reply")
    func refusals() {
        let live = ComparedAnswer(
            type: "a.b.read.v1.fault", data: ["code": "a.gone", "status": 404, "retry": "never", "title": "Gone"])
        let worded = ComparedAnswer(
            type: "a.b.read.v1.fault", data: ["code": "a.gone", "status": 404, "retry": "never", "title": "It is gone"])
        #expect(differences(live, worded).isEmpty)
        let other = ComparedAnswer(type: "a.b.read.v1.fault", data: ["code": "a.lost", "status": 404, "retry": "never"])
        #expect(differences(live, other).map(\.path) == ["data.code"])
        #expect(differences(live, reply([:])).map(\.path) == ["type"])
    }

    @Test("one answer has no more differences than are looked for")
    func bound() {
        let many = JSONValue.array((0..<1_000).map { .integer(Int64($0)) })
        let others = JSONValue.array((0..<1_000).map { .integer(Int64($0 + 1)) })
        #expect(differences(reply(many), reply(others)).count == ComparedAnswer.differencesMax)
    }
}
