import Bus
import Contracts
import Primitives
import Testing

@Suite("Spans")
struct SpanRingTests {
    private func ask(
        _ number: Int, correlation: String? = nil, cause: String? = nil, trace: String? = nil
    ) -> Envelope {
        Envelope(
            id: id(number).hex, source: "gateway", type: "wallet.card.read.v1", correlationID: correlation,
            causationID: cause, traceparent: trace.map { "00-\($0)-00f067aa0ba902b7-01" }, data: Array("{}".utf8))
    }

    private func id(_ number: Int) -> MessageID { MessageID(high: 1, low: UInt64(number)) }

    @Test("are found by correlation, trace and message, the newest first")
    func found() throws {
        let ring = SpanRing()
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
        ring.record(ask(1), microseconds: 10, fault: nil)
        ring.record(ask(2, correlation: id(1).hex, cause: id(1).hex, trace: trace), microseconds: 20, fault: .noCard)
        ring.record(ask(3, correlation: "till 7"), microseconds: 30, fault: nil)
        #expect(ring.read(nil, refused: false, limit: 9).map(\.id) == [id(3), id(2), id(1)])
        #expect(ring.read(nil, refused: false, limit: 2).count == 2)
        #expect(ring.read(id(1), refused: false, limit: 9).map(\.id) == [id(2), id(1)])
        #expect(ring.read(MessageID(trace)!, refused: false, limit: 9).map(\.id) == [id(2)])
        #expect(ring.read(MessageID(standingFor: "till 7"), refused: false, limit: 9).map(\.id) == [id(3)])
        let span = try #require(ring.read(id(2), refused: false, limit: 1).first)
        #expect(span.parent == id(1) && span.correlation == id(1) && span.trace?.hex == trace)
        #expect(span.name == "wallet.card.read.v1" && span.microseconds == 20 && span.fault == FaultCode.noCard.code)
        #expect(ring.read(id(1), refused: false, limit: 9).last?.parent == nil)
    }

    @Test("the oldest is forgotten; what was refused is remembered for longer")
    func bounded() throws {
        let ring = SpanRing()
        ring.record(ask(0), microseconds: 1, fault: .noCard)
        ring.record(
            request: "POST /v1/payments", id: id(1), trace: TraceID(high: 2, low: 2), microseconds: 1, status: 402,
            fault: nil)
        for number in 2..<(SpanRing.spansMax + 2) { ring.record(ask(number), microseconds: 1, fault: nil) }
        #expect(ring.read(nil, refused: false, limit: .max).count == SpanRing.spansMax)
        // A refusal that is listed can be looked up, once.
        #expect(ring.read(id(0), refused: false, limit: 9).map(\.id) == [id(0)])
        #expect(ring.read(id(2), refused: false, limit: 9).map(\.id) == [id(2)])
        #expect(ring.read(nil, refused: true, limit: 9).map(\.id) == [id(1), id(0)])
        #expect(ring.read(id(0), refused: true, limit: 9).first?.fault == FaultCode.noCard.code)
    }
}
