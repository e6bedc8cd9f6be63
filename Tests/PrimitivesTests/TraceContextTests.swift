import Primitives
import Testing

@Suite("A trace context")
struct TraceContextTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let parent = "00-\(trace)-00f067aa0ba902b7-01"

    @Test("is read, and written with another span")
    func valid() throws {
        let context = try #require(TraceContext(Self.parent))
        #expect(context.trace.hex == Self.trace && context.flags == 1)
        #expect(context.traceparent(span: 0xB7) == "00-\(Self.trace)-00000000000000b7-01")
        #expect(context.traceparent(span: 0) == "00-\(Self.trace)-0000000000000001-01")
        #expect(TraceID(traceparent: Self.parent)?.hex == Self.trace)
    }

    @Test(
        "of a later version may go on",
        arguments: [("01-\(trace)-00f067aa0ba902b7-01-more", true), ("01-\(trace)-00f067aa0ba902b7-01more", false)])
    func later(text: String, isValid: Bool) { #expect((TraceContext(text) != nil) == isValid) }

    @Test(
        "is refused where it breaks the standard",
        arguments: [
            "", "00-nonsense", parent + "-", parent + "0", String(parent.dropLast()),
            "ff-\(trace)-00f067aa0ba902b7-01", "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-\(trace)-0000000000000000-01", "00-\(trace)-00F067AA0BA902B7-01", "00-\(trace)_00f067aa0ba902b7-01",
            "00-\(trace)-00f067aa0ba902b7-0x"
        ])
    func invalid(text: String) { #expect(TraceContext(text) == nil) }

    @Test("goes on with the client's trace, sampled unless the client says that it is not")
    func continued() throws {
        let own = try #require(TraceID("000102030405060708090a0b0c0d0e0f"))
        #expect(TraceContext(continuing: nil, orBeginning: own) == TraceContext(trace: own, flags: 1))
        #expect(TraceContext(continuing: "nonsense", orBeginning: own).trace == own)
        let unsampled = TraceContext(continuing: "00-\(Self.trace)-00f067aa0ba902b7-02", orBeginning: own)
        #expect(unsampled.trace.hex == Self.trace && unsampled.flags == 0)
    }
}
