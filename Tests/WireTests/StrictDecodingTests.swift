import Testing
import Wire

/// What the general codec, for any `Codable` type, refuses.
@Suite("Strict decoding")
struct StrictDecodingTests {
    private struct Nothing: WireMessage, Equatable {}

    private struct Order: WireMessage, Equatable {
        var count: Int
        var small: Int8?
        var lines: [Line] = []
        var labels: [String: Int64]?
        var nothing: Nothing?
    }
    private struct Line: Codable, Equatable {
        let name: String
        let isGift: Bool?
    }

    private func order(_ text: String) throws(WireError) -> Order { try Order(json: Array(text.utf8)) }

    @Test("a full and a bare one")
    func valid() throws {
        let full = Order(
            count: 1, small: -128, lines: [Line(name: "a", isGift: true), Line(name: "", isGift: nil)],
            labels: ["x": .min], nothing: Nothing())
        #expect(try Order(json: full.json) == full)
        #expect(try order(#"{"count":0,"lines":[]}"#) == Order(count: 0))
        #expect(try order(#"{"count":0,"lines":[],"small":null,"labels":null,"nothing":null}"#) == Order(count: 0))
    }

    @Test("errors name the field, wherever it is")
    func paths() {
        func expect(_ error: WireError, _ text: String, _ location: SourceLocation = #_sourceLocation) {
            #expect(throws: error, sourceLocation: location) { try order(text) }
        }
        expect(WireError(.missingField, path: "count"), #"{"lines":[]}"#)
        expect(WireError(.missingField, path: "lines"), #"{"count":1}"#)
        expect(WireError(.missingField, path: "lines.[1].name"), #"{"count":1,"lines":[{"name":"a"},{}]}"#)
        expect(WireError(.unknownField, path: "extra"), #"{"count":1,"lines":[],"extra":null}"#)
        expect(WireError(.unknownField, path: "lines.[0].extra"), #"{"count":1,"lines":[{"name":"a","extra":1}]}"#)
        expect(WireError(.wrongType(expected: .integer), path: "count"), #"{"count":"1","lines":[]}"#)
        expect(WireError(.wrongType(expected: .integer), path: "count"), #"{"count":null,"lines":[]}"#)
        expect(WireError(.wrongType(expected: .array), path: "lines"), #"{"count":1,"lines":{}}"#)
        expect(WireError(.wrongType(expected: .object), path: "lines.[0]"), #"{"count":1,"lines":[[]]}"#)
        expect(
            WireError(.wrongType(expected: .boolean), path: "lines.[0].isGift"),
            #"{"count":1,"lines":[{"name":"a","isGift":0}]}"#)
        expect(WireError(.notAnInteger, path: "count"), #"{"count":1.0,"lines":[]}"#)
        expect(WireError(.outOfRange, path: "small"), #"{"count":1,"lines":[],"small":128}"#)
        expect(WireError(.outOfRange, path: "small"), #"{"count":1,"lines":[],"small":9223372036854775808}"#)
        expect(WireError(.duplicateKey, path: "labels.a"), #"{"count":1,"lines":[],"labels":{"a":1,"a":2}}"#)
        expect(WireError(.duplicateKey, path: "count"), #"{"count":1,"count":1,"lines":[]}"#)
        expect(WireError(.duplicateKey, path: "small"), #"{"small":null,"count":1,"small":1,"lines":[]}"#)
    }

    @Test("a message without fields is an empty object and nothing else")
    func nothing() throws {
        #expect(String(decoding: Nothing().json, as: UTF8.self) == "{}")
        #expect(try Nothing(json: Array("{}".utf8)) == Nothing())
        #expect(throws: WireError(.unknownField, path: "a")) { try Nothing(json: Array(#"{"a":1}"#.utf8)) }
        for text in ["[]", "1", "null", "true", "\"\"", "1.5"] {
            #expect(throws: WireError(.wrongType(expected: .object))) { try Nothing(json: Array(text.utf8)) }
        }
        #expect(throws: WireError(.unknownField, path: "nothing.a")) {
            try order(#"{"count":1,"lines":[],"nothing":{"a":1}}"#)
        }
    }

    @Test("fields come in any order, and each of many is looked at", arguments: [1, 2, 15, 16, 17, 100])
    func orders(count: Int) throws {
        let names = (0..<count).map { "name\($0)" }
        func labels(_ names: [String], more: String = "") -> String {
            let members = names.map { #""\#($0)":\#(names.firstIndex(of: $0) ?? 0)"# }
            return #"{"lines":[],"labels":{\#(members.joined(separator: ","))},"count":\#(names.count)\#(more)}"#
        }
        for names in [names, names.reversed(), names.shuffled()] {
            let read = try order(labels(names))
            #expect(read.count == count)
            #expect(read.labels == Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, Int64($0)) }))
            #expect(throws: WireError(.duplicateKey, path: "labels.\(names[count - 1])")) {
                try order(labels(names + [names[count - 1]]))
            }
            #expect(throws: WireError(.unknownField, path: "name0")) { try order(labels(names, more: #","name0":0"#)) }
        }
    }

    @Test("descriptions are one sentence that names the field")
    func descriptions() {
        #expect("\(WireError(.missingField, path: "data.amount"))" == "'data.amount' is missing")
        #expect(
            "\(WireError(.notUTF8))"
                == "the message is not valid UTF-8, or has U+0000 or half of a surrogate pair")
        #expect("\(WireError(.tooDeep, path: "a.b"))" == "nested deeper than 32 levels")
        #expect("\(WireError(.missingField, path: "b").inside("a"))" == "'a.b' is missing")
    }
}
