/// All declarations of `Sources/Contracts`, and what is written from them.
package struct Contracts: Sendable {
    package struct File: Equatable, Sendable {
        package let name: String
        package let text: String

        package init(name: String, text: String) {
            self.name = name
            self.text = text
        }
    }

    let files: [(name: String, declarations: [Declaration])]
    let byName: [String: Declaration]

    /// - Parameter files: the declaration files, without those that were generated.
    package init(_ files: [File]) {
        self.files = files.sorted { $0.name < $1.name }.map { ($0.name, DeclarationReader($0.text).declarations) }
        byName = Dictionary(
            self.files.flatMap(\.declarations).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    var declarations: [Declaration] { files.flatMap(\.declarations) }

    /// What `Sources/Contracts/Generated` has to hold.
    package var generated: [File] {
        let parts = files.compactMap { file -> File? in
            let text = file.declarations.compactMap(text(for:)).joined(separator: "\n")
            guard !text.isEmpty else { return nil }
            let name = file.name.replacing(/\.swift$/, with: "") + "+Generated.swift"
            return File(name: name, text: Self.head + "import Primitives\nimport Wire\n\n" + text)
        }
        return parts + [File(name: "Catalogue+Generated.swift", text: Self.head + catalogue)]
    }

    static let head = """
        // Written by deploy/contracts from the declarations of the same name: do not edit.
        // swift-format-ignore-file


        """

    private func text(for declaration: Declaration) -> String? {
        switch declaration.kind {
        case .alias: nil
        case .choice: choice(declaration)
        case .record: record(declaration)
        }
    }

    // MARK: Names

    /// A name as the compiler finds it from within a type: from the innermost scope outwards.
    func declaration(_ name: String, from path: [String]) -> Declaration? {
        for length in stride(from: path.count, through: 0, by: -1) {
            if let found = byName[(path.prefix(length) + [name]).joined(separator: ".")] { return found }
        }
        return nil
    }

    /// A type as it is written outside of all others: an extension does not see the names around its type.
    func qualified(_ type: String, in path: [String]) -> String {
        type.replacing(/\b[A-Z]\w*(?:\.[A-Z]\w*)*/) { match in
            let parts = match.output.split(separator: ".", maxSplits: 1).map(String.init)
            guard let found = declaration(parts[0], from: path) else { return String(match.output) }
            return ([found.name] + parts.dropFirst()).joined(separator: ".")
        }
    }

    /// A comment with the names that messages have on the wire, as a string literal.
    func literal(_ comment: String, in path: [String]) -> String {
        let worded = comment.replacing(/`([A-Z]\w*(?:\.[A-Z]\w*)*)`/) { match in
            guard let type = declaration(String(match.output.1), from: path)?.messageType else {
                return String(match.output.0)
            }
            return "`\(type)`"
        }
        return "\"" + worded.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
