import Load
import Primitives
import Testing

@Suite("event streams of a load's apps")
struct StreamTests {
    private let charge = ChargeID(high: 0xAB, low: 7)

    private var answer: [UInt8] {
        let data = #"{"notice":"01","number":8,"kind":"request","link":"/charges/\#(charge.hex)"}"#
        let other = #"{"notice":"02","number":9,"kind":"payment","link":"/charges/\#(charge.hex)"}"#
        return Array(
            """
            HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n:\n\n\r\n60\r\nid: 8
            event: notice
            data: \(data)\n\n\r\n60\r\nid: 9
            event: notice
            data: \(other)\n\n\r\n10\r\nevent: closed
            data: {}\n\n\r\n
            """.utf8)
    }

    @Test("the head opens a stream; events are read whatever pieces they come in", arguments: [1, 7, 64, 4096])
    func pieces(size: Int) {
        var text = StreamText()
        var events: [StreamText.Event] = []
        for start in stride(from: 0, to: answer.count, by: size) {
            events += text.take(answer[start..<min(start + size, answer.count)])
        }
        #expect(events == [.opened, .notice(8, charge), .notice(9, nil), .closed])
    }

    @Test("a refusal opens nothing")
    func refused() {
        var text = StreamText()
        #expect(text.take(Array("HTTP/1.1 429 Too Many Requests\r\n".utf8)[...]) == [.refused])
    }

    // MARK: The verdict

    /// A run of sessions of apps in which each customer has two streams, which have told everything.
    private func evidence() -> Evidence {
        var evidence = World().evidence
        var streams = StreamEvidence(streams: 6, customers: 3)
        let scenario = ScenarioList.names.firstIndex(of: "app")!
        for number in 0..<evidence.journal.count {
            evidence.journal[number].scenario = UInt8(scenario)
            let intent = evidence.journal[number]
            guard intent.outcome == .acknowledged, intent.kind == .payment else { continue }
            for stream in streams.streams(ofCustomer: Int(intent.card)) { streams.tell(intent.charge, on: stream) }
        }
        evidence.streams = streams
        return evidence
    }

    private func findings(_ evidence: Evidence) -> [String] {
        Verdict.reach(evidence).checks.first { $0.name == "streams_told" }?.findings ?? ["no such check"]
    }

    @Test("all told, once, and to the right ones: nothing is found")
    func right() {
        let evidence = evidence()
        #expect(findings(evidence) == [])
        #expect(Verdict.reach(evidence).checks.first { $0.name == "streams_told" }?.examined == 20)
        #expect(Verdict.reach(World().evidence).checks.contains { $0.name == "streams_told" } == false)
    }

    @Test("what a stream was not told of, was told twice, or was told of others is found")
    func wrong() {
        var silent = evidence()
        silent.streams = StreamEvidence(streams: 6, customers: 3)
        #expect(findings(silent).count == 20)
        var twice = evidence()
        twice.streams?.tell(World.charge(4), on: 4)
        #expect(findings(twice) == ["stream #4 was told of charge \(World.charge(4).hex) more than once"])
        var other = evidence()
        other.streams?.tell(World.charge(4), on: 0)
        #expect(
            findings(other) == [
                "stream #0 of customer #0 was told of charge \(World.charge(4).hex), which is customer #1's"
            ])
    }
}
