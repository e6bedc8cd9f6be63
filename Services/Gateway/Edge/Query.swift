import Contracts
import Primitives
import Wire

/// A parameter that a route takes behind the `?`.
package struct QueryParameter: Sendable {
    package let name: String
    let summary: String
    let schema: JSONValue
    let example: JSONValue

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
        name: "freshness", summary: "How old a position may be, in seconds; 600 where it is not given.",
        schema: ["type": "integer", "minimum": 1, "maximum": 86_400], example: 600)

    static let unread = QueryParameter(
        name: "unread", summary: "`true`: only those that are not read yet.", schema: ["type": "boolean"],
        example: true)
    static let after = QueryParameter(
        name: "after",
        summary: "Only notices behind this number: the `head` of an inbox that was read before. `Last-Event-ID` goes "
            + "before it.",
        schema: ["type": "integer", "format": "int64", "minimum": 0, "maximum": 9_223_372_036_854_775_807],
        example: 7)

    static let page = [before, limit]
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
                throw Fault(.malformed, "the query has a parameter that this path does not take")
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

    func before() throws(Fault) -> Int64? {
        guard let text = values["before"] else { return nil }
        guard let before = Self.wholeNumber(text) else {
            throw Fault(WireError(.invalidValue(why: "must be a number"), path: "before"))
        }
        return before
    }

    func after() throws(Fault) -> Int64? {
        guard let text = values["after"] else { return nil }
        guard let after = Self.wholeNumber(text) else {
            throw Fault(WireError(.invalidValue(why: "must be a number"), path: "after"))
        }
        return after
    }

    func unread() throws(Fault) -> Bool? {
        switch values["unread"] {
        case nil: nil
        case "true": true
        case "false": false
        default: throw Fault(WireError(.invalidValue(why: "must be true or false"), path: "unread"))
        }
    }

    func place() throws(Fault) -> PlaceID? {
        guard let text = values["place"] else { return nil }
        guard let place = PlaceID(text) else {
            throw Fault(WireError(.invalidValue(why: "must be 32 lowercase hexadecimal digits"), path: "place"))
        }
        return place
    }

    func freshness() throws(Fault) -> Int64? {
        guard let text = values["freshness"] else { return nil }
        guard let seconds = Self.wholeNumber(text), (1...86_400).contains(seconds) else {
            throw Fault(WireError(.invalidValue(why: "must be a number from 1 to 86400"), path: "freshness"))
        }
        return seconds
    }

    func state() throws(Fault) -> Payments.ChargeState? {
        guard let text = values["state"] else { return nil }
        guard let state = Payments.ChargeState(rawValue: text) else {
            let names = Payments.ChargeState.allCases.map(\.rawValue).joined(separator: ", ")
            throw Fault(WireError(.invalidValue(why: "must be one of \(names)"), path: "state"))
        }
        return state
    }

    /// Digits only: `Int64("+5")` would be a second spelling.
    static func wholeNumber(_ text: String) -> Int64? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int64(text) : nil
    }
}

/// Undoes percent-encoding (RFC 3986 section 2.1); nil where it is broken or not UTF-8.
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
    return String(validating: bytes, as: UTF8.self)
}
