import Primitives
import Sodium
import Wire

/// A request's place in a W3C trace (Trace Context, section 3.2.2).
struct TraceContext: Sendable {
    /// The gateway's own `traceparent`: handed on with every ask, and told to the client as `traceresponse`.
    let traceparent: String
    let trace: TraceID

    /// Goes on with the client's trace; begins one called `trace` where there is none, or none that is valid.
    init(continuing parent: String?, trace: TraceID, span: UInt64) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(55)
        bytes.append(contentsOf: [UInt8(ascii: "0"), UInt8(ascii: "0"), UInt8(ascii: "-")])
        let known = parent.flatMap { TraceContext.parse($0) }
        self.trace = known?.trace ?? trace
        self.trace.appendHex(to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        // The standard forbids zero.
        let span = span == 0 ? 1 : span
        for shift in stride(from: UInt64(60), through: 0, by: -4) {
            bytes.append(hexDigit(UInt8(truncatingIfNeeded: span >> shift & 15)))
        }
        bytes.append(UInt8(ascii: "-"))
        bytes.append(UInt8(ascii: "0"))
        // Sampled unless the client says that it is not.
        bytes.append(known?.sampled == false ? UInt8(ascii: "0") : UInt8(ascii: "1"))
        traceparent = String(decoding: bytes, as: UTF8.self)
    }

    private static func parse(_ text: String) -> (trace: TraceID, sampled: Bool)? {
        let utf8 = Array(text.utf8.prefix(56))
        func hex(_ range: Range<Int>) -> UInt64? {
            var value: UInt64 = 0
            for byte in utf8[range] {
                guard let digit = hexValue(byte), byte | 0x20 == byte else { return nil }
                value = value << 4 | UInt64(digit)
            }
            return value
        }
        let dash = UInt8(ascii: "-")
        guard utf8.count >= 55, utf8[2] == dash, utf8[35] == dash, utf8[52] == dash, let version = hex(0..<2),
            version != 0xFF, utf8.count == 55 || (version > 0 && utf8[55] == dash),
            let trace = TraceID(hex: utf8[3..<35]), trace.high | trace.low != 0, let span = hex(36..<52), span != 0,
            let flags = hex(53..<55)
        else { return nil }
        return (trace, flags & 1 == 1)
    }
}
