/// What travels as the `data` of an envelope, or as the body of an HTTP request.
///
/// Any `Codable` struct is one. Reading is strict: duplicate keys, unknown fields, missing fields and numbers with a
/// fraction are errors that name the field.
package protocol WireMessage: Codable, Sendable {
    func write(to writer: inout JSONWriter)
    static func read(_ reader: inout JSONReader) throws(WireError) -> Self
}

/// A message on the payment path: its codec is written by hand (30 to 90 times faster than a general one) and held to
/// the same bytes as the general one by tests.
package protocol HandCoded: WireMessage {
    func fastWrite(to writer: inout JSONWriter)
    static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self
}

extension WireMessage {
    package func write(to writer: inout JSONWriter) { JSONValue.encoding(self).write(to: &writer) }

    package static func read(_ reader: inout JSONReader) throws(WireError) -> Self {
        try JSONValue.read(&reader).decode(Self.self)
    }

    /// Reads one whole JSON text.
    package init(json text: some Collection<UInt8>) throws(WireError) {
        self = try JSONReader.read(text) { reader throws(WireError) in try Self.read(&reader) }
    }

    package var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}

extension HandCoded {
    package func write(to writer: inout JSONWriter) { fastWrite(to: &writer) }
    package static func read(_ reader: inout JSONReader) throws(WireError) -> Self { try fastRead(&reader) }
}

/// A value with a short form of its own (a number, a string) inside hand-coded messages.
package protocol WireValue: Sendable {
    func write(to writer: inout JSONWriter)
    static func read(_ reader: inout JSONReader) throws(WireError) -> Self
}

extension JSONWriter {
    package mutating func field(_ name: StaticString, _ value: some WireValue) {
        key(name)
        value.write(to: &self)
    }

    /// Absent values are left out, never written as `null`.
    package mutating func field(_ name: StaticString, _ value: (some WireValue)?) {
        if let value { field(name, value) }
    }

    // The same for strings and numbers without being generic: other modules call the generic ones unspecialised.

    package mutating func field(_ name: StaticString, _ value: String) {
        key(name)
        string(value)
    }

    package mutating func field(_ name: StaticString, _ value: String?) {
        if let value { field(name, value) }
    }

    package mutating func field(_ name: StaticString, _ value: Int64) {
        key(name)
        integer(value)
    }
}

extension JSONReader {
    /// Reads the value of `key` into an empty slot; a filled one means that the key came twice.
    package mutating func take<Value: WireValue>(_ slot: inout Value?, _ key: JSONKey) throws(WireError) {
        guard slot == nil else { throw WireError(.duplicateKey, path: key.string) }
        do throws(WireError) { slot = try Value.read(&self) } catch { throw error.inside(key.string) }
    }

    /// The same for a field that may be absent or `null`.
    package mutating func takeOptional<Value: WireValue>(_ slot: inout Value?, _ key: JSONKey) throws(WireError) {
        if try null() { return try refuseRepeatedKeys() }
        try take(&slot, key)
    }

    // The same for strings and numbers without being generic: other modules call the generic ones unspecialised.

    package mutating func take(_ slot: inout String?, _ key: JSONKey) throws(WireError) {
        guard slot == nil else { throw WireError(.duplicateKey, path: key.string) }
        do throws(WireError) { slot = try string() } catch { throw error.inside(key.string) }
    }

    package mutating func takeOptional(_ slot: inout String?, _ key: JSONKey) throws(WireError) {
        if try null() { return try refuseRepeatedKeys() }
        try take(&slot, key)
    }

    package mutating func take(_ slot: inout Int64?, _ key: JSONKey) throws(WireError) {
        guard slot == nil else { throw WireError(.duplicateKey, path: key.string) }
        do throws(WireError) { slot = try integer() } catch { throw error.inside(key.string) }
    }

    package func unknown(_ key: JSONKey) -> WireError { WireError(.unknownField, path: key.string) }
}

/// The field's value, or the error that it is missing.
package func required<Value>(_ value: Value?, _ name: StaticString) throws(WireError) -> Value {
    guard let value else { throw WireError(.missingField, path: "\(name)") }
    return value
}

extension Bool: WireValue {
    package func write(to writer: inout JSONWriter) { writer.bool(self) }
    package static func read(_ reader: inout JSONReader) throws(WireError) -> Bool { try reader.bool() }
}

extension Int64: WireValue {
    package func write(to writer: inout JSONWriter) { writer.integer(self) }
    package static func read(_ reader: inout JSONReader) throws(WireError) -> Int64 { try reader.integer() }
}

extension String: WireValue {
    package func write(to writer: inout JSONWriter) { writer.string(self) }
    package static func read(_ reader: inout JSONReader) throws(WireError) -> String { try reader.string() }
}
