/// Writes compact RFC 8259 JSON into one growing buffer.
///
/// The caller opens and closes what it writes; commas are put in by looking at the last byte, so there is no state to
/// keep and nothing to allocate beside the buffer.
@usableFromInline
package struct JSONWriter: Sendable {
    @usableFromInline
    package private(set) var bytes: [UInt8] = []

    @usableFromInline
    package init(capacity: Int = 512) {
        bytes.reserveCapacity(capacity)
    }

    // MARK: Structure

    package mutating func beginObject() {
        separate()
        bytes.append(UInt8(ascii: "{"))
    }

    package mutating func endObject() { bytes.append(UInt8(ascii: "}")) }

    package mutating func beginArray() {
        separate()
        bytes.append(UInt8(ascii: "["))
    }

    package mutating func endArray() { bytes.append(UInt8(ascii: "]")) }

    /// A key that needs no escaping (every key of a message).
    @usableFromInline
    package mutating func key(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        raw(name)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    package mutating func key(_ name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
    }

    // MARK: Values

    package mutating func null() {
        separate()
        raw("null")
    }

    package mutating func bool(_ value: Bool) {
        separate()
        raw(value ? "true" : "false")
    }

    package mutating func integer(_ value: some FixedWidthInteger) {
        separate()
        appendDecimal(Int64(value))
    }

    package mutating func integer(_ value: Int64) {
        separate()
        appendDecimal(value)
    }

    package mutating func string(_ value: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        var value = value
        value.withUTF8 { appendEscaped($0) }
        bytes.append(UInt8(ascii: "\""))
    }

    /// A string whose bytes are known to need no escape: identifiers, times, types.
    package mutating func plainString(_ write: (inout [UInt8]) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        write(&bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// JSON that is already written, taken as one value.
    package mutating func json(_ value: [UInt8]) {
        separate()
        bytes.append(contentsOf: value)
    }

    /// JSON that is already written, taken as one value.
    package mutating func json(_ value: some Collection<UInt8>) {
        separate()
        bytes.append(contentsOf: value)
    }

    // MARK: Parts

    private mutating func separate() {
        switch bytes.last {
        case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"): return
        default: bytes.append(UInt8(ascii: ","))
        }
    }

    private mutating func raw(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func appendDecimal(_ value: Int64) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        var rest = value.magnitude
        let start = bytes.count
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }

    private mutating func appendEscaped(_ utf8: UnsafeBufferPointer<UInt8>) {
        var clean = utf8.startIndex
        for (index, byte) in utf8.enumerated() where byte < 0x20 || byte == 0x22 || byte == 0x5C {
            bytes.append(contentsOf: utf8[clean..<index])
            clean = index + 1
            bytes.append(UInt8(ascii: "\\"))
            switch byte {
            case 0x22, 0x5C: bytes.append(byte)
            case 0x08: bytes.append(UInt8(ascii: "b"))
            case 0x09: bytes.append(UInt8(ascii: "t"))
            case 0x0A: bytes.append(UInt8(ascii: "n"))
            case 0x0C: bytes.append(UInt8(ascii: "f"))
            case 0x0D: bytes.append(UInt8(ascii: "r"))
            default:
                raw("u00")
                bytes.append(hexDigit(byte >> 4))
                bytes.append(hexDigit(byte & 15))
            }
        }
        bytes.append(contentsOf: utf8[clean...])
    }
}

/// The lowercase hexadecimal digit of a value below 16.
package func hexDigit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
}
