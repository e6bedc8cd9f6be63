import Wire

/// One place at which two answers are not the same.
package struct Difference: Equatable, Sendable {
    /// From the envelope on: `data.offers[2].title`; of a list's length `data.offers.count`.
    package let path: String
    /// Nil where there is nothing.
    package let live: JSONValue?
    package let shadow: JSONValue?

    package init(path: String, live: JSONValue?, shadow: JSONValue?) {
        self.path = path
        self.live = live
        self.shadow = shadow
    }

    /// The path without places in lists, which is what differences are counted by: `data.offers[].title`.
    package var kind: String { path.replacing(/\[[0-9]+\]/, with: "[]") }
}

/// An answer as far as two of them can be compared: whose it is and when it was made differs always.
package struct ComparedAnswer: Equatable, Sendable {
    package let type: String
    package let data: JSONValue

    /// More differences than these are not looked for in one answer.
    package static let differencesMax = 100

    package init(type: String, data: JSONValue) {
        self.type = type
        self.data = data
    }

    /// Nil when it is no envelope.
    package init?(envelope: [UInt8]) {
        guard let event = try? JSONValue(parsing: envelope), case .string(let type)? = event["type"] else { return nil }
        self.init(type: type, data: event["data"] ?? .object([]))
    }

    /// Where they differ. Of refusals only what programs decide by is compared: texts are for people (RFC 9457, 3.1).
    ///
    /// - Parameter ignored: kinds of differences that are none, as `Difference.kind` says them.
    package func differences(from shadow: ComparedAnswer, ignoring ignored: Set<String>) -> [Difference] {
        var found: [Difference] = []
        if type != shadow.type {
            found.append(Difference(path: "type", live: .string(type), shadow: .string(shadow.type)))
        } else if type.hasSuffix(".reply") {
            Self.compare(data, shadow.data, at: "data", &found)
        } else {
            for member in ["code", "status", "retry"] {
                Self.compare(data[member], shadow.data[member], at: "data.\(member)", &found)
            }
        }
        return found.filter { !ignored.contains($0.kind) }
    }

    private static func compare(_ live: JSONValue?, _ shadow: JSONValue?, at path: String, _ found: inout [Difference])
    {
        guard found.count < differencesMax else { return }
        switch (live, shadow) {
        case (.object(let one)?, .object(let other)?):
            for member in one { compare(member.value, shadow?[member.key], at: "\(path).\(member.key)", &found) }
            for member in other where live?[member.key] == nil {
                compare(nil, member.value, at: "\(path).\(member.key)", &found)
            }
        case (.array(let one)?, .array(let other)?):
            if one.count != other.count {
                let (count, others) = (JSONValue.integer(Int64(one.count)), JSONValue.integer(Int64(other.count)))
                found.append(Difference(path: "\(path).count", live: count, shadow: others))
            }
            for (index, pair) in zip(one, other).enumerated() {
                compare(pair.0, pair.1, at: "\(path)[\(index)]", &found)
            }
        default:
            // A field that may be absent may be null (docs/wire.md, "Strictness").
            if (live ?? .null) != (shadow ?? .null) { found.append(Difference(path: path, live: live, shadow: shadow)) }
        }
    }
}
