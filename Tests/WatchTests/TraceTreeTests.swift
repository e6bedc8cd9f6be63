import Bus
import Contracts
import Primitives
import Testing
import Watch
import Wire

@Suite("a trace's tree")
struct TraceTreeTests {
    private static let start: Int64 = 1_795_253_400_000_000

    private func id(_ number: UInt64) -> MessageID { MessageID(high: 7, low: number) }

    private func span(
        _ number: UInt64, after parent: UInt64?, of correlation: UInt64 = 1, _ name: String, at offset: Int64 = 0,
        status: Int? = nil
    ) -> TracePoint {
        TracePoint(
            Span(
                id: id(number), parent: parent.map(id), correlation: id(correlation), trace: nil, name: name,
                startMicroseconds: Self.start + offset, microseconds: 800, fault: nil, status: status),
            of: String(name.prefix { $0 != "." }))
    }

    private func fact(_ sequence: Int64, after parent: String, _ type: String, atMilliseconds: Int64 = 0) throws
        -> TracePoint
    {
        let source = String(type.prefix { $0 != "." })
        return try #require(
            TracePoint(
                Envelope(
                    id: "\(source)-\(sequence)", source: source, type: type,
                    time: Timestamp(milliseconds: Self.start / 1000 + atMilliseconds), correlationID: id(1).hex,
                    causationID: parent, sequence: sequence, data: Array(#"{"entry":9,"pin":"1234"}"#.utf8))))
    }

    @Test("hangs together by causes, in the order of time, whatever order it came in")
    func causes() throws {
        let points = [
            try fact(3, after: "wallet-8", "payments.charge.captured.v1", atMilliseconds: 4),
            span(3, after: 2, "wallet.payment.post.v1", at: 300),
            try fact(8, after: id(3).hex, "wallet.payment.posted.v1"),
            span(1, after: nil, "POST /v1/payments", status: 201),
            span(2, after: nil, "payments.payment.create.v1", at: 100),
            // Read twice.
            try fact(8, after: id(3).hex, "wallet.payment.posted.v1")
        ]
        let tree = try #require(TraceTree.trees(of: points).first)
        let lines = tree.text(colour: false, isWhole: false).split(separator: "\n").map(String.init)
        #expect(lines.count == 6)
        #expect(lines[0] == "trace \(id(1).hex)  began 2026-11-21T09:30:00.000Z")
        #expect(lines[1].hasPrefix("POST /v1/payments ") && lines[1].hasSuffix("800 µs  201"))
        #expect(lines[2].hasPrefix("└─ payments.payment.create.v1 ") && lines[2].contains("+100 µs"))
        #expect(lines[3].hasPrefix("   └─ wallet.payment.post.v1 "))
        #expect(lines[4].hasPrefix("      └─ wallet.payment.posted.v1 #8 ") && lines[4].hasSuffix("entry=9 pin=•••"))
        #expect(lines[5].hasPrefix("         └─ payments.charge.captured.v1 #3 ") && lines[5].contains("+4.00 ms"))
        #expect(!tree.json.text.contains("1234"))
    }

    @Test("what is not remembered leaves what it led to")
    func forgotten() throws {
        let tree = try #require(TraceTree.trees(of: [try fact(8, after: id(3).hex, "wallet.payment.posted.v1")]).first)
        #expect(tree.root.point == nil && tree.root.children.count == 1)
        #expect(tree.text(colour: false, isWhole: false).contains("not remembered any more"))
    }

    @Test("causes that go round in a circle end")
    func circle() {
        let points = [span(2, after: 3, "a.b.c.v1"), span(3, after: 2, "a.b.d.v1"), span(4, after: 4, "a.b.e.v1")]
        let trees = TraceTree.trees(of: points)
        #expect(trees.count == 1)
        let text = trees[0].text(colour: false, isWhole: false)
        for name in ["a.b.c.v1", "a.b.d.v1", "a.b.e.v1"] { #expect(text.contains(name)) }
    }

    @Test("each correlation has a tree of its own, the oldest first")
    func several() {
        let trees = TraceTree.trees(of: [
            span(5, after: nil, of: 5, "a.b.c.v1", at: 900), span(6, after: nil, of: 6, "a.b.c.v1", at: 100)
        ])
        #expect(trees.map(\.correlation) == [id(6), id(5)])
    }

    @Test("ids that are none stand for themselves, always the same")
    func foreign() {
        let one = MessageID(standingFor: "till-7/42")
        #expect(one == MessageID(standingFor: "till-7/42") && one != MessageID(standingFor: "till-7/43"))
        #expect(MessageID(standingFor: id(3).hex) == id(3))
    }
}
