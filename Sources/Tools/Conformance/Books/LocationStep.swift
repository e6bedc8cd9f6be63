import Primitives

/// One ask of a random sequence about location. Customers, merchants and places have small numbers.
package enum LocationStep: Sendable, CustomStringConvertible {
    case share(Int, Bool)
    case update(Int, Spot, When)
    case updates([Fix])
    case forget(Int)
    case put(place: Int, merchant: Int, Spot, name: Int)
    case remove(place: Int, merchant: Int)
    case customers(merchant: Int, place: Int?, freshSeconds: Int64?, limit: Int)
    case merchants(Int, limit: Int)
    case prove(Int, place: Int?, merchant: Int)
    case restart

    package struct Fix: Equatable, Sendable {
        package let customer: Int
        package let spot: Spot
        package let when: When
    }

    /// The time of a fix.
    package enum When: Equatable, Sendable {
        /// It has none.
        case unstated
        case now
        /// Milliseconds before the sequence began.
        case ago(Int64)
        /// Milliseconds after the ask.
        case ahead(Int64)
    }

    /// So many metres from the middle of the sequence, in a direction in degrees.
    package struct Spot: Equatable, Sendable {
        package let metres: Double
        package let degrees: Double
    }

    package static let customerCount = 4
    package static let merchantCount = 2
    package static let placeCount = 4

    /// Around the radii of the rules: 100 m to enter, 150 m and 300 m to leave, 200 m to be found.
    private static let distances: [Double] = [
        0, 10, 24, 26, 60, 95, 99.6, 100.4, 104, 130, 149.5, 150.5, 160, 199.6, 200.4, 220, 299.5, 300.5, 320, 900
    ]

    /// A customer comes to a place, stays, is told of as dwelling once after five minutes, and leaves.
    package static let visit: [LocationStep] = [
        .put(place: 0, merchant: 0, Spot(metres: 0, degrees: 0), name: 0),
        .update(0, Spot(metres: 10, degrees: 0), .ago(700_000)),
        .update(0, Spot(metres: 60, degrees: 90), .ago(420_000)),
        .update(0, Spot(metres: 130, degrees: 180), .ago(330_000)),
        .update(0, Spot(metres: 26, degrees: 270), .ago(90_000)),
        .update(0, Spot(metres: 900, degrees: 0), .ago(5000))
    ]

    /// - Parameter isLong: whether fixes may be minutes old, and the process may be started again.
    package static func random(isLong: Bool) -> @Sendable (inout Seeded) -> LocationStep {
        { random in
            let customer = Int.random(in: 0..<customerCount, using: &random)
            let merchant = Int.random(in: 0..<merchantCount, using: &random)
            let place = Int.random(in: 0..<placeCount, using: &random)
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<12: return .share(customer, Int.random(in: 0..<5, using: &random) > 0)
            case 12..<48: return .update(customer, spot(&random), when(isLong, &random))
            case 48..<56:
                return .updates(
                    (0..<Int.random(in: 1...4, using: &random)).map { _ in
                        Fix(
                            customer: Int.random(in: 0..<customerCount, using: &random), spot: spot(&random),
                            when: when(isLong, &random))
                    })
            case 56..<60: return .forget(customer)
            case 60..<72:
                // Most places stay with their merchant and near the middle.
                let owner = Int.random(in: 0..<6, using: &random) == 0 ? merchant : place % merchantCount
                let near = Spot(
                    metres: [0, 0, 40, 120, 400].randomElement(using: &random) ?? 0,
                    degrees: Double(Int.random(in: 0..<8, using: &random) * 45))
                return .put(place: place, merchant: owner, near, name: Int.random(in: 0..<3, using: &random))
            case 72..<75: return .remove(place: place, merchant: merchant)
            case 75..<84:
                return .customers(
                    merchant: merchant, place: Bool.random(using: &random) ? place : nil,
                    freshSeconds: isLong ? [nil, nil, 60, 400, 86_400].randomElement(using: &random) ?? nil : nil,
                    limit: [1, 2, 100].randomElement(using: &random) ?? 100)
            case 84..<91: return .merchants(customer, limit: [1, 2, 100].randomElement(using: &random) ?? 100)
            case 91..<98:
                return .prove(
                    customer, place: Int.random(in: 0..<3, using: &random) == 0 ? nil : place,
                    merchant: place % merchantCount)
            default: return isLong ? .restart : .forget(customer)
            }
        }
    }

    private static func spot(_ random: inout Seeded) -> Spot {
        Spot(
            metres: distances.randomElement(using: &random) ?? 0,
            degrees: Double(Int.random(in: 0..<24, using: &random) * 15))
    }

    private static func when(_ isLong: Bool, _ random: inout Seeded) -> When {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<2: .unstated
        case 2: .ahead(Bool.random(using: &random) ? 30_000 : 90_000)
        case 3..<8 where isLong:
            // Mostly from the oldest to the newest, as fixes come.
            .ago(
                [960_000, 840_000, 700_000, 630_000, 570_000, 539_000, 420_000, 330_000, 239_000, 90_000, 5000]
                    .randomElement(using: &random) ?? 5000)
        default: .now
        }
    }

    package var description: String {
        switch self {
        case .share(let customer, let sharing): "customer \(customer) \(sharing ? "shares" : "shares no more")"
        case .update(let customer, let spot, let when): "customer \(customer) is at \(spot) \(when)"
        case .updates(let fixes):
            "at once "
                + fixes.map { "customer \($0.customer) is at \($0.spot) \($0.when)" }.joined(separator: ", ")
        case .forget(let customer): "customer \(customer) is forgotten"
        case .put(let place, let merchant, let spot, let name):
            "place \(place) of merchant \(merchant) is put at \(spot) with name \(name)"
        case .remove(let place, let merchant): "merchant \(merchant) removes place \(place)"
        case .customers(let merchant, let place, let fresh, let limit):
            "merchant \(merchant) finds \(limit) customers at \(place.map { "place \($0)" } ?? "all places")"
                + (fresh.map { " of the last \($0) s" } ?? "")
        case .merchants(let customer, let limit): "customer \(customer) finds \(limit) merchants"
        case .prove(let customer, let place, let merchant):
            "customer \(customer) is proved to be at \(place.map { "place \($0)" } ?? "any place") of merchant \(merchant)"
        case .restart: "it starts again"
        }
    }
}

extension LocationStep.Spot: CustomStringConvertible {
    package var description: String { "\(metres) m, \(Int(degrees))°" }
}

extension LocationStep.When: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unstated: "(no time)"
        case .now: "now"
        case .ago(let milliseconds): "\(milliseconds / 1000) s ago"
        case .ahead(let milliseconds): "\(milliseconds / 1000) s ahead"
        }
    }
}
