import Contracts
import Wire

extension SchemaAccount {
    /// All that a declaration says of a type: its comment, those of its fields, and their limits.
    init(of type: any Any.Type) {
        switch type {
        case let shape as any Shape.Type: self.init(describing: shape)
        case let choice as any Choice.Type: self.init(summary: Self.summary(of: choice)) { _ in nil }
        default: self.init { _ in nil }
        }
    }

    private init<Described: Shape>(describing shape: Described.Type) {
        var notes: [String: SchemaNote] = [:]
        for field in Described.fields {
            let limit = Described.limits.first { $0.field == field.path }
            guard limit != nil || !field.summary.isEmpty else { continue }
            notes[field.name] = SchemaNote(field, limit)
        }
        if Described.self == FactsPage.self { notes["facts"] = .envelopes }
        self.init(summary: Described.summary.isEmpty ? nil : Described.summary) { [notes] in notes[$0] }
    }

    /// The choice's comment, and those of its cases by what they are on the wire.
    private static func summary<Described: Choice>(of type: Described.Type) -> String? {
        let cases = Described.allCases.compactMap { one -> String? in
            guard let name = (one as? any RawRepresentable)?.rawValue as? String, let text = Described.meanings[one]
            else { return nil }
            return "`\(name)`: \(text)"
        }
        let parts = (Described.summary.isEmpty ? [] : [Described.summary]) + cases
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
}

extension SchemaNote {
    /// Facts travel in pages as they were published.
    fileprivate static let envelopes = SchemaNote(
        "Envelopes as published, oldest first.",
        constraints: [.init("items", ["$ref": .string(SchemaSet.reference("Envelope"))])], example: [])

    /// A limit where JSON Schema can say it. Bytes are given as characters, of which there are never more.
    fileprivate init<Owner>(_ field: Field<Owner>, _ limit: Limit<Owner>?) {
        let (constraints, usual) = limit.map { Self.constraints(of: $0.constraint) } ?? ([], nil)
        var example: JSONValue?
        switch limit?.example {
        case .text(let text): example = .string(text)
        case .number(let number): example = .integer(number)
        case nil: if limit?.constraint == .amount { example = ["amount": 150, "currency": "USD"] }
        }
        let summary = field.summary.isEmpty ? usual ?? "" : field.summary
        self.init(summary, constraints: constraints, example: example)
    }

    /// The members of a schema, and what they mean where the field has no comment.
    private static func constraints(of constraint: Constraint) -> ([JSONValue.Member], String?) {
        switch constraint {
        case .text(let lengths), .scalars(let lengths): (bounds("Length", lengths), nil)
        case .count(let counts): (bounds("Items", counts), nil)
        case .characters(let alphabet, let counts):
            ([.init("pattern", .string("^[\(alphabet.rawValue)]{\(counts.digits)}$"))], nil)
        case .number(let range):
            (
                [.init("minimum", .integer(range.lowerBound))]
                    + (range.upperBound < .max ? [.init("maximum", .integer(range.upperBound))] : []), nil
            )
        case .amount:
            (
                [.init("$ref", .string(SchemaSet.reference("Amount")))], "More than nothing, in minor units."
            )
        case .latitude: (degrees(90_000_000), "Millionths of a degree, north of the equator.")
        case .longitude: (degrees(180_000_000), "Millionths of a degree, east of Greenwich.")
        case .choice(let names): ([.init("enum", .array(names.map(JSONValue.string)))], "One of the service's own.")
        case .none, .shape: ([], nil)
        }
    }

    private static func bounds(_ what: String, _ range: ClosedRange<Int>) -> [JSONValue.Member] {
        [
            .init("min\(what)", .integer(Int64(range.lowerBound))),
            .init("max\(what)", .integer(Int64(range.upperBound)))
        ]
    }

    private static func degrees(_ most: Int64) -> [JSONValue.Member] {
        [.init("minimum", .integer(-most)), .init("maximum", .integer(most))]
    }
}

extension ClosedRange<Int> {
    /// As a regular expression counts.
    fileprivate var digits: String { lowerBound == upperBound ? "\(lowerBound)" : "\(lowerBound),\(upperBound)" }
}
