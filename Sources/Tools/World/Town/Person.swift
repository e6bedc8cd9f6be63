import Primitives

/// A customer of the town.
package struct Person: Sendable {
    package let number: Int
    package let firstName: String
    package let lastName: String
    package let isFemale: Bool
    package let birthdate: String
    package let isStudent: Bool
    package let home: Coordinate
    /// Shops that the person subscribes to and goes to most: indexes in `Town.shops`.
    package let favourites: [Int]

    package var username: String { "\(firstName).\(lastName)".lowercased() }
    package var name: String { "\(firstName) \(lastName)" }
    package var email: String { "\(username)@flagstaff.example" }
    /// 16 digits, another for each person.
    package var cardNumber: String { "400066\(1_000_000_000 + number)" }

    init(_ number: Int, _ chance: Chance) {
        self.number = number
        let first = Self.firstNames[number % Self.firstNames.count]
        (firstName, isFemale) = (first, number % Self.firstNames.count % 2 == 0)
        // With each turn through the first names the last names move on by one, so that no name comes twice.
        lastName = Self.lastNames[(number * 7 + number / Self.firstNames.count) % Self.lastNames.count]
        let age = 18 + chance.below(58, number, 0, 1)
        let (month, day) = (1 + chance.below(12, number, 0, 2), 1 + chance.below(28, number, 0, 3))
        birthdate = "\(2025 - age)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
        isStudent = age < 27 && chance.fraction(number, 0, 4) < 0.6
        home = Town.centre.moved(
            north: (chance.fraction(number, 0, 5) - 0.5) * 2 * Town.radiusMetres,
            east: (chance.fraction(number, 0, 6) - 0.5) * 2 * Town.radiusMetres)
        let start = chance.below(Town.shops.count, number, 0, 7)
        favourites = [0, 7, 18].map { (start + $0) % Town.shops.count }
    }

    private static let firstNames = [
        "Ada", "Ben", "Clara", "Dylan", "Elena", "Felix", "Grace", "Hugo", "Iris", "Jonas", "Keira", "Liam", "Maya",
        "Noah", "Olive", "Peter", "Quinn", "Ruben", "Sofia", "Theo", "Una", "Victor", "Wendy", "Xavier", "Yara",
        "Zane", "Alma", "Bruno", "Celia", "David", "Edith", "Frank", "Gemma", "Henry", "Ivy", "Jack", "Kaya",
        "Lucas", "Mira", "Nathan", "Opal", "Paul", "Rosa", "Samuel", "Tessa", "Umar", "Vera", "Walter", "Willa",
        "Yusuf"
    ]
    private static let lastNames = [
        "Abbott", "Begay", "Castillo", "Dalton", "Ellison", "Foster", "Garcia", "Hayes", "Ingram", "Jensen", "Keller",
        "Lopez", "Moreno", "Nakai", "Owens", "Parker", "Quintana", "Reyes", "Sawyer", "Tsosie", "Underhill", "Vargas",
        "Walker", "Yazzie", "Zimmer", "Archer", "Bennett", "Chavez", "Duran", "Evans", "Fields", "Greer", "Holt",
        "Irwin", "Joyce", "Knight", "Larsen", "Mercer", "Norris", "Olsen", "Price", "Ramos", "Stone", "Tran",
        "Upton", "Vance", "West", "Young", "Shaw", "Bishop"
    ]
}
