import Primitives

extension Ordering.Menu {
    /// The price of one item: the base multiplied by the country's factor, rounded half up to a minor unit, and the
    /// extras as they are.
    package func price(base: Int64, extras: [Int64], in country: Ordering.Country) -> Money {
        Money((base * country.factorPercent + 50) / 100 + extras.reduce(0, +), country.currency)
    }
}
