import Contracts
import Primitives
import Wire

/// JSON Schemas of message types, found out by letting each type decode itself and noting what it asks for.
///
/// So a schema cannot differ from what is read: there is no second list of fields to forget.
package struct SchemaSet {
    package struct Description {
        package let schema: JSONValue
        package let example: JSONValue
    }

    /// What a document says of types beyond what they decode.
    package struct Style: Sendable {
        /// A whole type's name in `components`.
        let name: @Sendable (any Any.Type) -> String
        /// Nil: nothing is known of the type, and it stays open for fields that come later.
        let account: @Sendable (any Any.Type) -> SchemaAccount?
        /// JSON Schema up to draft 7 passes over whatever stands beside a `$ref`.
        let mayStandBesideReference: Bool

        package init(
            mayStandBesideReference: Bool, name: @escaping @Sendable (any Any.Type) -> String = SchemaSet.name,
            account: @escaping @Sendable (any Any.Type) -> SchemaAccount?
        ) {
            self.name = name
            self.account = account
            self.mayStandBesideReference = mayStandBesideReference
        }
    }

    /// Schemas of whole types, by their names in `components`.
    package private(set) var components: [String: JSONValue] = [
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
    private let style: Style

    package init(_ style: Style) { self.style = style }

    package static func reference(_ component: String) -> String { "#/components/schemas/" + component }

    package mutating func describe(_ type: any Decodable.Type) -> Description {
        func open<Value: Decodable>(_ type: Value.Type) -> Description { describe(value: type).description }
        return open(type)
    }

    fileprivate mutating func describe<Value: Decodable>(value type: Value.Type) -> (
        description: Description, sample: Value
    ) {
        if let known = type as? any Schematic.Type, let sample = known.sample as? Value {
            return (Description(schema: known.schema, example: known.example), sample)
        }
        if let choice = type as? any CaseIterable.Type, let choice = describe(choice: choice, Value.self) {
            return choice
        }
        if let map = type as? any TextKeyed.Type, let empty = map.empty as? Value {
            let value = describe(map.value)
            return (
                Description(
                    schema: ["type": "object", "additionalProperties": value.schema], example: ["name": value.example]),
                empty
            )
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
            let name = style.name(type)
            let account = style.account(type)
            components[name] = schema(of: notebook.fields, account)
            examples[name] = .object(
                notebook.fields.compactMap { field in
                    let example = account?.note(field.name)?.example
                    guard example != nil || !field.isOptional else { return nil }
                    return JSONValue.Member(field.name, example ?? field.description.example)
                })
            return (
                Description(schema: ["$ref": .string(Self.reference(name))], example: examples[name] ?? .null), sample
            )
        }
    }

    /// A choice between names: what is text on the wire and has a list of its cases.
    private func describe<Choice: CaseIterable, Value>(
        choice type: Choice.Type, _: Value.Type
    ) -> (description: Description, sample: Value)? {
        let names = type.allCases.compactMap { ($0 as? any RawRepresentable)?.rawValue as? String }
        guard names.count == type.allCases.count, let first = type.allCases.first as? Value else { return nil }
        var schema: [JSONValue.Member] = [
            .init("type", "string"), .init("enum", .array(names.map(JSONValue.string)))
        ]
        if let summary = style.account(type)?.summary { schema.append(.init("description", .string(summary))) }
        return (Description(schema: .object(schema), example: .string(names[0])), first)
    }

    private func schema(of fields: [Notebook.Field], _ account: SchemaAccount?) -> JSONValue {
        let properties = fields.map { field in
            JSONValue.Member(field.name, .object(members(of: field, account)))
        }
        var schema: [JSONValue.Member] = [.init("type", "object")]
        if let summary = account?.summary { schema.append(.init("description", .string(summary))) }
        let needed = fields.filter { !$0.isOptional }.map { JSONValue.string($0.name) }
        if !needed.isEmpty { schema.append(.init("required", .array(needed))) }
        schema.append(.init("properties", .object(properties)))
        if account != nil { schema.append(.init("additionalProperties", false)) }
        return .object(schema)
    }

    private func members(of field: Notebook.Field, _ account: SchemaAccount?) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = []
        if case .object(let own) = field.description.schema { members = own }
        let note = account?.note(field.name)
        if let note {
            let replaced = Set(note.constraints.map(\.key))
            members = members.filter { !replaced.contains($0.key) } + note.constraints
        }
        // In what the type explains, an optional field may also be null.
        if account != nil, field.isOptional { members = nullable(members) }
        guard let summary = note?.summary, !summary.isEmpty else { return members }
        if !style.mayStandBesideReference, members.contains(where: { $0.key == "$ref" }) {
            members = [.init("allOf", [.object(members)])]
        }
        return members.filter { $0.key != "description" } + [.init("description", .string(summary))]
    }

    private func nullable(_ members: [JSONValue.Member]) -> [JSONValue.Member] {
        [.init("anyOf", [.object(members), ["type": "null"]])]
    }

    /// `Contracts.Payments.Receipt` → `PaymentsReceipt`; `Contracts.Recorded<Contracts.Wallet.Posted>` →
    /// `RecordedWalletPosted`.
    @Sendable package static func name(of type: any Any.Type) -> String {
        let words = String(reflecting: type).split { ".<>, ".contains($0) }
        return words.filter { $0 != words.first }.joined()
    }
}

/// What is known of a type by other means than its decoding. Its schema is closed: other fields are refused.
package struct SchemaAccount: Sendable {
    let summary: String?
    /// What is known of a field.
    let note: @Sendable (_ field: String) -> SchemaNote?

    package init(summary: String? = nil, note: @escaping @Sendable (_ field: String) -> SchemaNote?) {
        self.summary = summary
        self.note = note
    }
}

/// An object whose keys are data, not fields.
private protocol TextKeyed {
    static var empty: Self { get }
    static var value: any Decodable.Type { get }
}

extension Dictionary: TextKeyed where Key == String, Value: Decodable {
    fileprivate static var empty: [String: Value] { [:] }
    fileprivate static var value: any Decodable.Type { Value.self }
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
