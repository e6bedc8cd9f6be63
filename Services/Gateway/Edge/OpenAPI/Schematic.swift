import Contracts
import Primitives
import Wire

/// A type whose JSON Schema cannot be found out by decoding it: its form on the wire is checked by code.
protocol Schematic: Decodable {
    /// Any value of it, for types that hold one to be made.
    static var sample: Self { get }
    static var schema: JSONValue { get }
    static var example: JSONValue { get }
}

extension Identifier: Schematic {
    static var sample: Identifier { Identifier(high: 0x019A_A3F7_C0DE_0001, low: 0x8C2D_5E6F_7A81_92B3) }
    static var schema: JSONValue { ["type": "string", "pattern": "^[0-9a-f]{32}$"] }
    static var example: JSONValue { .string(sample.hex) }
}

extension Timestamp: Schematic {
    static var sample: Timestamp { Timestamp(milliseconds: 1_795_230_600_000) }
    static var schema: JSONValue { ["type": "string", "format": "date-time"] }
    static var example: JSONValue { .string(sample.rfc3339) }
}

extension CivilDate: Schematic {
    static var sample: CivilDate { CivilDate(year: 1990, month: 12, day: 10)! }
    static var schema: JSONValue { ["type": "string", "format": "date"] }
    static var example: JSONValue { .string(sample.description) }
}

extension Currency: Schematic {
    static var sample: Currency { .usd }
    static var schema: JSONValue { ["type": "string", "pattern": "^[A-Z]{3}$"] }
    static var example: JSONValue { "USD" }
}

/// A choice between names.
protocol NamedChoice: Schematic, RawRepresentable<String> {
    static var choices: [Self] { get }
}

extension NamedChoice {
    static var sample: Self { choices[0] }
    static var schema: JSONValue { ["type": "string", "enum": .array(choices.map { .string($0.rawValue) })] }
    static var example: JSONValue { .string(sample.rawValue) }
}

extension Auth.Gender: NamedChoice { static var choices: [Auth.Gender] { allCases } }
extension Auth.MerchantStatus: NamedChoice { static var choices: [Auth.MerchantStatus] { allCases } }
extension Auth.Role: NamedChoice { static var choices: [Auth.Role] { allCases } }
extension Wallet.HolderRole: NamedChoice { static var choices: [Wallet.HolderRole] { [.customer, .merchant] } }
extension Wallet.EntryKind: NamedChoice { static var choices: [Wallet.EntryKind] { allCases } }
extension Location.UpdateOutcome: NamedChoice { static var choices: [Location.UpdateOutcome] { allCases } }
extension Offers.Kind: NamedChoice { static var choices: [Offers.Kind] { allCases } }
extension Offers.Acceptance: NamedChoice { static var choices: [Offers.Acceptance] { allCases } }
extension Offers.Rule: NamedChoice { static var choices: [Offers.Rule] { allCases } }
extension Notifications.Kind: NamedChoice { static var choices: [Notifications.Kind] { allCases } }
extension Notifications.DeliveryState: NamedChoice { static var choices: [Notifications.DeliveryState] { allCases } }
extension PrintedTable: NamedChoice { static var choices: [PrintedTable] { allCases } }
extension Payments.ChargeState: NamedChoice { static var choices: [Payments.ChargeState] { allCases } }

/// A message that clients send: its schema is closed (unknown fields are refused) and its fields are explained.
protocol RequestBody: WireMessage {
    static var notes: [String: SchemaNote] { get }
}

/// What the type of a field does not say about it.
struct SchemaNote: Sendable {
    let summary: String
    /// Members that are added to the field's schema, or replace it where they hold a reference.
    let constraints: [JSONValue.Member]
    let example: JSONValue?

    init(_ summary: String, example: JSONValue? = nil) {
        self.init(summary, constraints: [], example: example)
    }

    init(_ summary: String, pattern: String, example: JSONValue) {
        self.init(summary, constraints: [.init("pattern", .string(pattern))], example: example)
    }

    init(_ summary: String, lengths: ClosedRange<Int64>, example: JSONValue) {
        self.init(
            summary,
            constraints: [
                .init("minLength", .integer(lengths.lowerBound)), .init("maxLength", .integer(lengths.upperBound))
            ], example: example)
    }

    init(_ summary: String, constraints: [JSONValue.Member], example: JSONValue?) {
        self.summary = summary
        self.constraints = constraints
        self.example = example
    }

    static let username = SchemaNote(
        "Case-sensitive, unique over all roles.", pattern: "^[A-Za-z0-9._@+-]{1,64}$", example: "ada")
    static let password = SchemaNote(
        "8 to 128 bytes of UTF-8.", lengths: 8...128, example: "correct horse battery staple")
    static let pin = SchemaNote("Four digits.", pattern: "^[0-9]{4}$", example: "4711")
    static let amount = amount(orElse: "More than nothing, in minor units.")

    /// An amount that may be left out.
    static func amount(orElse summary: String) -> SchemaNote {
        SchemaNote(
            summary, constraints: [.init("$ref", .string(SchemaSet.reference("Amount")))],
            example: ["amount": 150, "currency": "USD"])
    }

    static let payingCard = SchemaNote("The card that pays; the default one where none is named.")
    static let memo = SchemaNote(
        "What both sides read on the receipt; at most 256 bytes of UTF-8.", lengths: 0...256, example: "Two coffees")
}
