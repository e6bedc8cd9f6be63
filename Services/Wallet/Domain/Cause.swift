import Bus
import Primitives
import Wire

/// What led to a change: carried from the ask into the fact that tells of it.
package struct Cause: Equatable, Sendable {
    /// Longer attributes of a foreign asker are dropped, so that every fact stays far below one envelope.
    package static let attributeBytesMax = 128

    package let correlation: String?
    package let causation: String?
    package let trace: TraceContext?

    package init(correlation: String? = nil, causation: String? = nil, trace: TraceContext? = nil) {
        self.correlation = correlation
        self.causation = causation
        self.trace = trace
    }

    package init(_ ask: Envelope) {
        func kept(_ attribute: String) -> String? {
            attribute.utf8.count <= Self.attributeBytesMax ? attribute : nil
        }
        self.init(
            correlation: kept(ask.correlationID ?? ask.id), causation: kept(ask.id),
            trace: ask.traceparent.flatMap { TraceContext($0) })
    }

    /// The ledger's own doing, such as the end of a hold.
    package static let clock = Cause()
}

/// The part of a W3C `traceparent` (Trace Context level 1, section 3.2) that outlives one hop: trace-id and flags.
package struct TraceContext: Hashable, Sendable {
    package let trace: TraceID
    package let flags: UInt8

    package init(trace: TraceID, flags: UInt8) {
        self.trace = trace
        self.flags = flags
    }

    /// Nil for whatever is not valid: the receiver then goes on without it (section 4.3).
    package init?(_ traceparent: String) {
        var traceparent = traceparent
        let parsed = traceparent.withUTF8 { text -> TraceContext? in
            // version "-" trace-id "-" parent-id "-" flags: 2, 32, 16 and 2 hexadecimal digits.
            let dash = UInt8(ascii: "-")
            guard text.count == 55, text[0] == UInt8(ascii: "0"), text[1] == UInt8(ascii: "0"), text[2] == dash,
                text[35] == dash, text[52] == dash,
                let trace = TraceID(hex: UnsafeBufferPointer(rebasing: text[3..<35])), trace.high | trace.low != 0,
                let high = hexValue(text[53]), let low = hexValue(text[54])
            else { return nil }
            return TraceContext(trace: trace, flags: high << 4 | low)
        }
        guard let parsed else { return nil }
        self = parsed
    }

    /// The `traceparent` of a fact. Its parent-id follows from trace and sequence: a fact has the same bytes whenever
    /// it is written.
    package func traceparent(sequence: Int64) -> String {
        // SplitMix64's finaliser (Steele, Lea and Flood 2014): spreads neighbouring sequences over all 64 bits.
        var span = trace.low ^ UInt64(bitPattern: sequence) &* 0x9E37_79B9_7F4A_7C15
        span = (span ^ span >> 30) &* 0xBF58_476D_1CE4_E5B9
        span = (span ^ span >> 27) &* 0x94D0_49BB_1331_11EB
        span ^= span >> 31
        return String(unsafeUninitializedCapacity: 55) { buffer in
            var text: [UInt8] = Array("00-".utf8)
            text.reserveCapacity(55)
            trace.appendHex(to: &text)
            text.append(UInt8(ascii: "-"))
            // All zero means "no parent" (section 3.2.2.4).
            appendHex(span == 0 ? 1 : span, digits: 16, to: &text)
            text.append(UInt8(ascii: "-"))
            appendHex(UInt64(flags), digits: 2, to: &text)
            return buffer.initialize(fromContentsOf: text)
        }
    }
}

private func appendHex(_ value: UInt64, digits: Int, to text: inout [UInt8]) {
    for position in stride(from: digits - 1, through: 0, by: -1) {
        text.append(hexDigit(UInt8(truncatingIfNeeded: value >> UInt64(4 * position) & 15)))
    }
}
