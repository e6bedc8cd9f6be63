import Contracts
import Schemas
import Wire

/// What the contracts say of the values in answers, as far as two services may choose them differently.
package struct AnswerRules: Sendable {
    package enum Rule: Sendable, Equatable {
        /// The contract and what was asked before decide.
        case same
        /// A moment: where a service reads its clock, the candidate's is later.
        case time
        /// An id or a secret, which the service may have made.
        case made
        /// Words for people, which are the service's own.
        case prose
    }

    /// Fields with what a service tells people in its own words, by the message's schema.
    private static let prose = ["NotificationsNoticeView": ["title", "text"]]
    /// Fields with what a service makes at random, by the message's schema.
    private static let made = ["payments.code.issue.v1.reply": ["code", "typed"]]
    /// Fields with what a service makes at random, in every message.
    private static let secrets: Set<String> = ["secret", "token", "publicKey"]
    /// Verbs of asks about the process itself, or that act on files beside it.
    private static let leftOut = [
        "stats.read.v1", "spans.read.v1", "facts.read.v1", "backup.write.v1", "cursor.move.v1", "state.follow.v1",
        "state.read.v1", "state.seal.v1"
    ]

    private let schemas: [String: JSONValue]
    private let replies: [String: JSONValue]

    package init() {
        let contracts = MessageSchemas()
        schemas = Dictionary(contracts.schemas.map { ($0.key, Self.marked($0.value, of: $0.key)) }) { first, _ in first
        }
        var replies: [String: JSONValue] = [:]
        for message in contracts.messages {
            guard case .array(let parts)? = message.value["payload"]?["allOf"], let own = parts.last else { continue }
            replies[message.key] = own["properties"]?["data"]
        }
        self.replies = replies
    }

    /// Whether the candidate is not given asks of that type: their answers say nothing of what the service does.
    package static func leavesOut(_ type: String) -> Bool {
        leftOut.contains { type.hasSuffix(".\($0)") }
    }

    /// The schema of an answer's data; nil for a type that no contract has.
    package func data(of type: String) -> JSONValue? { replies[type].map(resolved) }

    package func field(_ name: String, of schema: JSONValue?) -> JSONValue? {
        guard let schema else { return nil }
        if let own = schema["properties"]?[name] { return resolved(own) }
        guard case .object? = schema["additionalProperties"] else { return nil }
        return schema["additionalProperties"].map(resolved)
    }

    package func element(of schema: JSONValue?) -> JSONValue? { schema?["items"].map(resolved) }

    package func rule(_ name: String, _ schema: JSONValue?) -> Rule {
        if schema == Self.proseMark { return .prose }
        if schema == Self.madeMark || Self.secrets.contains(name) { return .made }
        if schema?["format"] == "date-time" { return .time }
        if schema?["pattern"] == "^[0-9a-f]{32}$" { return .made }
        return .same
    }

    /// Stands for the schema of a field of ``prose``.
    private static let proseMark: JSONValue = ["prose": true]
    /// Stands for the schema of a field of ``made``.
    private static let madeMark: JSONValue = ["made": true]

    private static func marked(_ schema: JSONValue, of name: String) -> JSONValue {
        let (words, secrets) = (prose[name] ?? [], made[name] ?? [])
        guard !words.isEmpty || !secrets.isEmpty, case .object(let members) = schema,
            case .object(let properties)? = schema["properties"]
        else { return schema }
        let own =
            properties.map { field in
                if words.contains(field.key) { return .init(field.key, proseMark) }
                return secrets.contains(field.key) ? .init(field.key, madeMark) : field
            } as [JSONValue.Member]
        return .object(members.map { $0.key == "properties" ? .init($0.key, .object(own)) : $0 })
    }

    /// Follows references, and what only adds a description or null.
    private func resolved(_ schema: JSONValue) -> JSONValue {
        if let name = schema["$ref"]?.string?.split(separator: "/").last, let named = schemas[String(name)] {
            return resolved(named)
        }
        for members in [schema["allOf"], schema["anyOf"]] {
            if case .array(let parts)? = members, let first = parts.first { return resolved(first) }
        }
        return schema
    }
}

extension JSONValue {
    var string: String? { if case .string(let text) = self { text } else { nil } }
}
