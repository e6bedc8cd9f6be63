import Contracts
import Shadow
import Testing
import Wire

@Suite("What the contracts let differ")
struct ComparisonTests {
    private static let rules = AnswerRules()
    private let one = id("a")
    private let other = id("b")
    private let third = id("c")

    private static func id(_ digit: Character) -> String { String(repeating: digit, count: 32) }

    private func position(_ time: String, latitude: Int64 = 1) -> ComparedAnswer {
        ComparedAnswer(
            type: "location.position.read.v1.reply",
            data: [
                "latitude": .integer(latitude), "longitude": 2, "time": .string(time),
                "expires": "2026-11-21T09:45:00.000Z"
            ])
    }

    private func delivery(_ id: String) -> ComparedAnswer {
        ComparedAnswer(type: "notifications.delivery.replay.v1.reply", data: ["delivery": .string(id), "number": 1])
    }

    private func place(_ id: String, name: String = "Aspen") -> ComparedAnswer {
        ComparedAnswer(type: "location.place.put.v1.reply", data: ["place": .string(id), "name": .string(name)])
    }

    @Test("a moment may be later by what the candidate was late, and no more")
    func times() {
        var comparison = Comparison(Self.rules)
        let (live, late) = (position("2026-11-21T09:30:00.000Z"), position("2026-11-21T09:30:00.900Z"))
        #expect(comparison.differences(live, late).map(\.path) == ["data.time"])
        comparison.lagged(900)
        #expect(comparison.differences(live, late).isEmpty)
        #expect(comparison.differences(late, live).map(\.path) == ["data.time"])
        #expect(comparison.differences(late, live, liveLag: 1_000).isEmpty)
        #expect(comparison.differences(live, position("2026-11-21T09:30:02.000Z")).map(\.path) == ["data.time"])
        #expect(comparison.differences(live, position("2026-11-21T09:30:00.000Z", latitude: 3)).count == 1)
    }

    @Test("an id of the candidate's stands for one of the live service's, for good and for no other")
    func twins() {
        var comparison = Comparison(Self.rules)
        #expect(comparison.differences(delivery(one), delivery(other)).isEmpty)
        #expect(comparison.differences(delivery(one), delivery(other)).isEmpty)
        #expect(comparison.differences(delivery(one), delivery(third)).map(\.path) == ["data.delivery"])
        #expect(comparison.differences(delivery(third), delivery(other)).map(\.path) == ["data.delivery"])
        let ask: JSONValue = ["delivery": .string(one), "link": .string("/deliveries/\(one)"), "count": 1]
        let given: JSONValue = ["delivery": .string(other), "link": .string("/deliveries/\(other)"), "count": 1]
        #expect(comparison.twins.translated(ask) == given)
    }

    @Test("a pay code, and a session's token and its digest, are each side's own")
    func secrets() {
        func issued(_ code: String) -> ComparedAnswer {
            ComparedAnswer(
                type: "payments.code.issue.v1.reply",
                data: ["code": .string(code), "typed": .string("typed \(code)"), "expires": "2026-11-21T09:31:00.000Z"])
        }
        func opened(_ token: String) -> ComparedAnswer {
            ComparedAnswer(type: "auth.session.open.v1.reply", data: ["token": .string(token)])
        }
        var comparison = Comparison(Self.rules)
        #expect(comparison.differences(issued("live"), issued("shadow")).isEmpty)
        #expect(comparison.differences(issued("live"), issued("another")).map(\.path) == ["data.code", "data.typed"])
        #expect(comparison.twins.translated(["code": "typed live"]) == ["code": "typed shadow"])
        #expect(comparison.differences(opened("live"), opened("shadow")).isEmpty)
        let digests: (live: JSONValue, shadow: JSONValue) = (
            "247610f4dedd4ab7247d07dbda19c81ca9817f85820742cad49d407ffae9e4ed",
            "0bb09d80600eec3eb9d7793a6f859bedde2a2d83899b70bd78e961ed674b32f4"
        )
        #expect(comparison.twins.translated(["tokenDigest": digests.live]) == ["tokenDigest": digests.shadow])
    }

    @Test("an id that a client gave has no twin, and a wrong answer makes none")
    func given() {
        var comparison = Comparison(Self.rules)
        comparison.give(Array(#"{"place":"\#(one)"}"#.utf8))
        #expect(comparison.differences(place(one), place(other)).map(\.path) == ["data.place"])
        #expect(comparison.differences(place(third), place(other, name: "Birch")).map(\.path) == ["data.name"])
        #expect(comparison.twins.translated(third) == third)
    }

    @Test("of what a service tells people in its own words only the kind, the link and the moment are compared")
    func prose() {
        func inbox(_ title: String, kind: String) -> ComparedAnswer {
            let notice: JSONValue = [
                "notice": .string(one), "number": 1, "kind": .string(kind), "title": .string(title), "text": "x",
                "time": "2026-11-21T09:30:00.000Z"
            ]
            return ComparedAnswer(
                type: "notifications.inbox.read.v1.reply", data: ["notices": [notice], "head": 1, "unread": 1])
        }
        var comparison = Comparison(Self.rules)
        #expect(comparison.differences(inbox("Paid", kind: "payment"), inbox("You paid", kind: "payment")).isEmpty)
        let found = comparison.differences(inbox("Paid", kind: "payment"), inbox("Paid", kind: "refund"))
        #expect(found.map(\.kind) == ["data.notices[].kind"])
        #expect(!comparison.differences(inbox("Paid", kind: "payment"), inbox("", kind: "payment")).isEmpty)
    }

    @Test("what is asked of the process itself is left out, and nothing else")
    func leftOut() {
        let types = Catalogue.asks.map { $0.type.name }
        #expect(
            types.filter { $0.hasPrefix("location.") && AnswerRules.leavesOut($0) }.sorted() == [
                "location.backup.write.v1", "location.facts.read.v1", "location.spans.read.v1",
                "location.state.follow.v1", "location.state.read.v1", "location.state.seal.v1", "location.stats.read.v1"
            ])
        #expect(!AnswerRules.leavesOut("location.position.read.v1"))
    }
}
