import Foundation
import Scaffold
import Testing

@Suite("A new service")
struct ScaffoldTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../..").standardized

    /// Files of this checkout, as git would list them.
    private static let paths: [String] = {
        var paths = ["Package.swift", "docker-compose.yml"].filter { exists($0) }
        for folder in ["Services", "Sources", "Tests", "deploy"] {
            let found = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
            while let path = found?.nextObject() as? String {
                if found?.fileAttributes?[.type] as? FileAttributeType == .typeRegular {
                    paths.append("\(folder)/\(path)")
                }
            }
        }
        return paths.filter { !$0.contains("__pycache__") }.sorted()
    }()

    private static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    private static func read(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    private static func greetings() throws -> NewService {
        try NewService(ServiceName("greetings"), paths: paths, read: read)
    }

    @Test("finds in this checkout every place that it adds to, and adds no more than lines")
    func insertions() throws {
        let service = try Self.greetings()
        #expect(
            Set(service.changed.map(\.path)).union(service.missing)
                == Set(service.name.insertions.map(\.path)).union([
                    "Sources/Contracts/Generated/Catalogue+Generated.swift"
                ]))
        for file in service.changed {
            let before = try Self.read(file.path)
            #expect(file.text.count > before.count, "\(file.path)")
            let kept = Set(file.text.split(separator: "\n"))
            let lost = before.split(separator: "\n").filter { !kept.contains($0) }
            #expect(lost == [])
        }
    }

    @Test("fills in every name")
    func names() throws {
        for file in try Self.greetings().made {
            #expect(!file.path.contains("__") && !file.text.contains("__name__"), "\(file.path)")
            #expect(!file.text.localizedCaseInsensitiveContains("__name"), "\(file.path)")
        }
    }

    @Test("comes with process, store, contract, golden files and tests")
    func files() throws {
        let paths = Set(try Self.greetings().made.map(\.path))
        let needed = [
            "Services/Greetings/Main/GreetingsMain.swift", "Services/Greetings/README.md",
            "Services/Greetings/Store/Migrations.swift", "Sources/Contracts/Greetings.swift",
            "Sources/Contracts/Generated/Greetings+Generated.swift",
            "Tests/GreetingsTests/GreetingsTests.swift",
            "Tests/process/test_greetings.py", "Services/Gateway/Routes/GreetingsRoutes.swift",
            "Sources/Tools/Conformance/Specifications/GreetingsSpecification.swift"
        ]
        let types = [
            "note.add.v1", "note.add.v1.reply", "note.added.v1", "facts.head.v1", "facts.read.v1",
            "facts.read.v1.reply", "facts.read.v1.reply.bare", "stats.read.v1", "stats.read.v1.reply",
            "backup.write.v1", "backup.write.v1.reply", "state.follow.v1", "state.read.v1.bare", "state.seal.v1.reply"
        ]
        for path in needed + types.map({ "Tests/ContractTests/Golden/greetings.\($0).json" }) {
            #expect(paths.contains(path), "\(path)")
        }
    }

    @Test("golden files are JSON that speaks of the new service only")
    func golden() throws {
        let golden = try Self.greetings().made.filter { $0.path.contains("/Golden/") }
        for file in golden {
            let event = try JSONSerialization.jsonObject(with: Data(file.text.utf8)) as? [String: Any]
            let type = try #require(event?["type"] as? String)
            #expect(type.hasPrefix("greetings."), "\(file.path)")
            #expect(!file.text.contains("location"), "\(file.path)")
        }
    }

    @Test("its messages are in the catalogue, with their codecs and comments")
    func catalogue() throws {
        let service = try Self.greetings()
        let list = try #require(service.changed.first { $0.path.hasSuffix("Catalogue+Generated.swift") })
        for type in ["Greetings.AddNote", "ReadFacts<Greetings>", "WriteBackup<Greetings>", "Greetings.NoteAdded"] {
            #expect(list.text.contains("        \(type).self,\n"), "\(type)")
        }
        let own = try #require(service.made.first { $0.path.hasSuffix("Greetings+Generated.swift") })
        #expect(own.text.contains("Keeps a note of an account. Keyed on `note`."))
    }

    @Test(
        "refuses names that cannot be one",
        arguments: [
            "", "x", "Ordering", "pre-order", "order2", "été", "string", "try", "billfold",
            String(repeating: "a", count: 25)
        ])
    func wrongNames(name: String) { #expect(throws: ServiceName.Wrong.self) { try ServiceName(name) } }

    @Test(
        "refuses names that something has", arguments: ["wallet", "gateway", "money", "storage", "fault", "catalogue"])
    func takenNames(name: String) {
        #expect(throws: NewService.Refusal.self) {
            try NewService(ServiceName(name), paths: Self.paths, read: Self.read)
        }
    }

    @Test("a checkout without a template, or whose files have changed, is refused before anything is written")
    func foreign() throws {
        #expect(throws: NewService.Refusal.noTemplate) {
            try NewService(ServiceName("greetings"), paths: ["Package.swift"], read: { _ in "" })
        }
        #expect(throws: Insertion.Missing.self) {
            try NewService(
                ServiceName("greetings"), paths: Self.paths,
                read: { $0 == "Package.swift" ? "// empty" : try Self.read($0) })
        }
    }

    @Test("adds where the text stands that it looks for, once")
    func insertion() throws {
        let insertion = Insertion("list", .after, "one,", add: " two,")
        #expect(try insertion.applied(to: "zero, one, three") == "zero, one, two, three")
        #expect(throws: Insertion.Missing(path: "list", anchor: "one,", count: 2)) {
            try insertion.applied(to: "one, one,")
        }
    }
}
