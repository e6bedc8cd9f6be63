import Primitives

/// What location goes by. Distances of the documents stand here, those that are ours say why they are what they are.
package struct LocationRules: Sendable {
    /// 001-79: how near a customer has to be for a merchant to see them.
    package var customersWithinMetres = 100.0
    /// 001-80: how near a place has to be for a customer to see it.
    package var merchantsWithinMetres = 200.0
    /// How long a position is kept after its fix.
    package var timeToLive = Duration.seconds(900)
    /// A49: how old a fix may be for its customer to count as somewhere now.
    package var freshness = Duration.seconds(600)
    /// How far ahead of ours the clock of a device may be. What is farther ahead is a mistake, or a trick to make a
    /// position stay.
    package var clockSkewMax = Duration.seconds(60)
    /// Merchants learn distances in steps of this: one place's answer leaves a ring of it open, and so do several.
    package var distanceStepMetres = 25.0
    package var placesPerMerchantMax = 100
    /// How often it is written down that the process is there, so that the next one knows how long nobody was.
    package static let aliveInterval = Duration.seconds(60)
    package var fence = FenceRules()

    package init() {}

    /// A whole number of steps, so that a merchant learns how near, and not where.
    func coarse(_ metres: Double) -> Int64 {
        Int64(max(1, (metres / distanceStepMetres).rounded(.up)) * distanceStepMetres)
    }
}
