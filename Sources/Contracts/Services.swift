/// The services of the set, for everything that deals with each of them: health, metrics, the operator's page,
/// `status`, `verify`, `backup`, `restore`, `check`, and the names that no account may have.
extension Catalogue {
    /// The two that everything passes, then each service before those that ask it.
    package static let services: [any BusService.Type] = [
        Gateway.self,
        Broker.self,
        Auth.self,
        Wallet.self,
        Location.self,
        Offers.self,
        Payments.self,
        Routines.self,
        Ordering.self,
        Storefront.self,
        Notifications.self
    ]

    /// Services with data, each before the sources whose facts it applies: copied in this order, no copy has applied
    /// facts that a later one lacks.
    package static let dataOwners: [any DataOwner.Type] = {
        var left = Array(services.compactMap { $0 as? any DataOwner.Type }.reversed())
        var ordered: [any DataOwner.Type] = []
        while !left.isEmpty {
            let next = left.firstIndex { source in
                !left.contains { $0.consumes.contains { $0.service == source.service } }
            }
            ordered.append(left.remove(at: next ?? 0))
        }
        return ordered
    }()

    package static func isService(_ name: String) -> Bool { services.contains { $0.service == name } }
}
