import Wire

/// The one list of what is never shown of a message.
package enum Redaction {
    /// Stands where something is not shown.
    package static let mask = "•••"

    /// Names of fields whose values are secrets or personal data.
    private static let fields: Set<String> = secrets.union([
        "publicKey",
        "latitude", "longitude", "distanceMetres", "bearingDegrees", "speed", "accuracyMetres", "address", "email",
        "birthdate", "gender", "firstName", "lastName", "text", "simulated", "registrationId", "regId"
    ])
    /// Those with which somebody else could act as their owner.
    private static let secrets: Set<String> = [
        "password", "newPassword", "pin", "currentPin", "token", "tokenDigest", "secret", "payCode", "auth", "p256dh"
    ]

    /// The same message with every such value masked, however deep it lies.
    package static func masked(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let members):
            .object(members.map { .init($0.key, hides($0) ? .string(mask) : masked($0.value)) })
        case .array(let elements): .array(elements.map(masked))
        case .null, .bool, .integer, .fraction, .string: value
        }
    }

    /// The value of a field, or the mask if it is a secret. Personal data stay: for operators who may read all of it.
    package static func withoutSecret(_ name: String, _ value: JSONValue) -> JSONValue {
        let member = JSONValue.Member(name, value)
        return value != .null && (secrets.contains(name) || isCode(member)) ? .string(mask) : value
    }

    private static func hides(_ member: JSONValue.Member) -> Bool {
        if member.value == .null { return false }
        return fields.contains(member.key) || isCode(member) || isMailAddress(member)
    }

    /// A letter's receiver; a transfer's `to` is an id.
    private static func isMailAddress(_ member: JSONValue.Member) -> Bool {
        guard member.key == "to", case .string(let text) = member.value else { return false }
        return text.contains("@")
    }

    private static func isCode(_ member: JSONValue.Member) -> Bool {
        switch (member.key, member.value) {
        // A card's number is text; a notice's and an entry's are numbers.
        case ("number", .string): return true
        // Rows of a printed table or of a hand-over, whose columns may be anything; a count of them is a number.
        case ("rows", .array), ("removed", .array): return true
        // A pay code, a card's or a reset's; but a refusal's is `service.what_happened`.
        case ("code", .string(let code)): return code.wholeMatch(of: /[a-z]+\.[a-z_]+/) == nil
        case ("code", _): return true
        default: return false
        }
    }
}
