import Contracts
import ServiceKit
import Watch

/// The catalogue, as commands complete it.
enum CatalogueTypes {
    static let asks = Catalogue.asks.map { $0.type.name }.sorted()
    static let facts = Catalogue.facts.map { $0.type.name }.sorted()

    static func retry(named name: String) -> RetryClass? { RetryClass.allCases.first { $0.name == name } }

    /// The type that differs in the fewest letters, where the difference is a slip of the keyboard. A version that is
    /// missing or wrong does not count as a difference.
    static func nearest(to type: String) -> String? {
        let types = Dictionary(grouping: asks + facts, by: withoutVersion)
        return NearestName.nearest(to: withoutVersion(type), among: types.keys.sorted()).flatMap { types[$0]?.first }
    }

    private static func withoutVersion(_ type: String) -> String {
        type.firstRange(of: /\.v[0-9]*$/).map { String(type[..<$0.lowerBound]) } ?? type
    }

    /// Whether the catalogue has anything of a service.
    static func knows(service: String) -> Bool { (asks + facts).contains { $0.hasPrefix(service + ".") } }

    /// Types and services that this pattern may have meant.
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
