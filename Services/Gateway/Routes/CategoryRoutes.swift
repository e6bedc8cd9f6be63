import Contracts
import Wire

/// The kinds of products that merchants choose from, and customers search by.
package struct Categories: WireMessage, Equatable {
    package struct Entry: Codable, Sendable, Equatable {
        package let category: Category
        /// As people read it: English and German.
        package let en: String
        package let de: String
    }

    package let categories: [Entry]
}

extension RouteTable {
    static let categories = [
        Route(
            .get, "/v1/categories", "readCategories", "The kinds of products that a merchant can name", for: .everyone,
            asks: []
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Categories> in
            Given(
                Categories(
                    categories: Category.allCases.map { category in
                        let names = category.names
                        return Categories.Entry(category: category, en: names.en, de: names.de)
                    }))
        }
    ]

    /// A form names kinds of products that there are. Those of accounts that are older stay as they are.
    static func requireCategories(_ types: [String]?) throws(Fault) {
        guard types?.contains(where: { Category(rawValue: $0) == nil }) ?? false else { return }
        let names = Category.allCases.map(\.rawValue).joined(separator: ", ")
        throw Fault(.profileInvalid, "'productTypes' has some of \(names)")
    }
}
