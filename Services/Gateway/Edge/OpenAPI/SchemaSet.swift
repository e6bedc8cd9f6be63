import Primitives
import Wire

/// JSON Schemas of message types, found out by letting each type decode itself and noting what it asks for.
///
/// So a schema cannot differ from what is read: there is no second list of fields to forget.
struct SchemaSet {
    struct Description {
        let schema: JSONValue
        let example: JSONValue
    }

    /// Schemas of whole types, by their names in `components`.
    private(set) var components: [String: JSONValue] = [
        // What clients may move; `Money` also tells balances and may be zero or less.
        "Amount": [
            "type": "object", "required": ["amount", "currency"], "additionalProperties": false,
            "properties": [
                "amount": [
                    "type": "integer", "format": "int64", "minimum": 1, "maximum": 9_223_372_036_854_775_807,
                    "description": "In minor units: cents for USD."
                ],
                "currency": Currency.schema
            ]
        ]
    ]
    private var examples: [String: JSONValue] = [:]

    static func reference(_ component: String) -> String { "#/components/schemas/" + component }

    mutating func describe(_ type: any Decodable.Type) -> Description {
        func open<Value: Decodable>(_ type: Value.Type) -> Description { describe(value: type).description }
        return open(type)
    }

    fileprivate mutating func describe<Value: Decodable>(value type: Value.Type) -> (
        description: Description, sample: Value
    ) {
        if let known = type as? any Schematic.Type, let sample = known.sample as? Value {
            return (Description(schema: known.schema, example: known.example), sample)
        }
        let notebook = Notebook(self)
        let sample: Value
        do { sample = try Value(from: SchemaDecoder(notebook: notebook)) } catch {
            preconditionFailure("the schema of \(type) cannot be found out: \(error)")
        }
        self = notebook.schemas
        switch notebook.kind {
        case .plain(let description): return (description, sample)
        case .list(let element):
            let schema: JSONValue = ["type": "array", "items": element.schema]
            return (Description(schema: schema, example: [element.example]), sample)
        case .object:
            let name = Self.name(of: type)
            let notes = (type as? any RequestBody.Type)?.notes
            components[name] = schema(of: notebook.fields, notes: notes)
            examples[name] = .object(
                notebook.fields.compactMap { field in
                    let example = notes?[field.name]?.example
                    guard example != nil || !field.isOptional else { return nil }
                    return JSONValue.Member(field.name, example ?? field.description.example)
                })
            return (
                Description(schema: ["$ref": .string(Self.reference(name))], example: examples[name] ?? .null), sample
            )
        }
    }

    private func schema(of fields: [Notebook.Field], notes: [String: SchemaNote]?) -> JSONValue {
        let properties = fields.map { field in
            var members: [JSONValue.Member] = []
            if case .object(let own) = field.description.schema { members = own }
            if let note = notes?[field.name] {
                let replaced = Set(note.constraints.map(\.key))
                members = members.filter { !replaced.contains($0.key) } + note.constraints
            }
            // In what clients send, an optional field may also be null.
            if notes != nil, field.isOptional { members = nullable(members) }
            if let summary = notes?[field.name]?.summary { members.append(.init("description", .string(summary))) }
            return JSONValue.Member(field.name, .object(members))
        }
        var schema: [JSONValue.Member] = [.init("type", "object")]
        let needed = fields.filter { !$0.isOptional }.map { JSONValue.string($0.name) }
        if !needed.isEmpty { schema.append(.init("required", .array(needed))) }
        schema.append(.init("properties", .object(properties)))
        if notes != nil { schema.append(.init("additionalProperties", false)) }
        return .object(schema)
    }

    private func nullable(_ members: [JSONValue.Member]) -> [JSONValue.Member] {
        [.init("anyOf", [.object(members), ["type": "null"]])]
    }

    /// `Contracts.Payments.Receipt` → `PaymentsReceipt`.
    private static func name(of type: Any.Type) -> String {
        String(reflecting: type).split(separator: ".").dropFirst().joined()
    }
}

/// What one type asked for while it was decoded.
private final class Notebook {
    struct Field {
        let name: String
        let isOptional: Bool
        let description: SchemaSet.Description
    }

    enum Kind {
        case plain(SchemaSet.Description)
        case list(SchemaSet.Description)
        case object
    }

    var schemas: SchemaSet
    var kind = Kind.object
    var fields: [Field] = []
    var optional: Set<String> = []

    init(_ schemas: SchemaSet) { self.schemas = schemas }

    func note<Value: Decodable>(_ type: Value.Type, _ name: String) -> Value {
        let (description, sample) = describe(type)
        fields.append(Field(name: name, isOptional: optional.contains(name), description: description))
        return sample
    }

    func describe<Value: Decodable>(_ type: Value.Type) -> (SchemaSet.Description, Value) {
        let (description, sample) = schemas.describe(value: type)
        return (description, sample)
    }

    func plain<Value>(_ type: String, _ example: JSONValue, _ sample: Value) -> Value {
        kind = .plain(.init(schema: ["type": .string(type)], example: example))
        return sample
    }
}

private struct SchemaDecoder: Decoder {
    let notebook: Notebook
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<K: CodingKey>(keyedBy type: K.Type) -> KeyedDecodingContainer<K> {
        notebook.kind = .object
        return KeyedDecodingContainer(Keyed(notebook: notebook))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { Unkeyed(notebook: notebook) }
    func singleValueContainer() -> any SingleValueDecodingContainer { Single(notebook: notebook) }
}

private struct Keyed<K: CodingKey>: KeyedDecodingContainerProtocol {
    let notebook: Notebook
    var codingPath: [any CodingKey] { [] }
    var allKeys: [K] { [] }

    func contains(_ key: K) -> Bool { true }

    /// Asked by `decodeIfPresent` only; saying "not null" makes it decode the type that it would have.
    func decodeNil(forKey key: K) -> Bool {
        notebook.optional.insert(key.stringValue)
        return false
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: K) -> Value { notebook.note(type, key.stringValue) }

    func nestedContainer<N: CodingKey>(keyedBy type: N.Type, forKey key: K) -> KeyedDecodingContainer<N> {
        preconditionFailure("no message nests objects without a type")
    }
    func nestedUnkeyedContainer(forKey key: K) -> any UnkeyedDecodingContainer {
        preconditionFailure("no message nests lists without a type")
    }
    func superDecoder() -> any Decoder { SchemaDecoder(notebook: notebook) }
    func superDecoder(forKey key: K) -> any Decoder { SchemaDecoder(notebook: notebook) }
}

private struct Unkeyed: UnkeyedDecodingContainer {
    let notebook: Notebook
    var codingPath: [any CodingKey] { [] }
    var count: Int? { 1 }
    var currentIndex = 0
    /// One element is enough to see their type.
    var isAtEnd: Bool { currentIndex > 0 }

    init(notebook: Notebook) { self.notebook = notebook }

    mutating func decodeNil() -> Bool { false }

    mutating func decode<Value: Decodable>(_ type: Value.Type) -> Value {
        let (description, sample) = notebook.describe(type)
        notebook.kind = .list(description)
        currentIndex += 1
        return sample
    }

    mutating func nestedContainer<N: CodingKey>(keyedBy type: N.Type) -> KeyedDecodingContainer<N> {
        preconditionFailure("no message nests objects without a type")
    }
    mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer {
        preconditionFailure("no message nests lists without a type")
    }
    mutating func superDecoder() -> any Decoder { SchemaDecoder(notebook: notebook) }
}

private struct Single: SingleValueDecodingContainer {
    let notebook: Notebook
    var codingPath: [any CodingKey] { [] }

    private func integer<I: FixedWidthInteger>(_ type: I.Type) -> I { notebook.plain("integer", 42, 42) }

    func decodeNil() -> Bool { false }
    func decode(_ type: Bool.Type) -> Bool { notebook.plain("boolean", true, true) }
    func decode(_ type: String.Type) -> String { notebook.plain("string", "text", "text") }
    func decode(_ type: Int.Type) -> Int { integer(type) }
    func decode(_ type: Int8.Type) -> Int8 { integer(type) }
    func decode(_ type: Int16.Type) -> Int16 { integer(type) }
    func decode(_ type: Int32.Type) -> Int32 { integer(type) }
    func decode(_ type: Int64.Type) -> Int64 { integer(type) }
    func decode(_ type: UInt.Type) -> UInt { integer(type) }
    func decode(_ type: UInt8.Type) -> UInt8 { integer(type) }
    func decode(_ type: UInt16.Type) -> UInt16 { integer(type) }
    func decode(_ type: UInt32.Type) -> UInt32 { integer(type) }
    func decode(_ type: UInt64.Type) -> UInt64 { integer(type) }
    func decode(_ type: Double.Type) -> Double { preconditionFailure("messages hold whole numbers only") }
    func decode(_ type: Float.Type) -> Float { preconditionFailure("messages hold whole numbers only") }

    func decode<Value: Decodable>(_ type: Value.Type) -> Value {
        let (description, sample) = notebook.describe(type)
        notebook.kind = .plain(description)
        return sample
    }
}
