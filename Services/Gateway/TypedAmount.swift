import Contracts
import Primitives
import Schemas
import Wire

/// An amount as clients send it: money in minor units, or a text as people type it, `4.50` or `4,50`.
package struct TypedAmount: Sendable, Equatable {
    package let money: Money

    package init(_ money: Money) { self.money = money }

    /// Digits, and behind a point or a comma one or two more; nil for any other text.
    package init?(typed text: String) {
        let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
        guard let whole = parts.first, (1...12).contains(whole.utf8.count), Self.areDigits(whole),
            var minor = Int64(whole).map({ $0 * 100 })
        else { return nil }
        if parts.count == 2 {
            guard (1...2).contains(parts[1].utf8.count), Self.areDigits(parts[1]), let cents = Int64(parts[1]) else {
                return nil
            }
            minor += parts[1].utf8.count == 1 ? cents * 10 : cents
        }
        money = Money(minor)
    }

    private static func areDigits(_ text: Substring) -> Bool {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    private static func read(typed text: String) throws(WireError) -> TypedAmount {
        guard let amount = TypedAmount(typed: text) else {
            throw WireError(.invalidValue(why: "is an invalid text: an amount such as 4.50 or 4,50 is needed"))
        }
        return amount
    }
}

extension TypedAmount: WireValue, Codable {
    package func write(to writer: inout JSONWriter) { money.write(to: &writer) }

    package static func read(_ reader: inout JSONReader) throws(WireError) -> TypedAmount {
        guard try reader.peek() == .string else { return TypedAmount(try Money.read(&reader)) }
        return try read(typed: try reader.string())
    }

    package init(from decoder: any Decoder) throws {
        guard let text = try? decoder.singleValueContainer().decode(String.self) else {
            self.init(try Money(from: decoder))
            return
        }
        self = try Self.read(typed: text)
    }

    package func encode(to encoder: any Encoder) throws { try money.encode(to: encoder) }
}

extension TypedAmount: Schematic {
    package static let sample = TypedAmount(Money(150))
    package static let schema: JSONValue = [
        "oneOf": [
            ["$ref": .string(SchemaSet.reference("Amount"))],
            [
                "type": "string", "pattern": "^[0-9]{1,12}([.,][0-9]{1,2})?$",
                "description": "As people type it, in dollars: `4.50` or `4,50`."
            ]
        ]
    ]
    package static let example: JSONValue = ["amount": 150, "currency": "USD"]
}

extension SchemaNote {
    static let typedAmount = SchemaNote("More than nothing: in minor units, or as people type it.")
}
