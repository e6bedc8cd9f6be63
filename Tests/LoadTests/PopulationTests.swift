import Load
import Primitives
import Testing

@Suite struct PopulationTests {
    private let people = Population(name: "test", customers: 500, cardsEach: 7, merchants: 30)

    @Test func idsFollowFromTheName() {
        let again = Population(name: "test", customers: 10, cardsEach: 7, merchants: 30)
        let others = Population(name: "other", customers: 10, cardsEach: 7, merchants: 30)
        #expect(people.card(3) == again.card(3))
        #expect(people.card(3) != others.card(3))
        #expect(people.customer(3) != others.customer(3))
    }

    @Test func idsAreReadBackwards() {
        for card in 0..<people.cards { #expect(people.number(ofCard: people.card(card)) == card) }
        for merchant in 0..<30 { #expect(people.number(ofMerchant: people.merchant(merchant)) == merchant) }
        for customer in 0..<500 { #expect(people.number(ofCustomer: people.customer(customer)) == customer) }
        #expect(people.number(ofMerchant: people.customer(1)) == nil)
        #expect(people.number(ofMerchant: people.merchant(30)) == nil)
        #expect(
            people.number(ofCard: Population(name: "other", customers: 500, cardsEach: 7, merchants: 1).card(0)) == nil)
    }

    /// A run with more cards for each customer finds those of a run with fewer.
    @Test func aCustomersCardsAreTheSameHoweverMany() {
        let wide = Population(name: "test", customers: 500, cardsEach: 100, merchants: 30)
        #expect(wide.card(3 * 100 + 6) == people.card(3 * 7 + 6))
        #expect(wide.digits(ofCard: 306) == people.digits(ofCard: 27))
    }

    @Test func cardNumbersAreSixteenDigitsAndDiffer() {
        let digits = (0..<people.cards).map { people.digits(ofCard: $0) }
        #expect(Set(digits).count == people.cards)
        #expect(digits.allSatisfy { $0.count == 16 && $0.allSatisfy(\.isNumber) })
    }
}
