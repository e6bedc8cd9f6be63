/// All declarations of a folder, and what is written from them.
package struct Contracts: Sendable {
    /// The kinds of code that are written for the types of a folder.
    package enum Writing: Sendable {
        /// For messages: initialisers, descriptions, codecs, and the list of them.
        case messages
        /// For what else is JSON: codecs of those that ask for one by `FastCoded`.
        case codecs
    }

    package struct File: Equatable, Sendable {
        package let name: String
        package let text: String

        package init(name: String, text: String) {
            self.name = name
            self.text = text
        }
    }

    let files: [(name: String, read: DeclarationReader)]
    let byName: [String: Declaration]
    private let writing: Writing

    /// - Parameter files: the declaration files, without those that were generated.
    package init(_ files: [File], writing: Writing = .messages) {
        self.writing = writing
        self.files = files.sorted { $0.name < $1.name }.map { ($0.name, DeclarationReader($0.text)) }
        byName = Dictionary(
            self.files.flatMap(\.read.declarations).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    var declarations: [Declaration] { files.flatMap(\.read.declarations) }

    /// The files that the folder's `Generated` has to hold.
    package var generated: [File] {
        let parts = files.compactMap { file -> File? in
            let text = file.read.declarations.compactMap(text(for:)).joined(separator: "\n")
            guard !text.isEmpty else { return nil }
            let name = file.name.replacing(/\.swift$/, with: "") + "+Generated.swift"
            return File(name: name, text: Self.head + imports(of: file.read) + "\n" + text)
        }
        guard writing == .messages else { return parts }
        return parts + [File(name: "Catalogue+Generated.swift", text: Self.head + catalogue)]
    }

    private func imports(of file: DeclarationReader) -> String {
        let needed = ["Contracts", "Primitives", "Wire"].filter {
            $0 == "Wire" || file.imports.contains($0) || writing == .messages && $0 != "Contracts"
        }
        return needed.map { "import \($0)\n" }.joined()
    }

    static let head = """
        // Written by deploy/contracts from the declarations of the same name: do not edit.
        // swift-format-ignore-file


        """

    private func text(for declaration: Declaration) -> String? {
        switch declaration.kind {
        case .alias: nil
        case .choice: writing == .messages ? choice(declaration) : nil
        case .record: writing == .messages ? record(declaration) : coded(declaration)
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
