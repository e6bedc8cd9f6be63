/// A cursor over one strict RFC 8259 JSON text.
///
/// Reads what it is told to expect and throws on anything else; it copies nothing but the strings asked for. The bytes
/// must outlive it, so make one inside `withUnsafeBytes` only (`JSONReader.read`).
@usableFromInline
package struct JSONReader {
    /// Nesting allowed. No message is deeper than 6; 32 leaves room and keeps the stack bounded.
    package static let depthMax = 32

    private let bytes: UnsafePointer<UInt8>
    private let count: Int
    private var depth = 0
    /// Where the object being read begins.
    private var objectStart = 0
    /// Offset of the next byte to read.
    package private(set) var offset = 0

    @usableFromInline
    package init(_ text: UnsafeRawBufferPointer) {
        // An empty buffer has no address; every read checks `count` first.
        bytes = text.assumingMemoryBound(to: UInt8.self).baseAddress ?? UnsafePointer(bitPattern: 1)!
        count = text.count
    }

    /// Reads one whole text: UTF-8 is checked first, and nothing but white space may follow.
    @inlinable
    package static func read<Value>(
        _ text: [UInt8], _ body: (inout JSONReader) throws(WireError) -> Value
    ) throws(WireError) -> Value {
        let result: Result<Value, WireError> = text.withUnsafeBytes { text in
            do throws(WireError) {
                var reader = try JSONReader(checked: text)
                let value = try body(&reader)
                try reader.end()
                return .success(value)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// The same for a part of an array.
    @inlinable
    package static func read<Value>(
        _ text: ArraySlice<UInt8>, _ body: (inout JSONReader) throws(WireError) -> Value
    ) throws(WireError) -> Value {
        let result: Result<Value, WireError> = text.withUnsafeBytes { text in
            do throws(WireError) {
                var reader = try JSONReader(checked: text)
                let value = try body(&reader)
                try reader.end()
                return .success(value)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// - Throws: when the text is not UTF-8.
    @usableFromInline
    init(checked text: UnsafeRawBufferPointer) throws(WireError) {
        guard isUTF8(text) else { throw WireError(.notUTF8) }
        self.init(text)
    }

    // MARK: Structure

    /// Calls `field` with each key of the object; `field` must read exactly the value.
    @usableFromInline
    package mutating func object(
        _ field: (JSONKey, inout JSONReader) throws(WireError) -> Void
    ) throws(WireError) {
        try open(UInt8(ascii: "{"), expected: .object)
        if closes(UInt8(ascii: "}")) { return }
        let outer = objectStart
        objectStart = offset
        repeat {
            let key = try key()
            guard next() == UInt8(ascii: ":") else { throw malformed() }
            offset += 1
            try field(key, &self)
        } while try another(until: UInt8(ascii: "}"))
        objectStart = outer
    }

    /// Refuses the object being read if it has any key twice, by reading it once more. For fields that are `null`: the
    /// slot of one stays empty, and cannot tell that the key came before or comes again.
    @usableFromInline
    func refuseRepeatedKeys() throws(WireError) {
        var again = self
        again.offset = objectStart
        var seen: Set<String> = []
        repeat {
            let key = try again.key().string
            guard seen.insert(key).inserted else { throw WireError(.duplicateKey, path: key) }
            guard again.next() == UInt8(ascii: ":") else { throw again.malformed() }
            again.offset += 1
            _ = try again.skip()
        } while try again.another(until: UInt8(ascii: "}"))
    }

    /// Calls `element` once per element of the array; `element` must read exactly one value.
    @usableFromInline
    package mutating func array(_ element: (inout JSONReader) throws(WireError) -> Void) throws(WireError) {
        try open(UInt8(ascii: "["), expected: .array)
        if closes(UInt8(ascii: "]")) { return }
        repeat { try element(&self) } while try another(until: UInt8(ascii: "]"))
    }

    /// What kind of value comes next, without reading it.
    package mutating func peek() throws(WireError) -> JSONTypeName {
        switch next() {
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .boolean
        case UInt8(ascii: "n"): return .null
        case .some(let byte) where byte == UInt8(ascii: "-") || byte &- UInt8(ascii: "0") < 10: return .integer
        default: throw malformed()
        }
    }

    /// Passes over one value of any kind and returns where it lies.
    package mutating func skip() throws(WireError) -> Range<Int> {
        let kind = try peek()
        let start = offset
        switch kind {
        case .object: try object { _, reader throws(WireError) in _ = try reader.skip() }
        case .array: try array { reader throws(WireError) in _ = try reader.skip() }
        case .string:
            let span = try stringSpan()
            let slice = UnsafeBufferPointer(start: bytes + span.range.lowerBound, count: span.range.count)
            if span.escaped, unescape(slice) == nil { throw WireError(.notUTF8) }
        case .boolean: _ = try bool()
        case .null: try literal("null")
        case .integer: _ = try numberSpan()
        }
        return start..<offset
    }

    /// Passes over one value without judging what is in it, and returns where it lies: for a value that is kept as it
    /// was written, and read strictly when somebody wants it. Three times as fast as `skip`.
    @usableFromInline
    package mutating func pass() throws(WireError) -> Range<Int> {
        guard let first = next() else { throw malformed() }
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return try skip() }
        let start = offset
        var open = 0
        while offset < count {
            switch bytes[offset] {
            case UInt8(ascii: "\""):
                _ = try stringSpan()
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): open += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                open -= 1
                if open == 0 {
                    offset += 1
                    return start..<offset
                }
            default: break
            }
            offset += 1
        }
        throw malformed()
    }

    /// The bytes of a part of the text.
    package func copy(_ range: Range<Int>) -> [UInt8] {
        Array(UnsafeBufferPointer(start: bytes + range.lowerBound, count: range.count))
    }

    /// All of the text: for values that keep parts of it, at the places at which they lie.
    package var text: [UInt8] { Array(UnsafeBufferPointer(start: bytes, count: count)) }

    // MARK: Values

    @usableFromInline
    package mutating func bool() throws(WireError) -> Bool {
        switch next() {
        case UInt8(ascii: "t"):
            try literal("true")
            return true
        case UInt8(ascii: "f"):
            try literal("false")
            return false
        default: throw WireError(.wrongType(expected: .boolean))
        }
    }

    /// True, having read it, when the next value is `null`.
    @usableFromInline
    package mutating func null() throws(WireError) -> Bool {
        guard next() == UInt8(ascii: "n") else { return false }
        try literal("null")
        return true
    }

    /// A whole number as written: no fraction, no exponent (`1e2` and `100.0` are refused).
    @usableFromInline
    package mutating func integer() throws(WireError) -> Int64 {
        guard try peek() == .integer else { throw WireError(.wrongType(expected: .integer)) }
        let span = try numberSpan()
        guard span.isInteger else { throw WireError(.notAnInteger) }
        var at = span.range.lowerBound
        let negative = bytes[at] == UInt8(ascii: "-")
        if negative { at += 1 }
        var value: Int64 = 0
        while at < span.range.upperBound {
            let digit = Int64(bytes[at] - UInt8(ascii: "0"))
            let (shifted, high) = value.multipliedReportingOverflow(by: 10)
            let (sum, over) =
                negative ? shifted.subtractingReportingOverflow(digit) : shifted.addingReportingOverflow(digit)
            guard !high, !over else { throw WireError(.outOfRange) }
            value = sum
            at += 1
        }
        return value
    }

    @usableFromInline
    package mutating func string() throws(WireError) -> String {
        if let plain = try plainText() { return String(decoding: plain, as: UTF8.self) }
        return try text { $0.string }
    }

    /// Gives `body` the string's characters without copying them where it has no escape.
    package mutating func text<Value>(_ body: (JSONText) throws(WireError) -> Value) throws(WireError) -> Value {
        guard next() == UInt8(ascii: "\"") else { throw WireError(.wrongType(expected: .string)) }
        let span = try stringSpan()
        let slice = UnsafeBufferPointer(start: bytes + span.range.lowerBound, count: span.range.count)
        if !span.escaped { return try body(JSONText(utf8: slice)) }
        guard let plain = unescape(slice) else { throw WireError(.notUTF8) }
        let result: Result<Value, WireError> = plain.withUnsafeBufferPointer { buffer in
            do throws(WireError) { return .success(try body(JSONText(utf8: buffer))) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// The next string's characters where they lie in the text; nil, and nothing read, where one is escaped.
    ///
    /// Not generic, as `text(_:)` is: other modules call that one unspecialised, at several times the price.
    @usableFromInline
    package mutating func plainText() throws(WireError) -> UnsafeBufferPointer<UInt8>? {
        guard next() == UInt8(ascii: "\"") else { throw WireError(.wrongType(expected: .string)) }
        let start = offset
        let span = try stringSpan()
        if span.escaped {
            offset = start
            return nil
        }
        return UnsafeBufferPointer(start: bytes + span.range.lowerBound, count: span.range.count)
    }

    /// Where the next string lies, to be copied by who wants it.
    package mutating func place() throws(WireError) -> JSONString {
        guard next() == UInt8(ascii: "\"") else { throw WireError(.wrongType(expected: .string)) }
        let span = try stringSpan()
        let place = JSONString(range: span.range, escaped: span.escaped)
        if span.escaped, unescape(slice(place)) == nil { throw WireError(.notUTF8) }
        return place
    }

    /// The characters of a string of this text where they lie; nil where one is escaped.
    package func plain(_ place: JSONString) -> UnsafeBufferPointer<UInt8>? { place.escaped ? nil : slice(place) }

    package func string(_ place: JSONString) -> String {
        let slice = slice(place)
        // That it can be unescaped was found out when it was read.
        return place.escaped
            ? String(decoding: unescape(slice) ?? [], as: UTF8.self) : String(decoding: slice, as: UTF8.self)
    }

    private func slice(_ place: JSONString) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: bytes + place.range.lowerBound, count: place.range.count)
    }

    @usableFromInline
    package mutating func end() throws(WireError) {
        guard next() == nil else { throw malformed() }
    }

    // MARK: Scanning

    private func malformed() -> WireError { WireError(.notJSON(offset: offset)) }

    /// The next byte that is not white space, not taken.
    @inline(__always)
    private mutating func next() -> UInt8? {
        if offset < count, bytes[offset] > 0x20 { return bytes[offset] }
        return nextBehindSpace()
    }

    @inline(never)
    private mutating func nextBehindSpace() -> UInt8? {
        while offset < count {
            let byte = bytes[offset]
            if byte > 0x20 { return byte }
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
            offset += 1
        }
        return nil
    }

    private mutating func open(_ bracket: UInt8, expected: JSONTypeName) throws(WireError) {
        guard let byte = next() else { throw malformed() }
        guard byte == bracket else { throw WireError(.wrongType(expected: expected)) }
        guard depth < Self.depthMax else { throw WireError(.tooDeep) }
        depth += 1
        offset += 1
    }

    private mutating func closes(_ bracket: UInt8) -> Bool {
        guard next() == bracket else { return false }
        depth -= 1
        offset += 1
        return true
    }

    private mutating func another(until bracket: UInt8) throws(WireError) -> Bool {
        if closes(bracket) { return false }
        guard next() == UInt8(ascii: ",") else { throw malformed() }
        offset += 1
        return true
    }

    private mutating func literal(_ word: StaticString) throws(WireError) {
        let length = word.utf8CodeUnitCount
        guard offset + length <= count else { throw malformed() }
        for index in 0..<length where bytes[offset + index] != word.utf8Start[index] { throw malformed() }
        offset += length
    }

    private mutating func key() throws(WireError) -> JSONKey {
        guard next() == UInt8(ascii: "\"") else { throw malformed() }
        let span = try stringSpan()
        guard !span.escaped else { throw WireError(.escapedKey) }
        return JSONKey(utf8: UnsafeBufferPointer(start: bytes + span.range.lowerBound, count: span.range.count))
    }

    /// From the opening quote to behind the closing one; the range is what lies between them.
    @inline(__always)
    private mutating func stringSpan() throws(WireError) -> (range: Range<Int>, escaped: Bool) {
        let (bytes, start) = (bytes, offset &+ 1)
        var at = start
        // Eight at a time to the first quote, backslash or control character.
        while at &+ 8 <= count {
            let stops = stringStops(UnsafeRawPointer(bytes + at).loadUnaligned(as: UInt64.self))
            guard stops != 0 else {
                at &+= 8
                continue
            }
            at &+= stops.trailingZeroBitCount >> 3
            guard bytes[at] == UInt8(ascii: "\"") else { break }
            offset = at &+ 1
            return (Range(uncheckedBounds: (start, at)), false)
        }
        return try restOfStringSpan(start: start, at: at)
    }

    /// The same from `at` on, for what is rare: escapes, the text's last few bytes, and what is malformed.
    @inline(never)
    private mutating func restOfStringSpan(
        start: Int, at: Int
    ) throws(WireError) -> (range: Range<Int>, escaped: Bool) {
        var at = at
        var escaped = false
        while at < count {
            let byte = bytes[at]
            if byte == UInt8(ascii: "\"") {
                offset = at + 1
                return (start..<at, escaped)
            }
            if byte == UInt8(ascii: "\\") {
                escaped = true
                at += 2
            } else if byte < 0x20 {
                offset = at
                throw malformed()
            } else {
                at += 1
            }
        }
        offset = count
        throw malformed()
    }

    private mutating func numberSpan() throws(WireError) -> (range: Range<Int>, isInteger: Bool) {
        let start = offset
        var isInteger = true
        if bytes[offset] == UInt8(ascii: "-") { offset += 1 }
        let whole = digits()
        guard whole > 0, whole == 1 || bytes[offset - whole] != UInt8(ascii: "0") else { throw malformed() }
        if offset < count, bytes[offset] == UInt8(ascii: ".") {
            offset += 1
            isInteger = false
            guard digits() > 0 else { throw malformed() }
        }
        if offset < count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
            offset += 1
            isInteger = false
            if offset < count, bytes[offset] == UInt8(ascii: "+") || bytes[offset] == UInt8(ascii: "-") { offset += 1 }
            guard digits() > 0 else { throw malformed() }
        }
        return (start..<offset, isInteger)
    }

    private mutating func digits() -> Int {
        let start = offset
        while offset < count, bytes[offset] &- UInt8(ascii: "0") < 10 { offset += 1 }
        return offset - start
    }
}
