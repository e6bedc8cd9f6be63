import Contracts
import ServiceKit
import Watch

/// The catalogue, as commands complete it.
enum CatalogueTypes {
    static let asks = Catalogue.asks.map { $0.type.name }.sorted()
    static let facts = Catalogue.facts.map { $0.type.name }.sorted()

    static func retry(named name: String) -> RetryClass? { RetryClass.allCases.first { $0.name == name } }

    /// The type of which the fewest letters differ, where that is a slip of the keyboard.
    static func nearest(to type: String) -> String? { NearestName.nearest(to: type, among: asks + facts) }

    /// Whether the catalogue has anything of a service.
    static func knows(service: String) -> Bool { (asks + facts).contains { $0.hasPrefix(service + ".") } }

    /// Types and services that somebody may have meant who wrote this pattern.
    static func near(_ pattern: TypePattern, isOfAsks: Bool) -> [String] {
        let types = isOfAsks ? asks + facts : facts
        let services = Set(types.map { String($0.prefix { $0 != "." }) }).sorted()
        let near = NearestName.nearest(to: pattern.text, among: services + types, atMost: 3)
        guard near.isEmpty, let service = pattern.service else { return near }
        // Nothing is like it: what its service has, or what has a service like it.
        let meant = NearestName.nearest(to: service, among: services)
        return meant.map { name in Array(types.filter { $0.hasPrefix(name + ".") }.prefix(3)) } ?? services
    }
}

extension RetryClass {
    var name: String { String(describing: self) }
}
