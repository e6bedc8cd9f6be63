import Glibc

/// How often which of many equal things is chosen.
package enum Distribution: Sendable, Equatable, CustomStringConvertible {
    case uniform
    /// The n-th is chosen in proportion to n^-exponent: a few are busy, most are not.
    case zipf(exponent: Double)
    /// The first has this share of all, the others share the rest equally: one merchant with a queue at the till.
    case hot(share: Double)

    /// `uniform`, `zipf`, `zipf:0.9`, `hot:0.5` or `hot:50%`; nil for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let number = parts.count == 2 ? Self.number(String(parts[1])) : nil
        switch (parts.first, parts.count, number) {
        case ("uniform", 1, _): self = .uniform
        case ("zipf", 1, _): self = .zipf(exponent: 0.99)
        case ("zipf", 2, let exponent?) where (0...5).contains(exponent): self = .zipf(exponent: exponent)
        case ("hot", 2, let share?) where (0...1).contains(share): self = .hot(share: share)
        default: return nil
        }
    }

    private static func number(_ text: String) -> Double? {
        text.hasSuffix("%") ? Double(text.dropLast()).map { $0 / 100 } : Double(text)
    }

    package var description: String {
        switch self {
        case .uniform: "uniform"
        case .zipf(let exponent): "zipf:\(exponent)"
        case .hot(let share): "hot:\(share)"
        }
    }

    /// The chooser among so many, at least one.
    package func chooser(among count: Int) -> Chooser {
        switch self {
        case .uniform: .uniform(count)
        case .zipf(let exponent): .weighted(AliasTable((1...count).map { pow(Double($0), -exponent) }))
        case .hot(let share): .hot(share, count)
        }
    }

    package enum Chooser: Sendable {
        case uniform(Int)
        case weighted(AliasTable)
        case hot(Double, Int)

        package func draw(_ dice: inout Dice) -> Int {
            switch self {
            case .uniform(let count): dice.below(count)
            case .weighted(let table): table.draw(&dice)
            case .hot(let share, let count): count == 1 || dice.fraction() < share ? 0 : 1 + dice.below(count - 1)
            }
        }
    }
}
