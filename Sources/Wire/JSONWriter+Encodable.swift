extension JSONWriter {
    /// Writes the value of an `Encodable`, keys in the order in which it encodes them.
    ///
    /// Cannot fail for messages: they hold integers, strings, flags, lists and each other.
    package mutating func encode(_ value: some Encodable) {
        let output = EncodedText()
        swap(&output.writer, &self)
        do { try output.encode(value) } catch {
            preconditionFailure("a message of type \(type(of: value)) cannot be encoded: \(error)")
        }
        swap(&output.writer, &self)
    }
}

extension JSONValue {
    /// The value of an `Encodable`, keys in the order in which it encodes them.
    package static func encoding(_ value: some Encodable) -> JSONValue {
        var writer = JSONWriter()
        writer.encode(value)
        do throws(WireError) { return try JSONValue(parsing: writer.bytes) } catch {
            preconditionFailure("what was written cannot be read: \(error)")
        }
    }
}

/// The text under construction. A container is closed when something is written to one that is around it.
private final class EncodedText {
    var writer = JSONWriter(capacity: 0)
    /// Whether each open container is an object; the others are arrays. The innermost one is the last.
    private var open: [Bool] = []

    func encode<Value: Encodable>(_ value: Value) throws {
        let (level, before) = (open.count, writer.count)
        try value.encode(to: TextEncoder(output: self, level: level))
        if writer.count == before { begin(isObject: true, at: level) }  // a type without fields
        close(to: level)
    }

    /// Opens a container in so many others, unless the value that is being encoded has opened it before.
    func begin(isObject: Bool, at level: Int) {
        close(to: min(level + 1, open.count))
        if open.count > level { return precondition(open[level] == isObject) }
        if isObject { writer.beginObject() } else { writer.beginArray() }
        open.append(isObject)
    }

    /// Closes all containers but so many.
    func close(to level: Int) {
        precondition(open.count >= level, "a container was closed before its last value")
        while open.count > level {
            if open.removeLast() { writer.endObject() } else { writer.endArray() }
        }
    }

    func integer(_ value: some FixedWidthInteger) throws {
        guard let number = Int64(exactly: value) else {
            throw EncodingError.invalidValue(value, .init(codingPath: [], debugDescription: "beyond 64 bits signed"))
        }
        writer.integer(number)
    }

    func fraction(_ value: Double) throws {
        throw EncodingError.invalidValue(
            value, .init(codingPath: [], debugDescription: "messages hold whole numbers only"))
    }
}

/// Encodes one value in so many open containers.
private struct TextEncoder: Encoder {
    let output: EncodedText
    let level: Int
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<K: CodingKey>(keyedBy type: K.Type) -> KeyedEncodingContainer<K> {
        output.begin(isObject: true, at: level)
        return KeyedEncodingContainer(Keyed(output: output, level: level + 1))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        output.begin(isObject: false, at: level)
        return Unkeyed(output: output, level: level + 1)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { Single(output: output) }
}

private struct Keyed<K: CodingKey>: KeyedEncodingContainerProtocol {
    let output: EncodedText
    let level: Int
    var codingPath: [any CodingKey] { [] }

    private func begin(_ key: K) {
        output.close(to: level)
        output.writer.key(key.stringValue)
    }

    private func nested(_ key: K) -> TextEncoder {
        begin(key)
        return TextEncoder(output: output, level: level)
    }

    mutating func encodeNil(forKey key: K) {
        begin(key)
        output.writer.null()
    }
    mutating func encode(_ value: Bool, forKey key: K) {
        begin(key)
        output.writer.bool(value)
    }
    mutating func encode(_ value: String, forKey key: K) {
        begin(key)
        output.writer.string(value)
    }
    mutating func encode(_ value: Int64, forKey key: K) {
        begin(key)
        output.writer.integer(value)
    }
    mutating func encode(_ value: Int, forKey key: K) { encode(Int64(value), forKey: key) }
    mutating func encode<Value: Encodable>(_ value: Value, forKey key: K) throws {
        begin(key)
        try output.encode(value)
    }
    mutating func nestedContainer<N: CodingKey>(keyedBy type: N.Type, forKey key: K) -> KeyedEncodingContainer<N> {
        nested(key).container(keyedBy: type)
    }
    mutating func nestedUnkeyedContainer(forKey key: K) -> any UnkeyedEncodingContainer {
        nested(key).unkeyedContainer()
    }
    mutating func superEncoder() -> any Encoder { TextEncoder(output: output, level: level - 1) }
    mutating func superEncoder(forKey key: K) -> any Encoder { nested(key) }
}

private struct Unkeyed: UnkeyedEncodingContainer {
    let output: EncodedText
    let level: Int
    private(set) var count = 0
    var codingPath: [any CodingKey] { [] }

    init(output: EncodedText, level: Int) { (self.output, self.level) = (output, level) }

    private mutating func nested() -> TextEncoder {
        output.close(to: level)
        count += 1
        return TextEncoder(output: output, level: level)
    }

    mutating func encodeNil() {
        _ = nested()
        output.writer.null()
    }
    mutating func encode<Value: Encodable>(_ value: Value) throws {
        _ = nested()
        try output.encode(value)
    }
    mutating func nestedContainer<N: CodingKey>(keyedBy type: N.Type) -> KeyedEncodingContainer<N> {
        nested().container(keyedBy: type)
    }
    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }
    mutating func superEncoder() -> any Encoder { nested() }
}

private struct Single: SingleValueEncodingContainer {
    let output: EncodedText
    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil() { output.writer.null() }
    mutating func encode(_ value: Bool) { output.writer.bool(value) }
    mutating func encode(_ value: String) { output.writer.string(value) }
    mutating func encode(_ value: Int) throws { output.writer.integer(Int64(value)) }
    mutating func encode(_ value: Int8) throws { try output.integer(value) }
    mutating func encode(_ value: Int16) throws { try output.integer(value) }
    mutating func encode(_ value: Int32) throws { try output.integer(value) }
    mutating func encode(_ value: Int64) throws { output.writer.integer(value) }
    mutating func encode(_ value: UInt) throws { try output.integer(value) }
    mutating func encode(_ value: UInt8) throws { try output.integer(value) }
    mutating func encode(_ value: UInt16) throws { try output.integer(value) }
    mutating func encode(_ value: UInt32) throws { try output.integer(value) }
    mutating func encode(_ value: UInt64) throws { try output.integer(value) }
    mutating func encode(_ value: Double) throws { try output.fraction(value) }
    mutating func encode(_ value: Float) throws { try output.fraction(Double(value)) }
    mutating func encode<Value: Encodable>(_ value: Value) throws { try output.encode(value) }
}
