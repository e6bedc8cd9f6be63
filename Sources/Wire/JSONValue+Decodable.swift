extension JSONValue {
    /// Makes a `Decodable` of this value, strictly: a field of the JSON that the type did not ask for is an error.
    package func decode<Value: Decodable>(_ type: Value.Type) throws(WireError) -> Value {
        do {
            return try ValueDecoder(value: self, codingPath: []).decode(type)
        } catch let error as WireError {
            throw error
        } catch let error as DecodingError {
            throw WireError(error)
        } catch {
            throw WireError(.invalidValue(why: "is not valid"))
        }
    }
}

extension WireError {
    fileprivate init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context): self.init(.missingField, at: context.codingPath + [key])
        case .valueNotFound(_, let context): self.init(.missingField, at: context.codingPath)
        case .dataCorrupted(let context):
            self.init(.invalidValue(why: context.debugDescription), at: context.codingPath)
        case .typeMismatch(_, let context): self.init(.invalidValue(why: "has the wrong type"), at: context.codingPath)
        @unknown default: self.init(.invalidValue(why: "is not valid"))
        }
    }

    fileprivate init(_ reason: Reason, at path: [any CodingKey]) {
        self.init(
            reason, path: path.map { key in key.intValue.map { "[\($0)]" } ?? key.stringValue }.joined(separator: "."))
    }
}

/// What a type has asked of one value.
private final class KeysAsked {
    var names: Set<String> = []
    /// A type without fields asks for nothing at all.
    var anything = false
}

private struct ValueDecoder: Decoder {
    let value: JSONValue
    let codingPath: [any CodingKey]
    let asked = KeysAsked()
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let result: Value
        do {
            result = try Value(from: self)
        } catch let error as WireError where error.path.isEmpty {
            // A value's own rule (`Money`, an identifier) failed; say where it stands.
            throw WireError(error.reason, at: codingPath)
        }
        if case .object(let members) = value {
            guard let stray = members.first(where: { !asked.names.contains($0.key) }) else { return result }
            throw WireError(.unknownField, at: codingPath + [Key(stray.key)])
        }
        guard asked.anything else { throw mismatch(.object) }
        return result
    }

    func mismatch(_ expected: JSONTypeName) -> WireError { WireError(.wrongType(expected: expected), at: codingPath) }

    func container<K: CodingKey>(keyedBy type: K.Type) throws -> KeyedDecodingContainer<K> {
        asked.anything = true
        guard case .object(let members) = value else { throw mismatch(.object) }
        return KeyedDecodingContainer(Keyed(decoder: self, members: members))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        asked.anything = true
        guard case .array(let elements) = value else { throw mismatch(.array) }
        return Unkeyed(decoder: self, elements: elements)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        asked.anything = true
        return Single(decoder: self)
    }

    func string() throws -> String {
        guard case .string(let text) = value else { throw mismatch(.string) }
        return text
    }

    func bool() throws -> Bool {
        guard case .bool(let flag) = value else { throw mismatch(.boolean) }
        return flag
    }

    func integer<I: FixedWidthInteger>(_ type: I.Type) throws -> I {
        if case .fraction = value { throw WireError(.notAnInteger, at: codingPath) }
        guard case .integer(let number) = value else { throw mismatch(.integer) }
        guard let fitting = I(exactly: number) else { throw WireError(.outOfRange, at: codingPath) }
        return fitting
    }
}

private struct Key: CodingKey {
    let stringValue: String
    let intValue: Int?
    init(_ name: String) { (stringValue, intValue) = (name, nil) }
    init(index: Int) { (stringValue, intValue) = ("\(index)", index) }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { self.init(index: intValue) }
}

private struct Keyed<K: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ValueDecoder
    let members: [JSONValue.Member]
    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [K] {
        decoder.asked.names.formUnion(members.map(\.key))
        return members.compactMap { K(stringValue: $0.key) }
    }

    private func find(_ key: K) -> JSONValue? {
        decoder.asked.names.insert(key.stringValue)
        return members.first { $0.key == key.stringValue }?.value
    }

    private func at(_ key: K) throws -> ValueDecoder {
        guard let value = find(key) else { throw WireError(.missingField, at: codingPath + [key]) }
        return ValueDecoder(value: value, codingPath: codingPath + [key])
    }

    func contains(_ key: K) -> Bool { find(key) != nil }
    func decodeNil(forKey key: K) throws -> Bool { find(key) == .null }
    func decode(_ type: Bool.Type, forKey key: K) throws -> Bool { try at(key).bool() }
    func decode(_ type: String.Type, forKey key: K) throws -> String { try at(key).string() }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: K) throws -> Value { try at(key).decode(type) }
    func nestedContainer<N: CodingKey>(keyedBy type: N.Type, forKey key: K) throws -> KeyedDecodingContainer<N> {
        try at(key).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: K) throws -> any UnkeyedDecodingContainer { try at(key).unkeyedContainer() }
    func superDecoder() throws -> any Decoder { decoder }
    func superDecoder(forKey key: K) throws -> any Decoder { try at(key) }
}

private struct Unkeyed: UnkeyedDecodingContainer {
    let decoder: ValueDecoder
    let elements: [JSONValue]
    var currentIndex = 0
    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    private mutating func next() throws -> ValueDecoder {
        let path = codingPath + [Key(index: currentIndex)]
        guard !isAtEnd else { throw WireError(.missingField, at: path) }
        defer { currentIndex += 1 }
        return ValueDecoder(value: elements[currentIndex], codingPath: path)
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, elements[currentIndex] == .null else { return false }
        currentIndex += 1
        return true
    }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next().decode(type) }
    mutating func nestedContainer<N: CodingKey>(keyedBy type: N.Type) throws -> KeyedDecodingContainer<N> {
        try next().container(keyedBy: type)
    }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }
    mutating func superDecoder() throws -> any Decoder { try next() }
}

private struct Single: SingleValueDecodingContainer {
    let decoder: ValueDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.value == .null }
    func decode(_ type: Bool.Type) throws -> Bool { try decoder.bool() }
    func decode(_ type: String.Type) throws -> String { try decoder.string() }
    func decode(_ type: Int.Type) throws -> Int { try decoder.integer(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try decoder.integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try decoder.integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try decoder.integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try decoder.integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try decoder.integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try decoder.integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try decoder.integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try decoder.integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try decoder.integer(type) }
    func decode(_ type: Double.Type) throws -> Double { throw WireError(.notAnInteger, path: "") }
    func decode(_ type: Float.Type) throws -> Float { throw WireError(.notAnInteger, path: "") }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.decode(type) }
}
