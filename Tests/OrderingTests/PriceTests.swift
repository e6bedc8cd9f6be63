import Contracts
import OrderingService
import Primitives
import Testing

/// Tests 1 and 2 of document 002, and the rule behind them in exact minor units.
@Suite("The price of an item")
struct PriceTests {
    private func country(_ percent: Int64) -> Ordering.Country {
        Ordering.Country(key: "x", name: .init(en: "X"), currency: .usd, factorPercent: percent)
    }

    @Test("beef and pickles in the USA cost 5 × 1.7 + 0.7 = 9.2, shown as $9.20 (002-17, 002-18, A63)")
    func printed() throws {
        let line = try Samples.menu.line(
            Samples.item, base: "beef", extras: ["pickles"], in: Samples.menu.country("us"))
        #expect(line.price == Money(920))
        #expect(line.price.display == "$9.20")
        #expect(line.words == "Burger: Beef, Pickles")
    }

    @Test("the factor is on the base only, rounded half up once (A62)", arguments: 1...500)
    func rule(seed: Int) {
        var random = Multiplied(state: UInt64(seed))
        let (base, percent) = (random.next(to: 100_000), random.next(to: 10_000))
        let extras = (0..<random.next(to: 6)).map { _ in random.next(to: 5000) }
        let price = Samples.menu.price(base: base, extras: extras, in: country(percent)).amount
        let bare = Samples.menu.price(base: base, extras: [], in: country(percent)).amount
        // Extras count as they are, in any order.
        #expect(price - bare == extras.reduce(0, +))
        #expect(Samples.menu.price(base: base, extras: extras.reversed(), in: country(percent)).amount == price)
        // The nearest minor unit; the upper one of two that are as near.
        let twice = 2 * (base * percent - 100 * bare)
        #expect(twice >= -100 && twice < 100)
        // A factor of 1 changes nothing, and a larger one lowers no price.
        #expect(Samples.menu.price(base: base, extras: [], in: country(100)).amount == base)
        #expect(Samples.menu.price(base: base, extras: [], in: country(percent + 1)).amount >= bare)
    }

    @Test("a choice that the menu does not have is refused, and so is an extra twice")
    func unknown() throws {
        let usa = try Samples.menu.country("us")
        #expect(throws: Fault.self) { try Samples.menu.country("ch") }
        for (base, extras) in [("fish", []), ("beef", ["cheese"]), ("beef", ["pickles", "pickles"])] {
            #expect(throws: Fault.self) { try Samples.menu.line(Samples.item, base: base, extras: extras, in: usa) }
        }
    }

    @Test("a summary that does not fit says how many items it leaves out")
    func summary() throws {
        var order = Order(
            id: Samples.order, customer: Samples.customer, customerName: nil, merchant: Samples.merchant,
            merchantName: "Shop", country: try Samples.menu.country("us"), begun: Samples.time)
        let line = try Samples.menu.line(Samples.item, base: "beef", extras: [], in: order.country)
        order.lines = [line, line, line]
        #expect(order.summary(bytesMax: 256) == "Burger: Beef; Burger: Beef; Burger: Beef")
        #expect(order.summary(bytesMax: 30) == "Burger: Beef; and 2 more")
        #expect(order.summary(bytesMax: 10) == "3 items")
    }
}

/// A multiplicative generator (Lehmer): the same numbers in each run.
private struct Multiplied {
    var state: UInt64

    mutating func next(to bound: Int64) -> Int64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return 1 + Int64(state >> 33) % bound
    }
}
