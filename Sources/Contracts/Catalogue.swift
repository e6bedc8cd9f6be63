/// Every service and every message there is. `deploy/contracts` writes the lists of messages from the declarations.
package enum Catalogue {}

extension Catalogue {
    /// The service of that name; nil where there is none.
    /// What a program answers that takes a service's state over, under the name `next.<service>` instead of the
    /// service's own.
    package static let takeOvers: [any Ask.Type] = services.compactMap { service in
        func ask<Owner: StateOwner>(of owner: Owner.Type) -> any Ask.Type { AdvanceTakeOver<Owner>.self }
        return (service as? any StateOwner.Type).map { ask(of: $0) }
    }

    package static func service(_ name: String) -> (any BusService.Type)? { services.first { $0.service == name } }

    /// The ask of that name; nil where there is none.
    package static func ask(_ type: String) -> (any Ask.Type)? { asks.first { $0.type.name == type } }
}
