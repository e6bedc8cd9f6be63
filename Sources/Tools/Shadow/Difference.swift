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
}
