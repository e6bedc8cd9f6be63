import Schemas
import Wire

/// A message that clients send: its schema is closed (unknown fields are refused) and its fields are explained.
protocol RequestBody: WireMessage {
    static var notes: [String: SchemaNote] { get }
}

extension SchemaSet.Style {
    /// Of OpenAPI 3.1: what clients send is closed; what they get may have more fields one day.
    static let http = SchemaSet.Style(mayStandBesideReference: true) { type in
        (type as? any RequestBody.Type).map { type in
            let notes = type.notes
            return SchemaAccount { notes[$0] }
        }
    }
}

extension SchemaNote {
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
