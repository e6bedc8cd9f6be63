import Contracts
import Primitives
import Schemas
import Wire

/// A parameter that a route takes behind the `?`.
package struct QueryParameter: Sendable {
    package let name: String
    let summary: String
    let schema: JSONValue
    package let example: JSONValue
    package var isRequired = false

    static let before = QueryParameter(
        name: "before", summary: "Only what is older than this: the `next` of the page before.",
        schema: ["type": "integer", "format": "int64", "minimum": 0, "maximum": 9_223_372_036_854_775_807],
        example: 4711)
    static let limit = QueryParameter(
        name: "limit", summary: "At most so many.",
        schema: ["type": "integer", "minimum": 1, "maximum": 100, "default": 20], example: 20)
    static let state = QueryParameter(
        name: "state", summary: "Only charges in this state.",
        schema: ["type": "string", "enum": .array(Payments.ChargeState.allCases.map { .string($0.rawValue) })],
        example: "requested")

    static let place = QueryParameter(
        name: "place", summary: "Only near this place; all of the merchant's where none is given.",
        schema: PlaceID.schema, example: PlaceID.example)
    static let freshness = QueryParameter(
        name: "freshness", summary: "How old a position may be, in seconds, or `unlimited`; 600 where it is not given.",
        schema: [
            "oneOf": [["type": "integer", "minimum": 1, "maximum": 86_400], ["type": "string", "enum": ["unlimited"]]]
        ], example: 600)
    static let skip = QueryParameter(
        name: "skip", summary: "So many of the nearest are passed over: the `next` of the page before.",
        schema: ["type": "integer", "minimum": 0, "maximum": 100_000], example: 100)
    static let productIndex = QueryParameter(
        name: "productIndex", summary: "Only the charge with this number.",
        schema: ["type": "integer", "format": "int64", "minimum": 1, "maximum": 9_223_372_036_854_775_807], example: 7)
    static let requiredProductIndex = QueryParameter(
        name: "productIndex", summary: "The charge's number.",
        schema: ["type": "integer", "format": "int64", "minimum": 1, "maximum": 9_223_372_036_854_775_807], example: 7,
        isRequired: true)

    static let since = QueryParameter(
        name: "since", summary: "Only what was decided, or requested while it waits, then or later.",
        schema: Timestamp.schema, example: Timestamp.example)
    static let merchantStatus = QueryParameter(
        name: "status", summary: "Only merchants with this status.",
        schema: ["type": "string", "enum": .array(Auth.MerchantStatus.allCases.map { .string($0.rawValue) })],
        example: "pending")
    static let after = QueryParameter(
        name: "after", summary: "Only what comes behind this: the `next` of the page before.", schema: PartyID.schema,
        example: PartyID.example)

    static let table = QueryParameter(
        name: "name", summary: "Which table.",
        schema: ["type": "string", "enum": .array(PrintedTable.allCases.map { .string($0.rawValue) })],
        example: "Customers", isRequired: true)
    static let offset = QueryParameter(
        name: "offset", summary: "Rows to pass over: the `next` of the page before.",
        schema: ["type": "integer", "format": "int64", "minimum": 0, "maximum": 9_223_372_036_854_775_807], example: 0)
    static let unread = QueryParameter(
        name: "unread", summary: "`true`: only those that are not read yet.", schema: ["type": "boolean"],
        example: true)
    static let afterNumber = QueryParameter(
        name: "after",
        summary: "Only notices behind this number: the `head` of an inbox that was read before. `Last-Event-ID` goes "
            + "before it.",
        schema: ["type": "integer", "format": "int64", "minimum": 0, "maximum": 9_223_372_036_854_775_807],
        example: 7)

    static let page = [before, limit]

    static let role = QueryParameter(
        name: "role", summary: "Which of a browser's sessions is meant, where it has cookies of several roles.",
        schema: ["type": "string", "enum": .array(Auth.Role.allCases.map { .string($0.rawValue) })],
        example: "customer")

    static let username = QueryParameter(
        name: "username", summary: "An account's username, in its own capitals.",
        schema: ["type": "string", "minLength": 1, "maxLength": 64], example: "ada", isRequired: true)
    static let kind = QueryParameter(
        name: "kind", summary: "Only ads, or only coupons.",
        schema: ["type": "string", "enum": .array(Offers.Kind.allCases.map { .string($0.rawValue) })],
        example: "coupon")
    static let accepted = QueryParameter(
        name: "accepted", summary: "Only those of which the administrator has said so.",
        schema: ["type": "string", "enum": .array(Offers.Acceptance.allCases.map { .string($0.rawValue) })],
        example: "accepted")
    static let latitude = QueryParameter(
        name: "latitude",
        summary: "Where the customer is, in millionths of a degree, with `longitude`; the last known position where "
            + "neither is given.",
        schema: ["type": "integer", "minimum": -90_000_000, "maximum": 90_000_000], example: 35_198_284)
    static let longitude = QueryParameter(
        name: "longitude", summary: "Millionths of a degree, east positive.",
        schema: ["type": "integer", "minimum": -180_000_000, "maximum": 180_000_000], example: -111_651_302)
    static let point = [latitude, longitude]
    static let radius = QueryParameter(
        name: "radiusMetres",
        summary: "How far a merchant's place may be from that position; 200 where it is not given.",
        schema: ["type": "integer", "minimum": 1, "maximum": 50_000], example: 200)
    static let merchantName = QueryParameter(
        name: "merchant", summary: "A part of the merchant's name or username, in capitals or not.",
        schema: ["type": "string", "minLength": 1, "maxLength": 100], example: "blue")
    static let product = QueryParameter(
        name: "product", summary: "A kind of product, the whole of it, in capitals or not.",
        schema: ["type": "string", "minLength": 1, "maxLength": 50], example: "coffee")
    static let customer = QueryParameter(
        name: "customer", summary: "The customer's id.", schema: PartyID.schema, example: PartyID.example,
        isRequired: true)
}

/// The parameters of one request. As strict as a body: unknown and repeated ones are refused.
struct Query: Sendable {
    private let values: [String: String]

    static let empty = Query()

    private init() { values = [:] }

    init(_ text: Substring, of route: Route) throws(Fault) {
        var values: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = percentDecoded(parts[0]), let value = percentDecoded(parts.count > 1 ? parts[1] : "")
            else { throw Fault(.malformed, "the query is not valid") }
            guard route.query.contains(where: { $0.name == name }) else {
                throw Fault(.malformed, "'\(name.prefix(40))' is not a parameter of this path")
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw Fault(WireError(.duplicateKey, path: name))
            }
        }
        self.values = values
    }

    /// 1 to 100; 20 where it is not given.
    func limit() throws(Fault) -> Int {
        guard let text = values["limit"] else { return 20 }
        guard let limit = Self.wholeNumber(text), (1...100).contains(limit) else {
            throw Fault(WireError(.invalidValue(why: "must be a number from 1 to 100"), path: "limit"))
        }
        return Int(limit)
    }

    /// 1 or more.
    func productIndex() throws(Fault) -> Int64? {
        guard let number = try number("productIndex") else { return nil }
        guard number > 0 else {
            throw Fault(WireError(.invalidValue(why: "must be a number from 1 on"), path: "productIndex"))
        }
        return number
    }

    /// 0 to 100,000.
    func skip() throws(Fault) -> Int64? {
        guard let number = try number("skip") else { return nil }
        guard number <= 100_000 else {
            throw Fault(WireError(.invalidValue(why: "must be a number from 0 to 100000"), path: "skip"))
        }
        return number
    }

    func before() throws(Fault) -> Int64? { try number("before") }

    func afterNumber() throws(Fault) -> Int64? { try number("after") }

    func unread() throws(Fault) -> Bool? { try flag("unread") }

    func flag(_ name: String) throws(Fault) -> Bool? {
        switch values[name] {
        case nil: nil
        case "true": true
        case "false": false
        default: throw Fault(WireError(.invalidValue(why: "must be true or false"), path: name))
        }
    }

    func place() throws(Fault) -> PlaceID? { try id("place") }

    func after() throws(Fault) -> PartyID? { try id("after") }

    private func id<Subject>(_ name: String) throws(Fault) -> Identifier<Subject>? {
        guard let text = values[name] else { return nil }
        guard let id = Identifier<Subject>(text) else {
            throw Fault(WireError(.invalidValue(why: "must be 32 lowercase hexadecimal digits"), path: name))
        }
        return id
    }

    func table() throws(Fault) -> PrintedTable {
        // As document 001 misprints it.
        if values["name"] == "customerTansactions" { return .customerTransactions }
        guard let table: PrintedTable = try choice("name") else { throw Fault(WireError(.missingField, path: "name")) }
        return table
    }

    func offset() throws(Fault) -> Int64 { try number("offset") ?? 0 }

    private func number(_ name: String) throws(Fault) -> Int64? {
        guard let text = values[name] else { return nil }
        guard let number = Self.wholeNumber(text) else {
            throw Fault(WireError(.invalidValue(why: "must be a number"), path: name))
        }
        return number
    }

    func since() throws(Fault) -> Timestamp? {
        guard let text = values["since"] else { return nil }
        guard let time = Timestamp(rfc3339: Array(text.utf8)) else {
            throw Fault(WireError(.invalidValue(why: "must be a time like 2026-11-21T09:30:00Z"), path: "since"))
        }
        return time
    }

    func role() throws(Fault) -> Auth.Role? { try choice("role") }

    func kind() throws(Fault) -> Offers.Kind? { try choice("kind") }

    func accepted() throws(Fault) -> Offers.Acceptance? { try choice("accepted") }

    func radius() throws(Fault) -> Int64? { try number("radiusMetres") }

    func latitude() throws(Fault) -> Int64? { try coordinate("latitude") }
    func longitude() throws(Fault) -> Int64? { try coordinate("longitude") }

    /// Whether there is such a point is for the service to say.
    private func coordinate(_ name: String) throws(Fault) -> Int64? {
        guard let text = values[name] else { return nil }
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        guard let number = Self.wholeNumber(isNegative ? String(text.dropFirst()) : text) else {
            throw Fault(WireError(.invalidValue(why: "must be a number of millionths of a degree"), path: name))
        }
        return isNegative ? -number : number
    }

    func text(_ name: String) -> String? { values[name] }

    func customer() throws(Fault) -> PartyID {
        guard let customer: PartyID = try id("customer") else {
            throw Fault(WireError(.missingField, path: "customer"))
        }
        return customer
    }

    func username() throws(Fault) -> String {
        guard let username = text("username") else { throw Fault(WireError(.missingField, path: "username")) }
        return username
    }

    /// An id or a username.
    func payer() throws(Fault) -> String {
        guard let text = values["customer"] else { throw Fault(WireError(.missingField, path: "customer")) }
        guard (1...64).contains(text.utf8.count) else {
            throw Fault(WireError(.invalidValue(why: "must be an id or a username"), path: "customer"))
        }
        return text
    }

    func freshness() throws(Fault) -> Int64? {
        guard let text = values["freshness"] else { return nil }
        // As long as any position is kept.
        if text == "unlimited" { return 86_400 }
        guard let seconds = Self.wholeNumber(text), (1...86_400).contains(seconds) else {
            throw Fault(
                WireError(.invalidValue(why: "must be a number from 1 to 86400, or unlimited"), path: "freshness"))
        }
        return seconds
    }

    func state() throws(Fault) -> Payments.ChargeState? { try choice("state") }

    func merchantStatus() throws(Fault) -> Auth.MerchantStatus? { try choice("status") }

    func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String
    ) throws(Fault) -> Choice? {
        guard let text = values[name] else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw Fault(WireError(.invalidValue(why: "must be one of \(names)"), path: name))
        }
        return choice
    }

    /// Digits only: `Int64("+5")` would be a second spelling.
    static func wholeNumber(_ text: String) -> Int64? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int64(text) : nil
    }
}

/// Undoes percent-encoding (RFC 3986 section 2.1); nil where it is broken, not UTF-8, or has U+0000, which no message
/// may have.
private func percentDecoded(_ text: Substring) -> String? {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "%") else {
            bytes.append(byte)
            continue
        }
        guard let high = rest.popFirst().flatMap(hexValue), let low = rest.popFirst().flatMap(hexValue) else {
            return nil
        }
        bytes.append(high << 4 | low)
    }
    return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
}
