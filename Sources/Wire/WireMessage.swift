/// What travels as the `data` of an envelope, or as the body of an HTTP request.
///
/// Any `Codable` struct is one. Reading is strict: duplicate keys, unknown fields, missing fields and numbers with a
/// fraction are errors that name the field.
@usableFromInline
package protocol WireMessage: Codable, Sendable {
    func write(to writer: inout JSONWriter)
    static func read(_ reader: inout JSONReader) throws(WireError) -> Self

    /// Reads one whole JSON text, a part of an array.
    ///
    /// A requirement, although no type has its own: so the compiler makes one for each type, without generics.
    init(json text: ArraySlice<UInt8>) throws(WireError)
    /// The message as JSON text; a requirement for the same reason.
    var json: [UInt8] { get }
}

/// A message with a codec of its own, without a tree in between; tests hold it to the same bytes as the general one.
@usableFromInline
package protocol FastCoded: WireMessage {
    func fastWrite(to writer: inout JSONWriter)
    static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self
}

extension WireMessage {
    @usableFromInline
    package func write(to writer: inout JSONWriter) { writer.encode(self) }

    @usableFromInline
    package static func read(_ reader: inout JSONReader) throws(WireError) -> Self {
        try JSONValue.read(&reader).decode(Self.self)
    }

    /// Reads one whole JSON text.
    @inlinable
    package init(json text: [UInt8]) throws(WireError) {
        self = try JSONReader.read(text) { reader throws(WireError) in try Self.read(&reader) }
    }

    @inlinable
    package init(json text: ArraySlice<UInt8>) throws(WireError) {
        self = try JSONReader.read(text) { reader throws(WireError) in try Self.read(&reader) }
    }

    package init(json text: some Collection<UInt8>) throws(WireError) { try self.init(json: Array(text)) }

    @inlinable
    package var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}

extension FastCoded {
    @inlinable
    package func write(to writer: inout JSONWriter) { fastWrite(to: &writer) }
    @inlinable
    package static func read(_ reader: inout JSONReader) throws(WireError) -> Self { try fastRead(&reader) }
}

/// A value with a short form of its own (a number, a string) inside hand-coded messages.
@usableFromInline
package protocol WireValue: Sendable {
    func write(to writer: inout JSONWriter)
    static func read(_ reader: inout JSONReader) throws(WireError) -> Self
}

extension JSONWriter {
    @inlinable
    package mutating func field(_ name: StaticString, _ value: some WireValue) {
        key(name)
        value.write(to: &self)
    }

    /// Absent values are left out, never written as `null`.
    @inlinable
    package mutating func field(_ name: StaticString, _ value: (some WireValue)?) {
        if let value { field(name, value) }
    }
}

extension JSONReader {
    /// Reads the value of `key` into an empty slot; a filled one means that the key came twice.
    @inlinable
    package mutating func take<Value: WireValue>(_ slot: inout Value?, _ key: JSONKey) throws(WireError) {
        guard slot == nil else { throw repeated(key) }
        do throws(WireError) { slot = try Value.read(&self) } catch { throw error.inside(key.string) }
    }

    /// The same for a field that may be absent or `null`.
    @inlinable
    package mutating func takeOptional<Value: WireValue>(_ slot: inout Value?, _ key: JSONKey) throws(WireError) {
        if try null() { return try refuseRepeatedKeys() }
        try take(&slot, key)
    }

    package mutating func take(_ slot: inout JSONString?, _ key: JSONKey) throws(WireError) {
        guard slot == nil else { throw repeated(key) }
        do throws(WireError) { slot = try place() } catch { throw error.inside(key.string) }
    }

    package mutating func takeOptional(_ slot: inout JSONString?, _ key: JSONKey) throws(WireError) {
        if try null() { return try refuseRepeatedKeys() }
        try take(&slot, key)
    }

    /// The same for a string that is made into something else without being a `String` in between.
    ///
    /// - Parameter make: gives nil for what the string may not be; `why` then says what it must be.
    @inlinable
    package mutating func takeOptional<Value>(
        _ slot: inout Value?, _ key: JSONKey, why: StaticString, _ make: (UnsafeBufferPointer<UInt8>) -> Value?
    ) throws(WireError) {
        if try null() { return try refuseRepeatedKeys() }
        guard slot == nil else { throw repeated(key) }
        do throws(WireError) {
            if let plain = try plainText() {
                slot = make(plain)
            } else {
                slot = Array(try string().utf8).withUnsafeBufferPointer(make)
            }
            guard slot != nil else { throw invalid(why) }
        } catch {
            throw error.inside(key.string)
        }
    }

    @usableFromInline
    func invalid(_ why: StaticString) -> WireError { WireError(.invalidValue(why: "\(why)")) }

    @usableFromInline
    func repeated(_ key: JSONKey) -> WireError { WireError(.duplicateKey, path: key.string) }

    @usableFromInline
    package func unknown(_ key: JSONKey) -> WireError { WireError(.unknownField, path: key.string) }
}

/// The field's value, or the error that it is missing.
@inlinable
package func required<Value>(_ value: Value?, _ name: StaticString) throws(WireError) -> Value {
    guard let value else { throw missing(name) }
    return value
}

@usableFromInline
func missing(_ name: StaticString) -> WireError { WireError(.missingField, path: "\(name)") }

/// Cases travel as their names.
extension WireValue where Self: CaseIterable & RawRepresentable, RawValue == String {
    @inlinable
    package func write(to writer: inout JSONWriter) { rawValue.write(to: &writer) }

    @inlinable
    package static func read(_ reader: inout JSONReader) throws(WireError) -> Self {
        guard let value = Self(rawValue: try String.read(&reader)) else { throw notACase }
        return value
    }

    @usableFromInline
    static var notACase: WireError {
        WireError(.invalidValue(why: "must be one of " + allCases.map(\.rawValue).joined(separator: ", ")))
    }
}

extension Bool: WireValue {
    @usableFromInline
    package func write(to writer: inout JSONWriter) { writer.bool(self) }
    @usableFromInline
    package static func read(_ reader: inout JSONReader) throws(WireError) -> Bool { try reader.bool() }
}

extension Int64: WireValue {
    @usableFromInline
    package func write(to writer: inout JSONWriter) { writer.integer(self) }
    @usableFromInline
    package static func read(_ reader: inout JSONReader) throws(WireError) -> Int64 { try reader.integer() }
}

extension String: WireValue {
    @usableFromInline
    package func write(to writer: inout JSONWriter) { writer.string(self) }
    @usableFromInline
    package static func read(_ reader: inout JSONReader) throws(WireError) -> String { try reader.string() }
}

extension Int: WireValue {
    @usableFromInline
    package func write(to writer: inout JSONWriter) { writer.integer(Int64(self)) }
    @usableFromInline
    package static func read(_ reader: inout JSONReader) throws(WireError) -> Int { Int(try reader.integer()) }
}

extension Array: WireValue where Element: WireValue {
    @inlinable
    package func write(to writer: inout JSONWriter) {
        writer.beginArray()
        for element in self { element.write(to: &writer) }
        writer.endArray()
    }

    @inlinable
    package static func read(_ reader: inout JSONReader) throws(WireError) -> [Element] {
        var list: [Element] = []
        try reader.array { reader throws(WireError) in list.append(try Element.read(&reader)) }
        return list
    }
}
