/// Writes compact RFC 8259 JSON into an array of bytes.
///
/// The caller opens and closes what it writes; the last byte says whether a comma is due, so there is no other state.
@usableFromInline
package struct JSONWriter {
    /// What is written.
    @usableFromInline
    package private(set) var bytes: [UInt8] = []

    @usableFromInline
    package init(capacity: Int = 512) { bytes.reserveCapacity(capacity) }

    // MARK: Structure

    package mutating func beginObject() {
        beginValue()
        bytes.append(UInt8(ascii: "{"))
    }

    package mutating func endObject() { bytes.append(UInt8(ascii: "}")) }

    @usableFromInline
    package mutating func beginArray() {
        beginValue()
        bytes.append(UInt8(ascii: "["))
    }

    @usableFromInline
    package mutating func endArray() { bytes.append(UInt8(ascii: "]")) }

    /// A key that needs no escaping (every key of a message).
    @usableFromInline
    package mutating func key(_ name: StaticString) {
        beginValue()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    package mutating func key(_ name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
    }

    // MARK: Values

    package mutating func null() { raw("null") }

    package mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }

    package mutating func integer(_ value: some FixedWidthInteger) { integer(Int64(value)) }

    package mutating func integer(_ value: Int64) {
        beginValue()
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        var rest = value.magnitude
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }

    package mutating func string(_ value: String) {
        var value = value
        value.withUTF8 { utf8 in
            guard isPlain(utf8) else { return escaped(utf8) }
            quoted { $0.append(contentsOf: utf8) }
        }
    }

    /// A string whose bytes are known to need no escape: identifiers, times, types.
    ///
    /// - Parameter write: puts at most `countMax` bytes where it is told to, and returns how many.
    @inline(__always)
    package mutating func plainString(countMax: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
        quoted { bytes in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: countMax) { room in
                guard let start = room.baseAddress else { return }
                let written = write(start)
                precondition(written <= countMax)
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: room[..<written]))
            }
        }
    }

    /// A string of another text, as it is written there, and what is to stand behind it, which needs no escape.
    package mutating func string(_ place: JSONString, of text: [UInt8], then ending: StaticString = "") {
        quoted { bytes in
            bytes.append(contentsOf: text[place.range])
            bytes.append(contentsOf: UnsafeBufferPointer(start: ending.utf8Start, count: ending.utf8CodeUnitCount))
        }
    }

    /// JSON that is already written, taken as one value.
    package mutating func json(_ value: [UInt8]) {
        beginValue()
        bytes.append(contentsOf: value)
    }

    /// JSON that is already written, taken as one value.
    package mutating func json(_ value: ArraySlice<UInt8>) {
        beginValue()
        bytes.append(contentsOf: value)
    }

    // MARK: Parts

    /// Writes the comma before a key or a value, where one belongs.
    @inline(__always)
    private mutating func beginValue() {
        switch bytes.last {
        case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"): break
        default: bytes.append(UInt8(ascii: ","))
        }
    }

    @inline(__always)
    private mutating func quoted(_ write: (inout [UInt8]) -> Void) {
        beginValue()
        bytes.append(UInt8(ascii: "\""))
        write(&bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func raw(_ text: StaticString) {
        beginValue()
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func escaped(_ utf8: UnsafeBufferPointer<UInt8>) {
        quoted { bytes in
            for byte in utf8 {
                guard byte < 0x20 || byte == 0x22 || byte == 0x5C else {
                    bytes.append(byte)
                    continue
                }
                bytes.append(UInt8(ascii: "\\"))
                switch byte {
                case 0x22, 0x5C: bytes.append(byte)
                case 0x08: bytes.append(UInt8(ascii: "b"))
                case 0x09: bytes.append(UInt8(ascii: "t"))
                case 0x0A: bytes.append(UInt8(ascii: "n"))
                case 0x0C: bytes.append(UInt8(ascii: "f"))
                case 0x0D: bytes.append(UInt8(ascii: "r"))
                default:
                    bytes.append(contentsOf: [UInt8(ascii: "u"), UInt8(ascii: "0"), UInt8(ascii: "0")])
                    bytes.append(hexDigit(byte >> 4))
                    bytes.append(hexDigit(byte & 15))
                }
            }
        }
    }
}

/// Whether a text needs no escape.
private func isPlain(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = utf8.baseAddress else { return true }
    let raw = UnsafeRawPointer(start)
    var at = 0
    while at + 8 <= utf8.count {
        if stringStops(raw.loadUnaligned(fromByteOffset: at, as: UInt64.self)) != 0 { return false }
        at += 8
    }
    if at == utf8.count { return true }
    // The last eight overlap those before.
    if utf8.count >= 8 { return stringStops(raw.loadUnaligned(fromByteOffset: utf8.count - 8, as: UInt64.self)) == 0 }
    var rest: UInt64 = 0x2020_2020_2020_2020
    for index in 0..<utf8.count { rest = rest << 8 | UInt64(start[index]) }
    return stringStops(rest) == 0
}

/// The lowercase hexadecimal digit of a value below 16.
package func hexDigit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
}
