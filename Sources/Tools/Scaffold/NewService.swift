import ContractGenerator

/// What `billfold new` writes: worked out as a value, before a single file is touched.
package struct NewService: Sendable {
    package struct File: Sendable, Equatable {
        package let path: String
        package let text: String
    }

    package enum Refusal: Error, Equatable, CustomStringConvertible {
        case noTemplate
        case taken(path: String)
        case takenInSwift(name: String, path: String)

        package var description: String {
            switch self {
            case .noTemplate: "there is no template in \(NewService.template): is this a whole checkout?"
            case .taken(let path): "\(path) is there already"
            case .takenInSwift(let name, let path):
                "\(path) has a Swift type with the name \(name): choose another name"
            }
        }
    }

    /// Where the template's files are, at the paths that they are to have.
    package static let template = "deploy/new-service"
    /// A service whose messages that every service has are copied: its own golden files have them.
    private static let model = "location"
    private static let golden = "Tests/ContractTests/Golden"
    private static let contracts = "Sources/Contracts"

    package let name: ServiceName
    /// New ones, by path.
    package let made: [File]
    /// Those that are there, with what is added to them, by path.
    package let changed: [File]
    /// What the service does without, as a file of the set's description is missing.
    package let missing: [String]

    /// - Parameters:
    ///   - paths: of every file of the checkout.
    ///   - read: a file's text.
    /// - Throws: `Refusal`, `Insertion.Missing`, or what `read` throws.
    package init(_ name: ServiceName, paths: [String], read: (String) throws -> String) throws {
        self.name = name
        let there = Set(paths)
        try Self.checkSwiftName(name, paths, read)

        var made: [File] = []
        for path in paths where path.hasPrefix(Self.template + "/") {
            let target = name.filled(into: String(path.dropFirst(Self.template.count + 1)))
            made.append(File(path: target, text: Self.sortingImports(name.filled(into: try read(path)))))
        }
        guard !made.isEmpty else { throw Refusal.noTemplate }
        for path in paths where Self.isCommonGolden(path) {
            // Replies with facts have facts of the model's own.
            guard !path.hasSuffix(".facts.read.v1.reply.json") else { continue }
            made.append(
                File(
                    path: path.replacing("/\(Self.model).", with: "/\(name.text)."),
                    text: try read(path).replacing("\"\(Self.model)", with: "\"\(name.text)")))
        }
        if let taken = made.first(where: { there.contains($0.path) }) { throw Refusal.taken(path: taken.path) }
        if let taken = paths.first(where: { $0.hasPrefix("Services/\(name.capitalised)/") }) {
            throw Refusal.taken(path: taken)
        }

        var changed: [String: String] = [:]
        var missing: Set<String> = []
        for insertion in name.insertions {
            guard there.contains(insertion.path) || !insertion.isOptional else {
                missing.insert(insertion.path)
                continue
            }
            changed[insertion.path] = try insertion.applied(to: changed[insertion.path] ?? read(insertion.path))
        }
        for file in try Self.generated(paths, made, read) {
            let path = "\(Self.contracts)/Generated/\(file.name)"
            if !there.contains(path) {
                made.append(File(path: path, text: file.text))
            } else if try read(path) != file.text {
                changed[path] = file.text
            }
        }
        self.made = made.sorted { $0.path < $1.path }
        self.changed = changed.sorted { $0.key < $1.key }.map { File(path: $0.key, text: $0.value) }
        self.missing = missing.sorted()
    }

    private static func isCommonGolden(_ path: String) -> Bool {
        [
            "stats.read", "spans.read", "facts.read", "facts.head", "backup.write", "state.follow", "state.read",
            "state.seal"
        ].contains { path.hasPrefix("\(golden)/\(model).\($0).v1") }
    }

    /// A module, or a type that every file sees, of that name would hide the service's own.
    private static func checkSwiftName(
        _ name: ServiceName, _ paths: [String], _ read: (String) throws -> String
    ) throws {
        let folders = ["Sources/\(name.capitalised)/", "Sources/Tools/\(name.capitalised)/"]
        if let taken = paths.first(where: { path in folders.contains { path.hasPrefix($0) } }) {
            throw Refusal.taken(path: taken)
        }
        let declaration = try Regex(
            "(?m)^(?:package )?(?:struct|enum|protocol|typealias|actor|final class) \(name.capitalised)\\b")
        for path in paths where path.hasSuffix(".swift") && path.hasPrefix("Sources/") {
            if try read(path).contains(declaration) {
                throw Refusal.takenInSwift(name: name.capitalised, path: path)
            }
        }
    }

    /// Imports are sorted by names, of which one is new.
    private static func sortingImports(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let first = lines.firstIndex(where: { $0.hasPrefix("import ") }) else { return text }
        let end = lines[first...].firstIndex { !$0.hasPrefix("import ") } ?? lines.endIndex
        return (lines[..<first] + lines[first..<end].sorted() + lines[end...]).joined(separator: "\n")
    }

    // MARK: Contracts

    /// What follows from the declarations with the service's own among them.
    private static func generated(
        _ paths: [String], _ made: [File], _ read: (String) throws -> String
    ) throws -> [Contracts.File] {
        func isDeclaration(_ path: String) -> Bool {
            path.hasPrefix(contracts + "/") && path.hasSuffix(".swift")
                && !path.dropFirst(contracts.count + 1).contains("/")
        }
        let known = try paths.filter(isDeclaration).map { File(path: $0, text: try read($0)) }
        return Contracts(
            (known + made.filter { isDeclaration($0.path) }).map { file in
                Contracts.File(name: String(file.path.dropFirst(contracts.count + 1)), text: file.text)
            }
        ).generated
    }
}
