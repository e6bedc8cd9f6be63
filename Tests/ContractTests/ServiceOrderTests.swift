import Contracts
import Foundation
import Testing

@Suite("A service asks only services before it")
struct ServiceOrderTests {
    private static let services = ServiceOrder.services
    private static let names = services.map { $0.service }

    @Test("each service that answers or publishes stands in the order once")
    func complete() {
        let known = Set((Catalogue.asks.map { $0.type } + Catalogue.facts.map { $0.type }).map(\.service))
        #expect(Set(Self.names) == known)
        #expect(Self.names.count == known.count)
    }

    /// Those that have a definition, and say whom they ask.
    private static let defined = services.filter { $0 != Broker.self && $0 != Gateway.self }.map { $0.service }

    @Test("a service asks only those before it, so that no two can wait for each other", arguments: defined)
    func down(name: String) throws {
        let asks = try Self.declared(by: name).asks
        let before = Self.names.prefix { $0 != name }
        for other in asks { #expect(before.contains(other), "\(name) asks \(other)") }
    }

    /// A service that makes another's ask asks it; one that names another's fact consumes or observes it.
    @Test("each service's sources ask and consume what it declares, and nothing else", arguments: defined)
    func declared(name: String) throws {
        let (asks, facts) = (Self.swiftNames(of: Catalogue.asks), Self.swiftNames(of: Catalogue.facts))
        var (asked, read) = (Set<String>(), Set<String>())
        for text in try Self.sources(of: name) {
            // The directory asks for its owner.
            if text.contains("AccountDirectory(") { asked.insert(Auth.service) }
            for match in text.matches(of: /\b([A-Z][A-Za-z]*)\.([A-Z][A-Za-z]*)(\(?)/.wordBoundaryKind(.simple)) {
                let (type, isMade) = ("\(match.output.1).\(match.output.2)", !match.output.3.isEmpty)
                if let service = asks[type], isMade { asked.insert(service) }
                if let service = facts[type] { read.insert(service) }
            }
        }
        let declared = try Self.declared(by: name)
        #expect(asked.subtracting([name]) == declared.asks)
        #expect(read.subtracting([name]) == declared.reads)
        // In the order of these a backup is taken.
        let owner = try #require(Catalogue.dataOwners.first { $0.service == name })
        #expect(Set(owner.consumes.map { $0.service }) == declared.consumes)
    }

    /// What a service's definition says, read from its source.
    private static func declared(
        by name: String
    ) throws -> (asks: Set<String>, consumes: Set<String>, reads: Set<String>) {
        let main = try sources(of: name).filter { $0.contains("ServiceDefinition(") }
        let text = try #require(main.first)
        let asks = text.firstMatch(of: /\basks: \[([^\]]*)\]/).map { String($0.output.1) } ?? ""
        let consumes = text.matches(of: /\b(?:to|from): ([A-Z][A-Za-z]*)\.self/).map { $0.output.1.lowercased() }
        let observes = text.matches(of: /ObservedFacts\(([A-Z][A-Za-z]*)\./).map { $0.output.1.lowercased() }
        return (
            Set(asks.matches(of: /([A-Z][A-Za-z]*)\.self/).map { $0.output.1.lowercased() }), Set(consumes),
            Set(consumes + observes)
        )
    }

    /// `Auth.ReadAccount` and the like, each with its service.
    private static func swiftNames(of messages: [Any.Type]) -> [String: String] {
        var names: [String: String] = [:]
        for message in messages {
            let type = (message as? any Ask.Type)?.type ?? (message as? any Fact.Type)?.type
            names[String(reflecting: message).replacing("Contracts.", with: "")] = type?.service
        }
        return names
    }

    private static func sources(of service: String) throws -> [String] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Services/\(service.capitalized)").standardized
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        let texts = try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
            .map { try String(contentsOf: $0, encoding: .utf8) }
        try #require(!texts.isEmpty)
        return texts
    }
}
