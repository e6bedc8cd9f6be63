import Bus
import Contracts
import Primitives
import Wire

/// Which messages to show.
package struct MessageFilter: Sendable {
    /// Any of these; all types where there are none.
    package var types: [TypePattern]
    /// Identifiers that have to stand in the message: a card's, a charge's. All of them.
    package var subjects: [String]
    /// A trace's, a correlation's or a message's id.
    package var trace: String?

    package init(types: [TypePattern] = [], subjects: [String] = [], trace: String? = nil) {
        self.types = types
        self.subjects = subjects
        self.trace = trace
    }

    /// Heads are no events: they are shown only when they are named.
    package func wants(type: String) -> Bool {
        if types.isEmpty { return !type.hasSuffix(".facts.head.v1") }
        return types.contains { pattern in
            pattern.matches(type) && (!type.hasSuffix(".facts.head.v1") || pattern.text.contains("head"))
        }
    }

    package func wants(_ message: Envelope, _ data: JSONValue) -> Bool {
        guard wants(type: message.type) else { return false }
        if let trace {
            let own = [message.id, message.correlationID, message.causationID].contains { $0 == trace }
            guard own || message.traceparent.flatMap({ TraceID(traceparent: $0) })?.hex == trace else { return false }
        }
        return subjects.allSatisfy { data.names($0) }
    }
}

extension JSONValue {
    /// Whether a text is among its values, however deep.
    package func names(_ text: String) -> Bool {
        switch self {
        case .string(let own): own == text
        case .array(let elements): elements.contains { $0.names(text) }
        case .object(let members): members.contains { $0.value.names(text) }
        case .null, .bool, .integer, .fraction: false
        }
    }
}
