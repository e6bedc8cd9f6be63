import Wire

/// A message, or a part of one: fields with names, documentation and limits.
///
/// A declaration writes the fields and, where there are any, `limits`; `deploy/contracts` writes the rest.
@usableFromInline
package protocol Shape: Codable, Sendable {
    /// The documentation comment.
    static var summary: String { get }
    /// In the order in which they are written.
    static var fields: [Field<Self>] { get }
    /// What may stand in the fields beyond their types.
    static var limits: [Limit<Self>] { get }
    /// The limits of fields that are shapes themselves.
    static var parts: [Limit<Self>] { get }
}

extension Shape {
    package static var limits: [Limit<Self>] { [] }
    package static var parts: [Limit<Self>] { [] }

    /// - Throws: the code of the first limit that a field breaks.
    package func check() throws(Fault) {
        for limit in Self.limits { try limit.check(self) }
        for limit in Self.parts { try limit.check(self) }
    }

    /// The name of a field, or of one in a field (`from.party`), on the wire.
    package static func name(of path: AnyKeyPath) -> String {
        if let field = fields.first(where: { $0.path == path }) { return field.name }
        for field in fields {
            guard let inner = type(of: field.path).valueType as? any Shape.Type,
                let name = inner.name(of: path, behind: field.path)
            else { continue }
            return "\(field.name).\(name)"
        }
        preconditionFailure("\(path) is no field of \(Self.self)")
    }

    private static func name(of path: AnyKeyPath, behind outer: AnyKeyPath) -> String? {
        fields.first { outer.appending(path: $0.path) == path }?.name
    }
}

/// A field of a shape.
@usableFromInline
package struct Field<Owner>: Sendable {
    /// On the wire and in Swift.
    package let name: String
    package let path: AnyPath<Owner>
    /// The documentation comment; empty where there is none.
    package let summary: String

    package init(_ name: String, _ path: AnyPath<Owner>, _ summary: String = "") {
        self.name = name
        self.path = path
        self.summary = summary
    }
}

/// A field's value that is one of several names.
package protocol Choice: Hashable, CaseIterable {
    /// The documentation comment; empty where there is none.
    static var summary: String { get }
    /// The comments of the cases that have one.
    static var meanings: [Self: String] { get }
}

@usableFromInline
package typealias Path<Owner, Value> = any KeyPath<Owner, Value> & Sendable
@usableFromInline
package typealias AnyPath<Owner> = any PartialKeyPath<Owner> & Sendable
