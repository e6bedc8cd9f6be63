import Contracts
import Primitives
import Wire

/// A type whose JSON Schema cannot be found out by decoding it: its form on the wire is checked by code.
package protocol Schematic: Decodable {
    /// Any value of it, for types that hold one to be made.
    static var sample: Self { get }
    static var schema: JSONValue { get }
    static var example: JSONValue { get }
}

extension Identifier: Schematic {
    package static var sample: Identifier { Identifier(high: 0x019A_A3F7_C0DE_0001, low: 0x8C2D_5E6F_7A81_92B3) }
    package static var schema: JSONValue { ["type": "string", "pattern": "^[0-9a-f]{32}$"] }
    package static var example: JSONValue { .string(sample.hex) }
}

extension Timestamp: Schematic {
    package static var sample: Timestamp { Timestamp(milliseconds: 1_795_230_600_000) }
    package static var schema: JSONValue { ["type": "string", "format": "date-time"] }
    package static var example: JSONValue { .string(sample.rfc3339) }
}

extension CivilDate: Schematic {
    package static var sample: CivilDate { CivilDate(year: 1990, month: 12, day: 10)! }
    package static var schema: JSONValue { ["type": "string", "format": "date"] }
    package static var example: JSONValue { .string(sample.description) }
}

extension Currency: Schematic {
    package static var sample: Currency { .usd }
    package static var schema: JSONValue { ["type": "string", "pattern": "^[A-Z]{3}$"] }
    package static var example: JSONValue { "USD" }
}

/// JSON that is handed on as it was written.
extension RawJSON: Schematic {
    package static var sample: RawJSON { RawJSON(Array("{}".utf8)) }
    package static var schema: JSONValue { ["type": "object"] }
    package static var example: JSONValue { [:] }
}

/// Exactly one of two fields.
extension Offers.Discount: Schematic {
    package static let sample = Offers.Discount(percent: 50)
    package static let schema: JSONValue = [
        "oneOf": [
            [
                "type": "object", "required": ["amount"], "additionalProperties": false,
                "properties": [
                    "amount": ["$ref": .string(SchemaSet.reference("Amount"))], "percent": ["type": "null"]
                ]
            ],
            [
                "type": "object", "required": ["percent"], "additionalProperties": false,
                "properties": [
                    "percent": ["type": "integer", "minimum": 1, "maximum": 99], "amount": ["type": "null"]
                ]
            ]
        ]
    ]
    package static let example: JSONValue = ["percent": 50]
}

/// What the type of a field does not say about it.
package struct SchemaNote: Sendable {
    package let summary: String
    /// Members that are added to the field's schema, or replace it where they hold a reference.
    package let constraints: [JSONValue.Member]
    package let example: JSONValue?

    package init(_ summary: String, example: JSONValue? = nil) {
        self.init(summary, constraints: [], example: example)
    }

    package init(_ summary: String, pattern: String, example: JSONValue) {
        self.init(summary, constraints: [.init("pattern", .string(pattern))], example: example)
    }

    package init(_ summary: String, lengths: ClosedRange<Int64>, example: JSONValue) {
        self.init(
            summary,
            constraints: [
                .init("minLength", .integer(lengths.lowerBound)), .init("maxLength", .integer(lengths.upperBound))
            ], example: example)
    }

    package init(_ summary: String, constraints: [JSONValue.Member], example: JSONValue?) {
        self.summary = summary
        self.constraints = constraints
        self.example = example
    }
}
