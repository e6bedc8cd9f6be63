import BasicContainers

/// Writes compact RFC 8259 JSON.
///
/// The caller opens and closes what it writes; the last byte says whether a comma is due, so there is no other state.
/// The text grows in a `UniqueArray`, which does not look for other owners at each of an envelope's many pieces.
@usableFromInline
package struct JSONWriter: ~Copyable {
    private var text: UniqueArray<UInt8>

    @usableFromInline
    package init(capacity: Int = 512) { text = UniqueArray(minimumCapacity: capacity) }

    /// A copy of what is written.
    @usableFromInline
    package var bytes: [UInt8] { text.span.withUnsafeBufferPointer { Array($0) } }

    /// The length of what is written, in bytes.
    package var count: Int { text.count }

    // MARK: Structure

    package mutating func beginObject() {
        beginValue()
        text.append(UInt8(ascii: "{"))
    }

    package mutating func endObject() { text.append(UInt8(ascii: "}")) }

    @usableFromInline
    package mutating func beginArray() {
        beginValue()
        text.append(UInt8(ascii: "["))
    }

    @usableFromInline
    package mutating func endArray() { text.append(UInt8(ascii: "]")) }

    /// A key that needs no escaping (every key of a message).
    @usableFromInline
    package mutating func key(_ name: StaticString) {
        let count = name.utf8CodeUnitCount
        beginValue()
        plain(countMax: count + 3) { start in
            start[0] = UInt8(ascii: "\"")
            (start + 1).update(from: name.utf8Start, count: count)
            start[count + 1] = UInt8(ascii: "\"")
            start[count + 2] = UInt8(ascii: ":")
            return count + 3
        }
    }

    package mutating func key(_ name: String) {
        string(name)
        text.append(UInt8(ascii: ":"))
    }

    // MARK: Values

    package mutating func null() { raw("null") }

    package mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }

    package mutating func integer(_ value: some FixedWidthInteger) { integer(Int64(value)) }

    package mutating func integer(_ value: Int64) {
        beginValue()
        if value < 0 { text.append(UInt8(ascii: "-")) }
        // Int64.min has 19 digits.
        plain(countMax: 19) { start in
            var rest = value.magnitude
            var count = 0
            repeat {
                start[count] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                count += 1
                rest /= 10
            } while rest > 0
            var digits = UnsafeMutableBufferPointer(start: start, count: count)
            digits.reverse()
            return count
        }
    }

    package mutating func string(_ value: String) {
        var value = value
        value.withUTF8 { utf8 in
            guard isPlain(utf8) else { return escaped(utf8) }
            plainString(countMax: utf8.count) { start in
                if let plain = utf8.baseAddress { start.update(from: plain, count: utf8.count) }
                return utf8.count
            }
        }
    }

    /// A string whose bytes are known to need no escape: identifiers, times, types.
    ///
    /// - Parameter write: puts at most `countMax` bytes where it is told to, and returns how many.
    @inline(__always)
    package mutating func plainString(countMax: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
        beginValue()
        plain(countMax: countMax + 2) { start in
            start[0] = UInt8(ascii: "\"")
            let count = write(start + 1)
            precondition(count <= countMax)
            start[count + 1] = UInt8(ascii: "\"")
            return count + 2
        }
    }

    /// A string of another text, as it is written there, and what is to stand behind it, which needs no escape.
    package mutating func string(_ place: JSONString, of source: [UInt8], then ending: StaticString = "") {
        quoted { text in
            text.append(copying: source[place.range])
            text.append(copying: UnsafeBufferPointer(start: ending.utf8Start, count: ending.utf8CodeUnitCount))
        }
    }

    /// JSON that is already written, taken as one value.
    package mutating func json(_ value: [UInt8]) {
        beginValue()
        text.append(copying: value)
    }

    /// JSON that is already written, taken as one value.
    package mutating func json(_ value: ArraySlice<UInt8>) {
        beginValue()
        text.append(copying: value)
    }

    // MARK: Parts

    /// Writes the comma before a key or a value, where one belongs.
    @inline(__always)
    private mutating func beginValue() {
        guard !text.isEmpty else { return }
        switch text[text.count - 1] {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"): break
        default: text.append(UInt8(ascii: ","))
        }
    }

    /// Appends at most `countMax` bytes, which `write` puts where it is told to.
    ///
    /// - Parameter write: returns how many bytes it put.
    @inline(__always)
    private mutating func plain(countMax: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
        text.append(addingCount: countMax) { room in
            room.withUnsafeMutableBufferPointer { room, count in
                guard let start = room.baseAddress else { return }
                count = write(start)
                precondition(count <= countMax)
            }
        }
    }

    @inline(__always)
    private mutating func quoted(_ write: (inout UniqueArray<UInt8>) -> Void) {
        beginValue()
        text.append(UInt8(ascii: "\""))
        write(&text)
        text.append(UInt8(ascii: "\""))
    }

    private mutating func raw(_ literal: StaticString) {
        beginValue()
        text.append(copying: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    private mutating func escaped(_ utf8: UnsafeBufferPointer<UInt8>) {
        quoted { text in
            for byte in utf8 {
                guard byte < 0x20 || byte == 0x22 || byte == 0x5C else {
                    text.append(byte)
                    continue
                }
                text.append(UInt8(ascii: "\\"))
                switch byte {
                case 0x22, 0x5C: text.append(byte)
                case 0x08: text.append(UInt8(ascii: "b"))
                case 0x09: text.append(UInt8(ascii: "t"))
                case 0x0A: text.append(UInt8(ascii: "n"))
                case 0x0C: text.append(UInt8(ascii: "f"))
                case 0x0D: text.append(UInt8(ascii: "r"))
                default:
                    for byte in "u00".utf8 { text.append(byte) }
                    text.append(hexDigit(byte >> 4))
                    text.append(hexDigit(byte & 15))
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

/// Lowercase hexadecimal digits, two for each byte.
package func hexDigits(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.flatMap { [hexDigit($0 >> 4), hexDigit($0 & 15)] }, as: UTF8.self)
}
