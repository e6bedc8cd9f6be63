import Contracts
import Foundation
import Testing

@Suite("Asks go down, facts come up")
struct ServiceOrderTests {
    private static let services = ServiceOrder.services
    private static let names = services.map { $0.service.service }

    @Test("each service that answers or publishes stands in the order once")
    func complete() {
        let known = Set((Catalogue.asks.map { $0.type } + Catalogue.facts.map { $0.type }).map(\.service))
        #expect(Set(Self.names) == known)
        #expect(Self.names.count == known.count)
    }

    @Test("a service asks only those before it, so that no two can wait for each other")
    func down() {
        for (place, needs) in Self.services.enumerated() {
            let before = Self.names.prefix(place)
            for other in needs.asks {
                #expect(before.contains(other.service), "\(needs.service.service) asks \(other.service)")
            }
        }
    }

    @Test("what is not declared is refused: another service's asks, and the facts of one that is not consumed")
    func allowed() throws {
        let offers = try #require(ServiceOrder.needs(of: Offers.service))
        #expect(offers.allow(Auth.ReadAccount.type) && offers.allow(Location.ReadPosition.type))
        #expect(offers.allow(ReadFacts<Payments>.type) && !offers.allow(Payments.ReadCharges.type))
        #expect(!offers.allow(Wallet.ReadCard.type) && !offers.allow(ReadFacts<Wallet>.type))
        #expect(!offers.consume(Wallet.service) && offers.consume(Payments.service))
        #expect(ServiceOrder.needs(of: "billfold") == nil)
    }

    /// A service that makes another's ask asks it; one that names another's fact consumes it.
    @Test(
        "each service's sources ask and consume what it declares, and nothing else",
        arguments: ServiceOrder.services.map { $0.service.service })
    func declared(name: String) throws {
        // The broker is asked only; the gateway asks everybody, also by types that stand in no text.
        guard name != Broker.service, name != Gateway.service else { return }
        let needs = try #require(ServiceOrder.needs(of: name))
        let (asks, facts) = (Self.swiftNames(of: Catalogue.asks), Self.swiftNames(of: Catalogue.facts))
        var (asked, consumed) = (Set<String>(), Set<String>())
        for text in try Self.sources(of: name) {
            for match in text.matches(of: /\b([A-Z][A-Za-z]*)\.([A-Z][A-Za-z]*)\b(\(?)/) {
                let (type, isMade) = ("\(match.output.1).\(match.output.2)", !match.output.3.isEmpty)
                if let service = asks[type], isMade { asked.insert(service) }
                if let service = facts[type] { consumed.insert(service) }
            }
        }
        #expect(asked.subtracting([name]) == Set(needs.asks.map { $0.service }))
        #expect(consumed.subtracting([name]) == Set(needs.consumes.map { $0.service }))
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
