import Glibc

/// Writes compact RFC 8259 JSON into one growing piece of memory of its own.
///
/// The caller opens and closes what it writes; commas are put in by looking at the last byte, so there is no state to
/// keep and nothing to allocate beside that memory. With an array in its place, which looks for other owners and for room at
/// each of an envelope's some fifty pieces, an envelope took nearly twice as long.
@usableFromInline
package struct JSONWriter: ~Copyable {
    private var start: UnsafeMutablePointer<UInt8>
    private var count = 0
    private var capacity: Int

    @usableFromInline
    package init(capacity: Int = 512) {
        self.capacity = max(capacity, 1)
        start = .allocate(capacity: self.capacity)
    }

    deinit { start.deallocate() }

    /// A copy of what is written.
    @usableFromInline
    package var bytes: [UInt8] { Array(UnsafeBufferPointer(start: start, count: count)) }

    // MARK: Structure

    package mutating func beginObject() {
        beginValue(1)
        store(UInt8(ascii: "{"))
    }

    package mutating func endObject() { put(UInt8(ascii: "}")) }

    package mutating func beginArray() {
        beginValue(1)
        store(UInt8(ascii: "["))
    }

    package mutating func endArray() { put(UInt8(ascii: "]")) }

    /// A key that needs no escaping (every key of a message).
    @usableFromInline
    package mutating func key(_ name: StaticString) {
        let length = name.utf8CodeUnitCount
        beginValue(length + 3)
        store(UInt8(ascii: "\""))
        store(name.utf8Start, length)
        store(UInt8(ascii: "\""))
        store(UInt8(ascii: ":"))
    }

    package mutating func key(_ name: String) {
        string(name)
        put(UInt8(ascii: ":"))
    }

    // MARK: Values

    package mutating func null() { raw("null") }

    package mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }

    package mutating func integer(_ value: some FixedWidthInteger) { integer(Int64(value)) }

    package mutating func integer(_ value: Int64) {
        // A sign and 19 digits.
        beginValue(20)
        if value < 0 { store(UInt8(ascii: "-")) }
        var rest = value.magnitude
        var digits = 1
        while rest >= 10 {
            rest /= 10
            digits += 1
        }
        rest = value.magnitude
        count += digits
        for place in 1...digits {
            start[count - place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }

    package mutating func string(_ value: String) {
        var value = value
        value.withUTF8 { utf8 in
            guard isPlain(utf8) else { return escaped(utf8) }
            plainString(countMax: utf8.count) { place in
                if let text = utf8.baseAddress { memcpy(place, text, utf8.count) }
                return utf8.count
            }
        }
    }

    /// A string whose bytes are known to need no escape: identifiers, times, types.
    ///
    /// - Parameter write: puts at most `countMax` bytes where it is told to, and returns how many.
    @inline(__always)
    package mutating func plainString(countMax: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
        beginValue(countMax + 2)
        store(UInt8(ascii: "\""))
        let written = write(start + count)
        precondition(written <= countMax)
        count += written
        store(UInt8(ascii: "\""))
    }

    /// A string of another text, as it is written there, and what is to stand behind it, which needs no escape.
    package mutating func string(_ place: JSONString, of text: [UInt8], then ending: StaticString = "") {
        text.withUnsafeBufferPointer { text in
            let part = UnsafeBufferPointer(rebasing: text[place.range])
            plainString(countMax: part.count + ending.utf8CodeUnitCount) { place in
                if let start = part.baseAddress { memcpy(place, start, part.count) }
                memcpy(place + part.count, ending.utf8Start, ending.utf8CodeUnitCount)
                return part.count + ending.utf8CodeUnitCount
            }
        }
    }

    /// JSON that is already written, taken as one value.
    package mutating func json(_ value: [UInt8]) { value.withUnsafeBufferPointer { json($0) } }

    /// JSON that is already written, taken as one value.
    package mutating func json(_ value: ArraySlice<UInt8>) { value.withUnsafeBufferPointer { json($0) } }

    private mutating func json(_ value: UnsafeBufferPointer<UInt8>) {
        beginValue(value.count)
        if let text = value.baseAddress { store(text, value.count) }
    }

    // MARK: Parts

    /// Writes the comma before a key or a value, where one belongs, and makes room for so many bytes of it.
    @inline(__always)
    private mutating func beginValue(_ bytesMax: Int) {
        reserve(bytesMax + 1)
        if needsComma { store(UInt8(ascii: ",")) }
    }

    private var needsComma: Bool {
        guard count > 0 else { return false }
        return switch start[count - 1] {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"): false
        default: true
        }
    }

    private mutating func raw(_ text: StaticString) {
        beginValue(text.utf8CodeUnitCount)
        store(text.utf8Start, text.utf8CodeUnitCount)
    }

    private mutating func put(_ byte: UInt8) {
        reserve(1)
        store(byte)
    }

    private mutating func escaped(_ utf8: UnsafeBufferPointer<UInt8>) {
        // None takes more than `\u001f`.
        plainString(countMax: utf8.count * 6) { place in
            var end = place
            func put(_ byte: UInt8) {
                end.pointee = byte
                end += 1
            }
            for byte in utf8 {
                guard byte < 0x20 || byte == 0x22 || byte == 0x5C else {
                    put(byte)
                    continue
                }
                put(UInt8(ascii: "\\"))
                switch byte {
                case 0x22, 0x5C: put(byte)
                case 0x08: put(UInt8(ascii: "b"))
                case 0x09: put(UInt8(ascii: "t"))
                case 0x0A: put(UInt8(ascii: "n"))
                case 0x0C: put(UInt8(ascii: "f"))
                case 0x0D: put(UInt8(ascii: "r"))
                default:
                    put(UInt8(ascii: "u"))
                    put(UInt8(ascii: "0"))
                    put(UInt8(ascii: "0"))
                    put(hexDigit(byte >> 4))
                    put(hexDigit(byte & 15))
                }
            }
            return end - place
        }
    }

    // MARK: Memory

    /// Makes room for that many more bytes.
    @inline(__always)
    private mutating func reserve(_ more: Int) {
        if capacity - count < more { grow(more) }
    }

    @inline(never)
    private mutating func grow(_ more: Int) {
        capacity = max(capacity * 2, count + more)
        let grown = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        memcpy(grown, start, count)
        start.deallocate()
        start = grown
    }

    /// Only where there is room.
    @inline(__always)
    private mutating func store(_ byte: UInt8) {
        start[count] = byte
        count += 1
    }

    @inline(__always)
    private mutating func store(_ text: UnsafePointer<UInt8>, _ length: Int) {
        memcpy(start + count, text, length)
        count += length
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
    for place in 0..<utf8.count { rest = rest << 8 | UInt64(start[place]) }
    return stringStops(rest) == 0
}

/// The lowercase hexadecimal digit of a value below 16.
package func hexDigit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
}
