extension JSONValue {
    /// The value of an `Encodable`, keys in the order in which it encodes them.
    ///
    /// Cannot fail for messages: they hold integers, strings, flags, lists and each other.
    package static func encoding(_ value: some Encodable) -> JSONValue {
        let box = ValueBox()
        do { try value.encode(to: ValueEncoder(box: box)) } catch {
            preconditionFailure("a message of type \(type(of: value)) cannot be encoded: \(error)")
        }
        return box.value
    }
}

/// A place in the tree under construction; containers fill it while the encoder still points at it.
private final class ValueBox {
    private var scalar: JSONValue = .object([])
    private var members: [(String, ValueBox)]?
    private var elements: [ValueBox]?

    var value: JSONValue {
        if let members { return .object(members.map { JSONValue.Member($0.0, $0.1.value) }) }
        if let elements { return .array(elements.map(\.value)) }
        return scalar
    }

    var elementCount: Int { elements?.count ?? 0 }

    func set(_ value: JSONValue) { scalar = value }
    func beginObject() { members = members ?? [] }
    func beginArray() { elements = elements ?? [] }

    func member(_ name: String) -> ValueBox {
        let box = ValueBox()
        members?.append((name, box))
        return box
    }

    func element() -> ValueBox {
        let box = ValueBox()
        elements?.append(box)
        return box
    }
}

private struct ValueEncoder: Encoder {
    let box: ValueBox
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<K: CodingKey>(keyedBy type: K.Type) -> KeyedEncodingContainer<K> {
        box.beginObject()
        return KeyedEncodingContainer(Keyed(box: box))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        box.beginArray()
        return Unkeyed(box: box)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { Single(box: box) }
}

private struct Keyed<K: CodingKey>: KeyedEncodingContainerProtocol {
    let box: ValueBox
    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil(forKey key: K) { box.member(key.stringValue).set(.null) }
    mutating func encode<Value: Encodable>(_ value: Value, forKey key: K) throws {
        try value.encode(to: ValueEncoder(box: box.member(key.stringValue)))
    }
    mutating func nestedContainer<N: CodingKey>(keyedBy type: N.Type, forKey key: K) -> KeyedEncodingContainer<N> {
        ValueEncoder(box: box.member(key.stringValue)).container(keyedBy: type)
    }
    mutating func nestedUnkeyedContainer(forKey key: K) -> any UnkeyedEncodingContainer {
        ValueEncoder(box: box.member(key.stringValue)).unkeyedContainer()
    }
    mutating func superEncoder() -> any Encoder { ValueEncoder(box: box) }
    mutating func superEncoder(forKey key: K) -> any Encoder { ValueEncoder(box: box.member(key.stringValue)) }
}

private struct Unkeyed: UnkeyedEncodingContainer {
    let box: ValueBox
    var codingPath: [any CodingKey] { [] }
    var count: Int { box.elementCount }

    mutating func encodeNil() { box.element().set(.null) }
    mutating func encode<Value: Encodable>(_ value: Value) throws {
        try value.encode(to: ValueEncoder(box: box.element()))
    }
    mutating func nestedContainer<N: CodingKey>(keyedBy type: N.Type) -> KeyedEncodingContainer<N> {
        ValueEncoder(box: box.element()).container(keyedBy: type)
    }
    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        ValueEncoder(box: box.element()).unkeyedContainer()
    }
    mutating func superEncoder() -> any Encoder { ValueEncoder(box: box.element()) }
}

private struct Single: SingleValueEncodingContainer {
    let box: ValueBox
    var codingPath: [any CodingKey] { [] }

    private func integer(_ value: some FixedWidthInteger) throws {
        guard let number = Int64(exactly: value) else {
            throw EncodingError.invalidValue(value, .init(codingPath: [], debugDescription: "beyond 64 bits signed"))
        }
        box.set(.integer(number))
    }

    mutating func encodeNil() { box.set(.null) }
    mutating func encode(_ value: Bool) { box.set(.bool(value)) }
    mutating func encode(_ value: String) { box.set(.string(value)) }
    mutating func encode(_ value: Int) throws { try integer(value) }
    mutating func encode(_ value: Int8) throws { try integer(value) }
    mutating func encode(_ value: Int16) throws { try integer(value) }
    mutating func encode(_ value: Int32) throws { try integer(value) }
    mutating func encode(_ value: Int64) throws { try integer(value) }
    mutating func encode(_ value: UInt) throws { try integer(value) }
    mutating func encode(_ value: UInt8) throws { try integer(value) }
    mutating func encode(_ value: UInt16) throws { try integer(value) }
    mutating func encode(_ value: UInt32) throws { try integer(value) }
    mutating func encode(_ value: UInt64) throws { try integer(value) }
    mutating func encode(_ value: Double) throws { throw noFractions(value) }
    mutating func encode(_ value: Float) throws { throw noFractions(Double(value)) }
    mutating func encode<Value: Encodable>(_ value: Value) throws { try value.encode(to: ValueEncoder(box: box)) }

    private func noFractions(_ value: Double) -> EncodingError {
        .invalidValue(value, .init(codingPath: [], debugDescription: "messages hold whole numbers only"))
    }
}
