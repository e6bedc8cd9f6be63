import Contracts
import Primitives

/// The data of location: places, customers who share, and published visits. Each function is one transaction, durable
/// when it returns.
///
/// Positions are not stored (ADR 17). Decisions are returned as values; the only fault of the store itself is
/// `bus.unavailable`, for trouble with the disk.
package protocol PlaceStore: Sendable {
    /// Reads everything, for the start.
    func load() async throws(Fault) -> StoredPlaces
    /// Adds or changes a place, unless its id belongs to another merchant or the merchant has `placesMax` places.
    func put(_ place: MerchantPlace, placesMax: Int) async throws(Fault) -> PlacePutting
    /// - Returns: whether the merchant had this place.
    func remove(_ place: PlaceID, of merchant: PartyID) async throws(Fault) -> Bool
    func setSharing(_ customer: PartyID, _ sharing: Bool, at time: Timestamp) async throws(Fault)
    /// Records that the process runs at this time.
    func noteAlive(at time: Timestamp) async throws(Fault)
    /// Publishes a fact for each change at the fences. Takes the changes within the transaction, so that they keep
    /// their order, and gives them back if it fails.
    func publish(
        at time: Timestamp, take: @escaping @Sendable () -> [FenceChange],
        giveBack: @escaping @Sendable ([FenceChange]) -> Void
    ) async throws(Fault)
}

package struct StoredPlaces: Sendable {
    package let places: [MerchantPlace]
    package let sharing: [PartyID]
    package let visits: [StoredVisit]
    /// The last time that `noteAlive` recorded.
    package let alive: Timestamp?
}

package enum PlacePutting: Sendable, Equatable {
    case put
    case tooMany
    /// The id belongs to another merchant's place.
    case taken
}
