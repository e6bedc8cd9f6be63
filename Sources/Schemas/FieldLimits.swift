import Contracts
import Wire

/// What a service checks of a field beyond its type, where JSON Schema can say it: of what is sent, so that a program
/// that makes up asks from the document is understood. Bytes are given as characters, of which there are never more.
struct FieldLimits {
    private let path: String
    /// What an ask sends is limited wherever its service has a field of that name; shapes only by their own name.
    private let service: String?

    init(_ type: any Any.Type, _ path: String) {
        self.path = path
        service = (type as? any Ask.Type)?.type.service
    }

    subscript(_ field: String) -> SchemaNote? {
        if let own = Self.shapes["\(path).\(field)"] { return own }
        guard let service else { return nil }
        if path == "ReadTable", field == "table" { return .table(of: service) }
        return Self.asks["\(service).\(field)"] ?? Self.asks[field]
    }

    /// Of asks, by service and field, or by the field alone.
    private static let asks: [String: SchemaNote] = [
        "limit": .number(1...100, 10),

        "auth.email": .text(1...254, "ada@example.com"),
        "auth.currentPin": .text(pattern: "^[0-9]{4}$", "0815"),
        "auth.newPassword": .text(8...128, "correct horse battery staple"),
        "auth.pin": .text(pattern: "^[0-9]{4}$", "4711"),
        "auth.reason": .text(1...250, "The business could not be found"),
        "auth.tokenDigest": .text(
            pattern: "^[0-9a-f]{64}$", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"),
        "auth.username": .text("ada"),

        "broker.forMilliseconds": .number(1...300_000, nil),

        "wallet.amount": .amount,
        "wallet.memo": .text(0...512, "Drip coffee"),

        "payments.amount": .amount,
        "payments.memo": .text(0...256, "Drip coffee"),

        "location.freshSeconds": .number(1...86_400, 600),
        "location.latitude": .latitude,
        "location.limit": .number(1...100, 20),
        "location.longitude": .longitude,
        "location.name": .text(1...100, "Aspen Avenue"),
        "location.fixes": .list(0...400),

        "offers.amount": .amount,
        "offers.latitude": .latitude(nil),
        "offers.longitude": .longitude(nil),
        "offers.reason": .text(1...255, "Says nothing of its price"),

        "notifications.address": .text(1...1000, "bk3RNwTe3H0:CI2k_HHwg"),
        "notifications.message": .text(1...1000, "Your table is ready"),
        "notifications.registrationId": .text(1...1000, "bk3RNwTe3H0:CI2k_HHwg"),
        "notifications.subject": .text(1...200, "A new password"),
        "notifications.text": .text(1...16_384, "The code is 7H4KX…"),
        "notifications.to": .text(3...254, "ada@example.com"),
        "notifications.type": .number(1...4, 1)
    ]

    /// By type and field, as the source has them.
    private static let shapes: [String: SchemaNote] = [
        "ReadFacts.after": .number(0...Int64.max, 0),
        "ReadFacts.limit": .number(1...1000, 100),
        "ReadTable.after": .number(0...Int64.max, 0),
        "FactsPage.facts": .envelopes,

        "Auth.RegisterAccount.username": .text(pattern: "^[A-Za-z0-9._@+-]{1,64}$", "ada"),
        "Auth.RegisterAccount.password": .text(8...128, "correct horse battery staple"),
        "Auth.RegisterAccount.name": .text(1...100, "Ada Lovelace"),
        "Auth.Profile.firstName": .text(1...100, "Ada"),
        "Auth.Profile.lastName": .text(1...100, "Lovelace"),
        "Auth.Profile.email": .text(1...254, "ada@example.com"),
        "Auth.Profile.businessName": .text(1...100, "Coffee House"),
        "Auth.Profile.address": .text(1...250, "1 Aspen Avenue, Flagstaff"),
        "Auth.Profile.productTypes": .list(0...20),

        "Wallet.AddCard.number": .text(pattern: "^[0-9]{16}$", "4000123412341234"),
        "Wallet.AddCard.code": .text(pattern: "^[0-9]{8}$", "12345678"),
        "Wallet.VerifyLedger.limit": .number(1...10_000, 1000),
        "Wallet.Anchor.sequence": .number(1...Int64.max, 1000),
        "Wallet.Anchor.chain": .text(
            pattern: "^[0-9a-f]{64}$", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"),

        // One that is out of bounds is refused alone, and not the ask.
        "Location.Fix.latitude": .number(Int64.min...Int64.max, 35_198_284),
        "Location.Fix.longitude": .number(Int64.min...Int64.max, -111_651_302),

        "Offers.Terms.title": .text(1...100, "Half price"),
        "Offers.Terms.content": .text(1...255, "All day"),
        "Offers.Terms.minAge": .number(0...150, nil),
        "Offers.Terms.maxAge": .number(0...150, nil),
        "Offers.Terms.targetLat": .latitude(nil),
        "Offers.Terms.targetLon": .longitude(nil),
        "Offers.Terms.radiusMetres": .number(1...10_000, nil),
        "Offers.Terms.minVisits": .number(0...10_000, nil),
        "Offers.Terms.maxVisits": .number(0...10_000, nil),
        "Offers.Terms.withinDays": .number(1...3650, nil),
        "Offers.Terms.usesPerCustomer": .number(1...1_000_000_000, nil),
        "Offers.Terms.usesInAll": .number(1...1_000_000_000, nil),
        "Offers.Terms.stars": .number(1...10_000, nil),
        "Offers.Preferences.muted": .list(0...200),
        "Offers.Preferences.perDay": .number(0...100, 3),
        "Offers.Preferences.quietFrom": .number(0...1439, nil),
        "Offers.Preferences.quietTo": .number(0...1439, nil),
        "Offers.Preferences.utcOffsetMinutes": .number(-840...840, 0),
        "Offers.SearchDeals.merchant": .text(1...100, nil),
        "Offers.SearchDeals.product": .text(1...50, "coffee"),

        "Notifications.SendNotification.type": .number(1...3, 1),
        "Notifications.QuietHours.from": .number(0...1439, 1320),
        "Notifications.QuietHours.until": .number(0...1439, 420),
        "Notifications.QuietHours.offset": .number(-840...840, -420)
    ]
}

extension SchemaNote {
    fileprivate static func text(_ example: String) -> SchemaNote { SchemaNote("", example: .string(example)) }

    fileprivate static func text(_ lengths: ClosedRange<Int64>, _ example: String?) -> SchemaNote {
        SchemaNote(
            "",
            constraints: [
                .init("minLength", .integer(lengths.lowerBound)), .init("maxLength", .integer(lengths.upperBound))
            ], example: example.map(JSONValue.string))
    }

    fileprivate static func text(pattern: String, _ example: String) -> SchemaNote {
        SchemaNote("", pattern: pattern, example: .string(example))
    }

    fileprivate static func number(_ range: ClosedRange<Int64>, _ example: Int64?) -> SchemaNote {
        var constraints: [JSONValue.Member] = []
        if range.lowerBound > Int64.min { constraints.append(.init("minimum", .integer(range.lowerBound))) }
        if range.upperBound < Int64.max { constraints.append(.init("maximum", .integer(range.upperBound))) }
        return SchemaNote("", constraints: constraints, example: example.map(JSONValue.integer))
    }

    fileprivate static func list(_ counts: ClosedRange<Int64>) -> SchemaNote {
        SchemaNote(
            "",
            constraints: [
                .init("minItems", .integer(counts.lowerBound)), .init("maxItems", .integer(counts.upperBound))
            ], example: nil)
    }

    fileprivate static let latitude = latitude(35_198_284)
    fileprivate static let longitude = longitude(-111_651_302)

    fileprivate static func latitude(_ example: Int64?) -> SchemaNote {
        degrees(90_000_000, "Millionths of a degree, north of the equator.", example)
    }

    fileprivate static func longitude(_ example: Int64?) -> SchemaNote {
        degrees(180_000_000, "Millionths of a degree, east of Greenwich.", example)
    }

    private static func degrees(_ most: Int64, _ summary: String, _ example: Int64?) -> SchemaNote {
        SchemaNote(
            summary, constraints: [.init("minimum", .integer(-most)), .init("maximum", .integer(most))],
            example: example.map(JSONValue.integer))
    }

    /// A service has some of the printed tables, and refuses the others.
    fileprivate static func table(of service: String) -> SchemaNote {
        let own = PrintedTable.allCases.filter { $0.service == service }.map { JSONValue.string($0.rawValue) }
        return SchemaNote(
            "One of the service's own.", constraints: [.init("enum", .array(own))], example: own.first)
    }

    fileprivate static let amount = SchemaNote(
        "More than nothing, in minor units.", constraints: [.init("$ref", .string(SchemaSet.reference("Amount")))],
        example: ["amount": 150, "currency": "USD"])

    /// Facts travel in pages as they were published.
    fileprivate static let envelopes = SchemaNote(
        "", constraints: [.init("items", ["$ref": .string(SchemaSet.reference("Envelope"))])], example: [])
}
