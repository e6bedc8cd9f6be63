import Audit
import Primitives
import Sodium

/// Who pays whom: customers with cards, and merchants. All names and ids follow from the population's name, so that a
/// later run finds again what an earlier one has made.
package struct Population: Sendable {
    /// A customer has at most so many cards in the wallet.
    package static let cardsEachMax = 100

    package let name: String
    package let customers: Int
    /// Of each customer, 1 to 100.
    package let cardsEach: Int
    package let merchants: Int

    private let customerIDs: Numbering
    private let cardIDs: Numbering
    private let merchantIDs: Numbering
    private let placeIDs: Numbering

    /// - Parameter name: 1 to 24 ASCII letters, digits and `-`.
    package init(name: String, customers: Int, cardsEach: Int, merchants: Int) {
        self.name = name
        self.customers = customers
        self.cardsEach = cardsEach
        self.merchants = merchants
        customerIDs = Numbering("load/\(name)/customers")
        cardIDs = Numbering("load/\(name)/cards")
        merchantIDs = Numbering("load/\(name)/merchants")
        placeIDs = Numbering("load/\(name)/places")
    }

    package var cards: Int { customers * cardsEach }

    package func customer(_ number: Int) -> PartyID { customerIDs.id(UInt64(number)) }
    package func merchant(_ number: Int) -> PartyID { merchantIDs.id(UInt64(number)) }
    /// Cards are numbered through, those of a customer one after another.
    package func card(_ number: Int) -> CardID {
        cardIDs.id(UInt64(owner(ofCard: number) * Self.cardsEachMax + number % cardsEach))
    }
    package func owner(ofCard number: Int) -> Int { number / cardsEach }

    /// The card's number; nil for a card outside of this run.
    package func number(ofCard id: CardID) -> Int? {
        guard let serial = cardIDs.number(of: id) else { return nil }
        let (customer, place) = Int(clamping: serial).quotientAndRemainder(dividingBy: Self.cardsEachMax)
        return customer < customers && place < cardsEach ? customer * cardsEach + place : nil
    }

    package func number(ofMerchant id: PartyID) -> Int? {
        guard let number = merchantIDs.number(of: id), number < UInt64(merchants) else { return nil }
        return Int(number)
    }

    package func number(ofCustomer id: PartyID) -> Int? {
        guard let number = customerIDs.number(of: id), number < UInt64(customers) else { return nil }
        return Int(number)
    }

    /// 16 digits: six of the population, ten of the card.
    package func digits(ofCard number: Int) -> String {
        func padded(_ number: UInt64, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: width - digits.count) + digits
        }
        let serial = UInt64(owner(ofCard: number) * Self.cardsEachMax + number % cardsEach)
        return padded(cardIDs.low % 1_000_000, 6) + padded(serial % 10_000_000_000, 10)
    }

    // MARK: Where merchants are

    /// Millionths of a degree between two places: more than a kilometre, so that no customer is near two of them.
    private static let (rowHeight, columnWidth, columns) = (20_000, 25_000, 300)

    package func place(ofMerchant number: Int) -> PlaceID { placeIDs.id(UInt64(number)) }

    /// Rows of places, in a corner of the world that follows from the population's name, short of 60° and of ±180°.
    package func point(ofPlace number: Int) -> Coordinate {
        let south = -60_000_000 + Int(placeIDs.low % 100_000_000)
        let west = -175_000_000 + Int((placeIDs.low >> 32) % 340_000_000)
        return Coordinate(
            checkedLatitude: Int32(south + number / Self.columns * Self.rowHeight),
            longitude: Int32(west + number % Self.columns * Self.columnWidth))
    }

    /// Whose place it is; nil for one that is not of this population.
    package func number(ofPlace id: PlaceID) -> Int? {
        guard let number = placeIDs.number(of: id), number < UInt64(merchants) else { return nil }
        return Int(number)
    }

    package func username(ofCustomer number: Int) -> String { "load-\(name)-customer\(number)" }
    package func username(ofMerchant number: Int) -> String { "load-\(name)-merchant\(number)" }
    /// The same for all: these accounts have play money in a set under test.
    package static let password = "load-test-password"
    package static let pin = "4711"
}

/// Identifiers that are numbers in disguise: pure, each another, spread over all values, and readable backwards.
///
/// The first half is the number, as the ledger's check reads accounts whose ids begin alike in one stretch.
struct Numbering: Sendable {
    /// The second half of all of them.
    let low: UInt64
    private let mask: UInt64

    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
    /// factor * inverse = 1 modulo 2^64; each turn of Newton's method doubles the right bits.
    private static let inverse: UInt64 = {
        var inverse: UInt64 = 1
        for _ in 0..<6 { inverse = inverse &* (2 &- factor &* inverse) }
        return inverse
    }()

    init(_ name: String) {
        let digest = PartyID(bytes: Digest.blake2b(Array(name.utf8), length: 16))
        (low, mask) = (digest?.high ?? 0, digest?.low ?? 0)
    }

    func id<Subject>(_ number: UInt64) -> Identifier<Subject> {
        Identifier(high: number &* Self.factor ^ mask, low: low)
    }

    func number<Subject>(of id: Identifier<Subject>) -> UInt64? {
        id.low == low ? (id.high ^ mask) &* Self.inverse : nil
    }
}
