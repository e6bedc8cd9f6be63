/// What merchants sell: the one list that customers search by, on the bus by these names.
package enum Category: String, Codable, Sendable, CaseIterable {
    case food, coffee, groceries, pharmacy, fashion, electronics, books, home, sports, beauty, services, other

    /// As people read it, by language (ISO 639-1).
    package var names: (en: String, de: String) {
        switch self {
        case .food: ("Food", "Essen")
        case .coffee: ("Coffee", "Kaffee")
        case .groceries: ("Groceries", "Lebensmittel")
        case .pharmacy: ("Pharmacy", "Apotheke")
        case .fashion: ("Fashion", "Mode")
        case .electronics: ("Electronics", "Elektronik")
        case .books: ("Books", "Bücher")
        case .home: ("Home", "Haus und Garten")
        case .sports: ("Sports", "Sport")
        case .beauty: ("Beauty", "Schönheit")
        case .services: ("Services", "Dienstleistungen")
        case .other: ("Other", "Sonstiges")
        }
    }
}
