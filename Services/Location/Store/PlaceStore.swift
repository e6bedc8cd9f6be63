import Contracts
import Primitives

/// What location keeps: places, who shares, and the visits that were published. Each function is one transaction,
/// durable when it returns.
///
/// Positions are not among it: they live shorter than anything worth writing down (ADR 17). Decisions come back as
/// values; the only fault that a store throws of itself is `bus.unavailable` (the disk).
package protocol PlaceStore: Sendable {
    /// All that there is, for the start.
    func load() async throws(Fault) -> StoredPlaces
    /// Makes or changes a place, unless its id is another merchant's or the merchant has `placesMax` already.
    func put(_ place: MerchantPlace, placesMax: Int) async throws(Fault) -> PlacePutting
    /// Whether the merchant had this place.
    func remove(_ place: PlaceID, of merchant: PartyID) async throws(Fault) -> Bool
    func setSharing(_ customer: PartyID, _ sharing: Bool, at time: Timestamp) async throws(Fault)
    /// Notes that the process is there at this time.
    func noteAlive(at time: Timestamp) async throws(Fault)
    /// Publishes what has happened at the fences, a fact for each change. Takes the changes when its turn to write has
    /// come, so that they keep their order, and gives them back if they cannot be written.
    func publish(
        at time: Timestamp, take: @escaping @Sendable () -> [FenceChange],
        giveBack: @escaping @Sendable ([FenceChange]) -> Void
    ) async throws(Fault)
}

package struct StoredPlaces: Sendable {
    package let places: [MerchantPlace]
    package let sharing: [PartyID]
    package let visits: [StoredVisit]
    /// What `noteAlive` noted last.
    package let alive: Timestamp?
}

package enum PlacePutting: Sendable, Equatable {
    case put
    case tooMany
    /// The id is another merchant's.
    case taken
}
