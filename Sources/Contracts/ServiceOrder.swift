/// The one order of services: a service asks only services before it.
///
/// It consumes as facts what it needs of services after it. Its `ServiceDefinition` names those that it asks, and the
/// bus refuses any other ask.
package enum ServiceOrder {
    /// The gateway is the last, as it asks all others.
    package static let services: [any BusService.Type] =
        Catalogue.services.filter { $0 != Gateway.self } + [Gateway.self]

    /// Whether a service stands before another.
    package static func stands(_ first: any BusService.Type, before second: any BusService.Type) -> Bool {
        func place(of service: any BusService.Type) -> Int? { services.firstIndex { $0.service == service.service } }
        guard let first = place(of: first), let second = place(of: second) else { return false }
        return first < second
    }
}
