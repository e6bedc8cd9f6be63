import Contracts
import Wire

/// An ask at or beyond a limit that its contract declares. The declaration itself says which of them are refused, and
/// with which code.
package struct LimitBreach: Sendable {
    /// `with -1 for 'limit'`.
    package let what: String
    package let data: [UInt8]
    /// The refusal; nil for the last value that is allowed.
    package let code: FaultCode?
    /// The field's name.
    package let field: String

    private static let depthMax = 3

    package static func variants<A: Ask>(of ask: A) -> [LimitBreach] {
        guard let right = try? JSONValue(parsing: ask.json) else { return [] }  // a contract writes what it can read
        let bounds = Bounds(A.self)
        var variants: [LimitBreach] = []
        for (path, value) in leaves(of: right, at: []) {
            let field = path.joined(separator: ".")
            for candidate in bounds.candidates(for: value, at: path) {
                let data = Array(right.replacing(path[...], by: candidate).text.utf8)
                guard let made = try? A(json: data) else { continue }  // malformed: another case
                let words = "with \(shortened(candidate)) for '\(field)'"
                do throws(Fault) {
                    try made.check()
                    if bounds.isDeclared(path), !bounds.isOdd(candidate) {
                        variants.append(LimitBreach(what: words, data: data, code: nil, field: field))
                    }
                } catch {
                    variants.append(LimitBreach(what: words, data: data, code: error.code, field: field))
                }
            }
        }
        return variants
    }

    private static func leaves(of value: JSONValue, at path: [String]) -> [(path: [String], value: JSONValue)] {
        switch value {
        case .object(let members) where path.count < depthMax:
            members.flatMap { leaves(of: $0.value, at: path + [$0.key]) }
        case .integer, .string, .array: [(path, value)]
        default: []
        }
    }

    private static func shortened(_ value: JSONValue) -> String {
        switch value {
        case .string(let text) where text.utf8.count > 20: "\(text.utf8.count) bytes"
        case .array(let elements): "\(elements.count) elements"
        default: value.text
        }
    }

    /// The values around the bounds of an ask's fields.
    private struct Bounds {
        private let declared: [String: Constraint]

        init<A: Ask>(_ type: A.Type) {
            declared = Dictionary(
                A.limits.filter { $0.code != nil }.map { (A.name(of: $0.field), $0.constraint) },
                uniquingKeysWith: { first, _ in first })
        }

        func isDeclared(_ path: [String]) -> Bool { declared[path.joined(separator: ".")] != nil }

        /// A control character: other rules than the declared ones may refuse it.
        func isOdd(_ value: JSONValue) -> Bool {
            guard case .string(let text) = value else { return false }
            return text.utf8.contains(7)
        }

        func candidates(for value: JSONValue, at path: [String]) -> [JSONValue] {
            switch (declared[path.joined(separator: ".")], value) {
            case (.number(let range), .integer): around(range)
            case (.latitude, .integer): around(-90_000_000...90_000_000)
            case (.longitude, .integer): around(-180_000_000...180_000_000)
            case (.text(let range), .string(let text)), (.scalars(let range), .string(let text)),
                (.characters(_, let range), .string(let text)):
                lengths(range, of: text) + (text.isEmpty ? [] : [.string(text.dropLast() + "\u{7}")])
            case (.count(let range), .array(let elements)):
                elements.first.map { one in
                    [range.lowerBound - 1, range.upperBound, range.upperBound + 1].filter { $0 >= 0 && $0 <= 401 }
                        .map { .array(Array(repeating: one, count: $0)) }
                } ?? []
            case (_, .integer): [-1, 0, .integer(.max)]  // limits of a field's own type
            case (_, .string): ["", .string(String(repeating: "x", count: 5000))]
            default: []
            }
        }

        private func around(_ range: ClosedRange<Int64>) -> [JSONValue] {
            var values = [range.lowerBound, range.upperBound]
            if range.lowerBound > .min { values.append(range.lowerBound - 1) }
            if range.upperBound < .max { values.append(range.upperBound + 1) }
            return values.map(JSONValue.integer)
        }

        private func lengths(_ range: ClosedRange<Int>, of text: String) -> [JSONValue] {
            let letter = text.last ?? "x"
            return [range.lowerBound - 1, range.upperBound, range.upperBound + 1].filter { $0 >= 0 && $0 <= 20_000 }
                .map { .string(String(repeating: letter, count: $0)) }
        }
    }
}
