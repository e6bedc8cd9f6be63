/// Every service and every message there is. `deploy/contracts` writes the lists of messages from the declarations.
package enum Catalogue {}

extension Catalogue {
    /// The service of that name; nil where there is none.
    package static func service(_ name: String) -> (any BusService.Type)? { services.first { $0.service == name } }

    /// The ask of that name; nil where there is none.
    package static func ask(_ type: String) -> (any Ask.Type)? { asks.first { $0.type.name == type } }
}
