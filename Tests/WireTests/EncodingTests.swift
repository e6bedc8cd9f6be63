import Testing
import Wire

/// The general codec writes any `Codable` type.
@Suite("Encoding")
struct EncodingTests {
    private struct Nothing: Codable, Equatable {}

    /// The compiler writes the values of a case into containers within containers.
    private enum Shape: Codable, Equatable {
        case point
        case line(from: Int, to: Int)
        case group([Shape], name: String?)
    }

    private struct Everything: Codable, Equatable {
        var nothing = Nothing()
        var list: [Nothing] = [Nothing(), Nothing()]
        var lists: [[Int8]] = [[], [1, -2], []]
        var shapes: [Shape] = [.point, .group([.line(from: 1, to: 2), .group([], name: nil)], name: "a"), .point]
        var sparse: [String?] = [nil, "\"", nil]
        var numbers: [Int: Bool] = [7: true]
        var labels: [String: String] = ["a": "b"]
        var last: UInt64 = 9_223_372_036_854_775_807
    }

    /// Asks for its container twice, and goes on with one that it has left.
    private struct Twice: Encodable {
        enum Field: String, CodingKey { case first, inner, second, third }

        func encode(to encoder: any Encoder) throws {
            var one = encoder.container(keyedBy: Field.self)
            try one.encode(1, forKey: .first)
            var inner = one.nestedContainer(keyedBy: Field.self, forKey: .inner)
            try inner.encode("x", forKey: .first)
            var list = inner.nestedUnkeyedContainer(forKey: .second)
            try list.encode(true)
            var deepest = list.nestedContainer(keyedBy: Field.self)
            try deepest.encode(2 as Int16, forKey: .third)
            try list.encodeNil()
            var other = encoder.container(keyedBy: Field.self)
            try other.encode([3], forKey: .second)
            try one.encodeNil(forKey: .third)
        }
    }

    private func text(_ value: some Encodable) -> String {
        var writer = JSONWriter()
        writer.encode(value)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test("every kind of container, and back")
    func everything() throws {
        let written = text(Everything())
        #expect(
            written == #"""
                {"nothing":{},"list":[{},{}],"lists":[[],[1,-2],[]],"shapes":[{"point":{}},{"group":{"_0":[{"line":\#
                {"from":1,"to":2}},{"group":{"_0":[]}}],"name":"a"}},{"point":{}}],"sparse":[null,"\"",null],\#
                "numbers":{"7":true},"labels":{"a":"b"},"last":9223372036854775807}
                """#)
        #expect(try JSONValue(parsing: Array(written.utf8)).decode(Everything.self) == Everything())
    }

    @Test("containers that are left open close when something is written around them")
    func nested() {
        #expect(
            text(Twice())
                == #"{"first":1,"inner":{"first":"x","second":[true,{"third":2},null]},"second":[3],"third":null}"#)
        #expect(text([Twice(), Twice()]).hasPrefix(#"[{"first":1"#))
        #expect(text([Twice(), Twice()]).hasSuffix(#""third":null}]"#))
    }

    @Test("values alone, and several one after the other")
    func scalars() {
        #expect(text("a") == #""a""#)
        #expect(text(-1) == "-1")
        #expect(text(Int?.none) == "null")
        var writer = JSONWriter()
        writer.beginArray()
        for value in [1, 2] { writer.encode([value]) }
        writer.encode(Nothing())
        writer.endArray()
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "[[1],[2],{}]")
        #expect(writer.count == writer.bytes.count)
    }
}
