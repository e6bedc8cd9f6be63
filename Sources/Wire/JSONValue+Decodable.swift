extension JSONValue {
    /// Makes a `Decodable` of this value, strictly: a field of the JSON that the type did not ask for is an error.
    package func decode<Value: Decodable>(_ type: Value.Type) throws(WireError) -> Value {
        do {
            return try ValueDecoder(self).decode(type)
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

/// One value of a message: where it stands, and what a type has asked of it.
private final class ValueDecoder: Decoder {
    enum Step {
        case key(String)
        case index(Int)
    }

    let value: JSONValue
    /// The members of an object; none for any other value.
    let members: [JSONValue.Member]
    /// The container that the value stands in, and where.
    private let outer: (decoder: ValueDecoder, step: Step)?
    /// Which members the type has asked for; empty before the first one.
    private var asked: [Bool] = []
    /// A type without fields asks for nothing at all.
    private var hasAsked = false
    /// The member that was found last: most types ask for them in the order in which they are written.
    private var found = 0

    init(_ value: JSONValue, in outer: (decoder: ValueDecoder, step: Step)? = nil) {
        self.value = value
        self.outer = outer
        if case .object(let members) = value { self.members = members } else { members = [] }
    }

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    var codingPath: [any CodingKey] {
        guard let outer else { return [] }
        switch outer.step {
        case .key(let name): return outer.decoder.codingPath + [Key(name)]
        case .index(let index): return outer.decoder.codingPath + [Key(index: index)]
        }
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let result: Value
        do {
            result = try Value(from: self)
        } catch let error as WireError where error.path.isEmpty {
            // A value's own rule (`Money`, an identifier) failed, or its type; say where it stands.
            throw WireError(error.reason, at: codingPath)
        }
        if case .object = value {
            guard let stray = members.indices.first(where: { asked.isEmpty || !asked[$0] }) else { return result }
            throw WireError(.unknownField, at: codingPath + [Key(members[stray].key)])
        }
        guard hasAsked else { throw WireError(.wrongType(expected: .object), at: codingPath) }
        return result
    }

    /// The value of a member, which counts as asked for.
    func member(_ name: String) -> JSONValue? {
        if asked.isEmpty { asked = [Bool](repeating: false, count: members.count) }
        func isAt(_ place: Int) -> Bool { place < members.count && members[place].key == name }
        // The same again (is it there, is it null, what is it), the next one, or one that has to be searched.
        let place = isAt(found) ? found : isAt(found + 1) ? found + 1 : members.firstIndex { $0.key == name }
        guard let place else { return nil }
        found = place
        asked[place] = true
        return members[place].value
    }

    func askForAll() { asked = [Bool](repeating: true, count: members.count) }

    func container<K: CodingKey>(keyedBy type: K.Type) throws -> KeyedDecodingContainer<K> {
        hasAsked = true
        guard case .object = value else { throw WireError(.wrongType(expected: .object), at: codingPath) }
        return KeyedDecodingContainer(Keyed(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        hasAsked = true
        guard case .array(let elements) = value else { throw WireError(.wrongType(expected: .array), at: codingPath) }
        return Unkeyed(decoder: self, elements: elements)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        hasAsked = true
        return Single(decoder: self)
    }
}

/// The reads of a plain value throw errors that do not say where the value stands.
extension JSONValue {
    fileprivate func string() throws(WireError) -> String {
        guard case .string(let text) = self else { throw WireError(.wrongType(expected: .string)) }
        return text
    }

    fileprivate func bool() throws(WireError) -> Bool {
        guard case .bool(let flag) = self else { throw WireError(.wrongType(expected: .boolean)) }
        return flag
    }

    fileprivate func integer<I: FixedWidthInteger>(_ type: I.Type) throws(WireError) -> I {
        if case .fraction = self { throw WireError(.notAnInteger) }
        guard case .integer(let number) = self else { throw WireError(.wrongType(expected: .integer)) }
        guard let fitting = I(exactly: number) else { throw WireError(.outOfRange) }
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
    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [K] {
        decoder.askForAll()
        return decoder.members.compactMap { K(stringValue: $0.key) }
    }

    private func value(_ key: K) throws(WireError) -> JSONValue {
        guard let value = decoder.member(key.stringValue) else {
            throw WireError(.missingField, at: codingPath + [key])
        }
        return value
    }

    private func at(_ key: K) throws(WireError) -> ValueDecoder {
        ValueDecoder(try value(key), in: (decoder, .key(key.stringValue)))
    }

    /// A value that needs no decoder of its own.
    private func scalar<Value>(
        _ key: K, _ read: (JSONValue) throws(WireError) -> Value
    ) throws(WireError) -> Value {
        let value = try value(key)
        do throws(WireError) { return try read(value) } catch { throw WireError(error.reason, at: codingPath + [key]) }
    }

    func contains(_ key: K) -> Bool { decoder.member(key.stringValue) != nil }
    func decodeNil(forKey key: K) throws -> Bool { decoder.member(key.stringValue)?.isNull ?? false }
    func decode(_ type: Bool.Type, forKey key: K) throws -> Bool {
        try scalar(key) { value throws(WireError) in try value.bool() }
    }
    func decode(_ type: String.Type, forKey key: K) throws -> String {
        try scalar(key) { value throws(WireError) in try value.string() }
    }
    func decode(_ type: Int.Type, forKey key: K) throws -> Int {
        try scalar(key) { value throws(WireError) in try value.integer(type) }
    }
    func decode(_ type: Int64.Type, forKey key: K) throws -> Int64 {
        try scalar(key) { value throws(WireError) in try value.integer(type) }
    }
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
        guard !isAtEnd else { throw WireError(.missingField, at: codingPath + [Key(index: currentIndex)]) }
        defer { currentIndex += 1 }
        return ValueDecoder(elements[currentIndex], in: (decoder, .index(currentIndex)))
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, elements[currentIndex].isNull else { return false }
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

/// Its errors do not say where the value stands; `ValueDecoder.decode` adds that.
private struct Single: SingleValueDecodingContainer {
    let decoder: ValueDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }
    private var value: JSONValue { decoder.value }

    func decodeNil() -> Bool { value.isNull }
    func decode(_ type: Bool.Type) throws -> Bool { try value.bool() }
    func decode(_ type: String.Type) throws -> String { try value.string() }
    func decode(_ type: Int.Type) throws -> Int { try value.integer(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try value.integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try value.integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try value.integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try value.integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try value.integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try value.integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try value.integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try value.integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try value.integer(type) }
    func decode(_ type: Double.Type) throws -> Double { throw WireError(.notAnInteger) }
    func decode(_ type: Float.Type) throws -> Float { throw WireError(.notAnInteger) }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.decode(type) }
}

extension JSONValue {
    fileprivate var isNull: Bool {
        if case .null = self { true } else { false }
    }
}
