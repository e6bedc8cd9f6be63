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

/// A service with data of its own, which it publishes facts about and copies when it is asked to.
package protocol DataOwner: FactSource {
    /// Whose facts it applies to its data.
    static var consumes: [any FactSource.Type] { get }
    /// The secret without which its data cannot be used; nil where there is none.
    static var key: ServiceKey? { get }
}

extension DataOwner {
    package static var consumes: [any FactSource.Type] { [] }
    package static var key: ServiceKey? { nil }
}

/// Where a service looks for its key.
package struct ServiceKey: Sendable, Equatable {
    /// The file's name beside the service's data.
    package let file: String
    /// The setting that names another file.
    package let setting: String

    package init(file: String, setting: String) {
        self.file = file
        self.setting = setting
    }
}

extension Auth: DataOwner {
    package static var key: ServiceKey? { ServiceKey(file: "auth.key", setting: "BILLFOLD_AUTH_KEY_FILE") }
}

extension Wallet: DataOwner {
    package static var key: ServiceKey? { ServiceKey(file: "card-number.key", setting: "BILLFOLD_CARD_KEY_FILE") }
}

extension Location: DataOwner {}

extension Offers: DataOwner {
    package static var consumes: [any FactSource.Type] { [Auth.self, Location.self, Payments.self] }
}

extension Payments: DataOwner {
    package static var consumes: [any FactSource.Type] { [Wallet.self] }
    package static var key: ServiceKey? { ServiceKey(file: "code.key", setting: "BILLFOLD_CODE_KEY_FILE") }
}

extension Notifications: DataOwner {
    package static var consumes: [any FactSource.Type] { [Auth.self, Offers.self, Payments.self] }
    package static var key: ServiceKey? { ServiceKey(file: "vapid.key", setting: "BILLFOLD_VAPID_KEY_FILE") }
}
