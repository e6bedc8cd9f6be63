import Contracts
import Shadow
import Testing
import Wire

@Suite("What is different")
struct DifferenceTests {
    private func reply(_ data: JSONValue) -> ComparedAnswer { ComparedAnswer(type: "a.b.read.v1.reply", data: data) }

    @Test("the same answers differ in nothing; a field that is null counts as one that is absent")
    func same() {
        let one = reply(["a": 1, "b": ["x", "y"], "c": .null])
        #expect(one.differences(from: reply(["b": ["x", "y"], "a": 1]), ignoring: []).isEmpty)
    }

    @Test("each difference is named by its path, a list's length too")
    func paths() {
        let live = reply(["a": 1, "list": [["t": "x"], ["t": "y"]], "only": true])
        let shadow = reply(["a": 2, "list": [["t": "z"]], "new": "n"])
        let found = live.differences(from: shadow, ignoring: [])
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
        #expect(live.differences(from: shadow, ignoring: ["data.list[].t"]).map(\.path) == ["data.list[1].u"])
    }

    @Test("of a refusal its code counts, not its words; a refusal is not a reply")
    func refusals() {
        let live = ComparedAnswer(
            type: "a.b.read.v1.fault", data: ["code": "a.gone", "status": 404, "retry": "never", "title": "Gone"])
        let worded = ComparedAnswer(
            type: "a.b.read.v1.fault", data: ["code": "a.gone", "status": 404, "retry": "never", "title": "It is gone"])
        #expect(live.differences(from: worded, ignoring: []).isEmpty)
        let other = ComparedAnswer(type: "a.b.read.v1.fault", data: ["code": "a.lost", "status": 404, "retry": "never"])
        #expect(live.differences(from: other, ignoring: []).map(\.path) == ["data.code"])
        #expect(live.differences(from: reply([:]), ignoring: []).map(\.path) == ["type"])
    }

    @Test("one answer has no more differences than are looked for")
    func bound() {
        let many = JSONValue.array((0..<1_000).map { .integer(Int64($0)) })
        let others = JSONValue.array((0..<1_000).map { .integer(Int64($0 + 1)) })
        #expect(reply(many).differences(from: reply(others), ignoring: []).count == ComparedAnswer.differencesMax)
    }
}
