import Glibc

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
        let needsComma = needsComma
        bytes.append(addingCapacity: name.utf8CodeUnitCount + 4) { bytes in
            if needsComma { bytes.append(UInt8(ascii: ",")) }
            bytes.append(UInt8(ascii: "\""))
            bytes.append(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
            bytes.append(UInt8(ascii: "\""))
            bytes.append(UInt8(ascii: ":"))
        }
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
        var value = value
        value.withUTF8 { utf8 in
            let needsComma = needsComma
            guard isPlain(utf8) else {
                separate()
                bytes.append(UInt8(ascii: "\""))
                appendEscaped(utf8)
                return bytes.append(UInt8(ascii: "\""))
            }
            bytes.append(addingCapacity: utf8.count + 3) { bytes in
                if needsComma { bytes.append(UInt8(ascii: ",")) }
                bytes.append(UInt8(ascii: "\""))
                bytes.append(utf8)
                bytes.append(UInt8(ascii: "\""))
            }
        }
    }

    /// A string whose bytes are known to need no escape: identifiers, times, types.
    package mutating func plainString(_ write: (inout [UInt8]) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        write(&bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// A string of another text, as it is written there, and what is to stand behind it, which needs no escape.
    package mutating func string(_ place: JSONString, of text: [UInt8], then ending: StaticString = "") {
        plainString { bytes in
            text.withUnsafeBufferPointer {
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: $0[place.range]))
            }
            bytes.append(contentsOf: UnsafeBufferPointer(start: ending.utf8Start, count: ending.utf8CodeUnitCount))
        }
    }

    /// JSON that is already written, taken as one value.
    package mutating func json(_ value: [UInt8]) {
        separate()
        bytes.append(contentsOf: value)
    }

    /// JSON that is already written, taken as one value.
    package mutating func json(_ value: ArraySlice<UInt8>) {
        separate()
        value.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    }

    /// JSON that is already written, taken as one value.
    package mutating func json(_ value: some Collection<UInt8>) {
        separate()
        bytes.append(contentsOf: value)
    }

    // MARK: Parts

    private mutating func separate() { if needsComma { bytes.append(UInt8(ascii: ",")) } }

    private var needsComma: Bool {
        switch bytes.last {
        case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"): false
        default: true
        }
    }

    private mutating func raw(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func appendDecimal(_ value: Int64) {
        var rest = value.magnitude
        var digits = 1
        while rest >= 10 {
            rest /= 10
            digits += 1
        }
        rest = value.magnitude
        let count = value < 0 ? digits + 1 : digits
        bytes.append(addingCapacity: count) { bytes in
            bytes.withUnsafeMutableBufferPointer { buffer, initialized in
                let end = initialized + count
                for at in stride(from: end - 1, through: end - digits, by: -1) {
                    buffer[at] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                    rest /= 10
                }
                if value < 0 { buffer[initialized] = UInt8(ascii: "-") }
                initialized = end
            }
        }
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

/// Whether a text needs no escape.
private func isPlain(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    var at = 0
    let raw = UnsafeRawBufferPointer(utf8)
    while at + 8 <= raw.count {
        if stringStops(raw.loadUnaligned(fromByteOffset: at, as: UInt64.self)) != 0 { return false }
        at += 8
    }
    return utf8[at...].allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
}

extension OutputSpan<UInt8> {
    fileprivate mutating func append(_ part: UnsafeBufferPointer<UInt8>) {
        guard let start = part.baseAddress else { return }
        withUnsafeMutableBufferPointer { buffer, initialized in
            precondition(buffer.count - initialized >= part.count)
            memcpy(buffer.baseAddress! + initialized, start, part.count)
            initialized += part.count
        }
    }
}

/// The lowercase hexadecimal digit of a value below 16.
package func hexDigit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
}
