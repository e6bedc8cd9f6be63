import Wire

/// A trace that a request belongs to, as a W3C `traceparent` has it (Trace Context level 1, section 3.2).
package struct TraceContext: Hashable, Sendable {
    package let trace: TraceID
    package let flags: UInt8

    package init(trace: TraceID, flags: UInt8) {
        self.trace = trace
        self.flags = flags
    }

    /// Goes on with the client's trace; begins one where there is none, or none that is valid (section 4.3). Sampled
    /// unless the client says that it is not.
    package init(continuing traceparent: String?, orBeginning trace: TraceID) {
        let parent = traceparent.flatMap { TraceContext($0) }
        self.init(trace: parent?.trace ?? trace, flags: (parent?.flags ?? 1) & 1)
    }

    /// Nil for whatever is not valid.
    package init?(_ traceparent: String) {
        var traceparent = traceparent
        guard let parsed = traceparent.withUTF8({ TraceContext(utf8: $0) }) else { return nil }
        self = parsed
    }

    /// version "-" trace-id "-" parent-id "-" flags: 2, 32, 16 and 2 lowercase hex digits. A later version may go on
    /// behind another dash.
    package init?(utf8 text: UnsafeBufferPointer<UInt8>) {
        let dash = UInt8(ascii: "-")
        guard text.count >= 55, text[2] == dash, text[35] == dash, text[52] == dash,
            let version = hexNumber(text, 0..<2), version != 0xFF,
            text.count == 55 || (version > 0 && text[55] == dash),
            let trace = TraceID(hex: UnsafeBufferPointer(rebasing: text[3..<35])), trace.high | trace.low != 0,
            let parent = hexNumber(text, 36..<52), parent != 0, let flags = hexNumber(text, 53..<55)
        else { return nil }
        self.init(trace: trace, flags: UInt8(flags))
    }

    /// - Parameter span: the parent-id, which may not be zero (section 3.2.2.4): 1 stands for it.
    package func traceparent(span: UInt64) -> String {
        var text = Array("00-".utf8)
        text.reserveCapacity(55)
        trace.appendHex(to: &text)
        text.append(UInt8(ascii: "-"))
        appendHex(span == 0 ? 1 : span, digits: 16, to: &text)
        text.append(UInt8(ascii: "-"))
        appendHex(UInt64(flags), digits: 2, to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}

extension TraceID {
    /// The trace of a `traceparent`; nil where it is none.
    package init?(traceparent: String) {
        guard let context = TraceContext(traceparent) else { return nil }
        self = context.trace
    }
}

private func hexNumber(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> UInt64? {
    var value: UInt64 = 0
    for byte in text[range] {
        guard let digit = hexValue(byte), byte | 0x20 == byte else { return nil }
        value = value << 4 | UInt64(digit)
    }
    return value
}

private func appendHex(_ value: UInt64, digits: Int, to text: inout [UInt8]) {
    for position in stride(from: digits - 1, through: 0, by: -1) {
        text.append(hexDigit(UInt8(truncatingIfNeeded: value >> UInt64(4 * position) & 15)))
    }
}
