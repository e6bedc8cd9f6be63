import Primitives

/// The limits of location: distances, ages and intervals.
package struct LocationRules: Sendable {
    /// How near a customer has to be for a merchant to see them.
    package var customersWithinMetres = 100.0
    /// How near a place has to be for a customer to see it.
    package var merchantsWithinMetres = 200.0
    /// How long a position is kept after the time of its fix.
    package var timeToLive = Duration.seconds(900)
    /// How old a fix may be for its customer to count as present.
    package var freshness = Duration.seconds(600)
    /// How far a device's clock may be ahead of ours. A fix from later is an error, or an attempt to keep a position
    /// longer.
    package var clockSkewMax = Duration.seconds(60)
    /// Distances are rounded up to multiples of this, so that merchants cannot locate a customer exactly.
    package var distanceStepMetres = 25.0
    package var placesPerMerchantMax = 100
    /// How often the process records that it runs, so that its successor knows how long nobody did.
    package static let aliveInterval = Duration.seconds(60)
    package var fence = FenceRules()

    package init() {}

    /// Rounded up, so that a merchant learns how near a customer is, and not where.
    func coarse(_ metres: Double) -> Int64 {
        Int64(max(1, (metres / distanceStepMetres).rounded(.up)) * distanceStepMetres)
    }
}
