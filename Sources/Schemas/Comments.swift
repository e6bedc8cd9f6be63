import Contracts

/// What the comments in `Sources/Contracts` say of messages and of their fields, for readers of documents.
///
/// A running process has no comments: `ContractsComments.text` is a copy of them, and a test holds it to the source.
package struct Comments: Sendable {
    /// By path: `Wallet.PostPayment`, `Wallet.PostPayment.memo`, `Location.UpdateOutcome.stored`.
    private let texts: [Substring: String]
    /// `Wallet.PostPayment` → `wallet.payment.post.v1`.
    private let types: [String: String]

    /// - Parameter text: a path, a colon and a comment on each line.
    package init(_ text: String) {
        let types = Dictionary(uniqueKeysWithValues: Catalogue.types.map { (Self.path(of: $0.type), $0.name) })
        self.types = types
        var texts: [Substring: String] = [:]
        for line in text.split(separator: "\n") {
            guard let colon = line.firstRange(of: ": ") else { continue }
            let path = line[..<colon.lowerBound]
            let comment = Self.reworded(line[colon.upperBound...], at: path, types)
            if !comment.isEmpty { texts[path] = comment }
        }
        self.texts = texts
    }

    /// Those that this was built with. Made anew each time: a document needs them once.
    package static var own: Comments { Comments(ContractsComments.text) }

    package subscript(_ path: String) -> String? { texts[path[...]] }

    /// Where the comments of a type are: `Contracts.ReadFacts<Contracts.Auth>` → `ReadFacts`.
    package static func path(of type: any Any.Type) -> String {
        String(reflecting: type).prefix { $0 != "<" }.split(separator: ".").dropFirst().joined(separator: ".")
    }

    /// Comments as others can read them: without the numbers of requirements, and with the names that messages have on
    /// the wire.
    private static func reworded(_ text: Substring, at path: Substring, _ types: [String: String]) -> String {
        let plain = String(text)
            .replacing(/\s\((?:00\d-\d+|A\d+)(?:(?:,| …) (?:00\d-\d+|A\d+))*\)/, with: "")
            .replacing(/,\s00\d-\d+\b/, with: "")
            .replacing(/^(?:00\d-\d+|A\d+)(?:,\s|\.$)/, with: "")
        return plain.replacing(/`([A-Z][A-Za-z.]+)`/) { match in
            // As the compiler looks a name up: from the innermost type outwards.
            var scope = path.split(separator: ".")
            while true {
                let name = (scope + [match.output.1]).joined(separator: ".")
                if let type = types[name] { return "`\(type)`" }
                guard scope.popLast() != nil else { return String(match.output.0) }
            }
        }
    }
}

extension Catalogue {
    /// Every type that has a name on the wire, with it.
    fileprivate static var types: [(type: any Any.Type, name: String)] {
        asks.filter { !isGeneric($0) }.map { ($0, $0.type.name) }
            + facts.filter { !isGeneric($0) }.map { ($0, $0.type.name) }
    }

    /// One that several services have.
    private static func isGeneric(_ type: any Any.Type) -> Bool { String(reflecting: type).contains("<") }
}

extension Comments {
    /// All that is known of a type: its comment, those of its fields, and their limits.
    func account(of type: any Any.Type) -> SchemaAccount {
        let path = Self.path(of: type)
        if let choice = type as? any CaseIterable.Type {
            return SchemaAccount(summary: summary(of: choice, path)) { _ in nil }
        }
        let limits = FieldLimits(type, path)
        return SchemaAccount(summary: self[path]) { field in
            let (comment, limit) = (self["\(path).\(field)"], limits[field])
            guard comment != nil || limit != nil else { return nil }
            let summary = comment ?? limit?.summary ?? ""
            return SchemaNote(summary, constraints: limit?.constraints ?? [], example: limit?.example)
        }
    }

    /// The choice's comment, and those of its cases by what they are on the wire.
    private func summary<Choice: CaseIterable>(of type: Choice.Type, _ path: String) -> String? {
        let cases = type.allCases.compactMap { one -> String? in
            guard let name = (one as? any RawRepresentable)?.rawValue as? String, let text = self["\(path).\(one)"]
            else { return nil }
            return "`\(name)`: \(text)"
        }
        let parts = (self[path].map { [$0] } ?? []) + cases
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
}
