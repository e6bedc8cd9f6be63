import Wire

/// Fields that messages about one act have in common by their name, and so by their value.
package struct Echo: Sendable {
    private var known: [String: JSONValue] = [:]

    /// Whose moment it is differs from message to message.
    private static let own: Set<String> = ["time", "expires", "password", "pin"]

    /// - Parameter apart: names that mean something else in another message.
    package init(_ message: JSONValue, apart: [String]) {
        add(message)
        for name in apart { known[name] = nil }
    }

    /// Takes the fields of one more message; those known before stay.
    package mutating func add(_ message: JSONValue) {
        for (name, value) in Self.fields(of: message) where known[name] == nil && !Self.own.contains(name) {
            known[name] = value
        }
    }

    /// The first field whose value is another one, in words; nil where there is none.
    package func difference(_ message: JSONValue) -> String? {
        for (name, value) in Self.fields(of: message) {
            guard let wanted = known[name], !wanted.says(value), wanted.isOfTheForm(of: value) else { continue }
            return "'\(name)' is \(value.text), and should be \(wanted.text)"
        }
        return nil
    }

    /// A message's fields, and those of the objects that it wraps. Names that it has twice are left out: the two sides
    /// of a transfer both have a party.
    private static func fields(of message: JSONValue) -> [(String, JSONValue)] {
        guard case .object(let members) = message else { return [] }
        let fields = members.flatMap { member -> [(String, JSONValue)] in
            guard case .object(let inner) = member.value, inner.contains(where: { $0.value.typeName == .string }),
                member.value["currency"] == nil
            else { return [(member.key, member.value)] }
            return inner.map { ($0.key, $0.value) }
        }
        return fields.filter { field in fields.count { $0.0 == field.0 } == 1 }
    }
}

extension JSONValue {
    /// Whether it may be the same value in another message: of one type, and the elements of two lists are of one type
    /// too, and have the same fields if they are objects. What is asked for and what came of it may share a name.
    fileprivate func isOfTheForm(of other: JSONValue) -> Bool {
        guard typeName == other.typeName else { return false }
        if let own = firstElement, let others = other.firstElement, own.typeName != others.typeName { return false }
        guard let fields = fieldsOfElements, let others = other.fieldsOfElements else { return true }
        return fields == others
    }

    /// The names of the fields in a list's first object; nil where there is none.
    private var fieldsOfElements: Set<String>? {
        guard case .object(let members)? = firstElement else { return nil }
        return Set(members.map(\.key))
    }

    private var firstElement: JSONValue? {
        guard case .array(let elements) = self else { return nil }
        return elements.first
    }

    /// Whether it is the same as another value: members of an object may stand in any order.
    func says(_ other: JSONValue) -> Bool {
        switch (self, other) {
        case (.object(let left), .object(let right)):
            left.count == right.count
                && left.allSatisfy { member in right.first { $0.key == member.key }?.value.says(member.value) ?? false }
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.says($1) }
        default: self == other
        }
    }
}
