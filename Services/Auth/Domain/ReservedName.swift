import Contracts

/// Usernames that only the set itself may register: its own, and names that people would take for it.
///
/// The whole list is in the service's README, for other implementations.
enum ReservedName {
    private static let names = Set(Catalogue.services.map { $0.service }).union([
        "billfold", "touchshop",
        "admin", "administrator", "administrators", "billing", "helpdesk", "mailerdaemon", "noreply", "official",
        "operator", "postmaster", "root", "security", "support", "system", "webmaster"
    ])

    /// Case and `._@+-` do not matter: "Touch.Shop" is read as "touch-shop".
    static func contains(_ username: String) -> Bool {
        names.contains(username.lowercased().filter { !"._@+-".contains($0) })
    }
}
