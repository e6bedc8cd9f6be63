import Bus
import Contracts
import Places
import Primitives
import ServiceKit
import Synchronization

/// A mistake made on purpose: those who check location from outside are tested against it (`BILLFOLD_PLANTED_BUG`).
/// It stands between location and its store; without the variable nothing of it exists.
final class PlantedBug: PlaceStore {
    /// Every 50th exit is never told.
    private static let interval = 50

    private let store: any PlaceStore
    private let exits = Mutex(0)

    /// The store as it is, unless a bug of location is asked for.
    static func around(_ store: any PlaceStore, on host: ServiceHost) -> any PlaceStore {
        guard host.config.reader.string(forKey: "billfold.planted.bug") == "lost_exit" else { return store }
        host.logger.warning("THIS SERVICE LOSES EXITS ON PURPOSE", metadata: ["bug": "lost_exit"])
        return PlantedBug(store)
    }

    private init(_ store: any PlaceStore) { self.store = store }

    func tell(
        at time: Timestamp, take: @escaping @Sendable () -> [FenceChange],
        giveBack: @escaping @Sendable ([FenceChange]) -> Void
    ) async throws(Fault) {
        try await store.tell(at: time, take: { [self] in take().filter(isTold) }, giveBack: giveBack)
    }

    private func isTold(_ change: FenceChange) -> Bool {
        guard case .exited = change.kind else { return true }
        return exits.withLock { count in
            count += 1
            return count % Self.interval != 0
        }
    }

    // MARK: As it is

    func load() async throws(Fault) -> StoredPlaces { try await store.load() }
    func put(_ place: MerchantPlace, placesMax: Int) async throws(Fault) -> PlacePutting {
        try await store.put(place, placesMax: placesMax)
    }
    func remove(_ place: PlaceID, of merchant: PartyID) async throws(Fault) -> Bool {
        try await store.remove(place, of: merchant)
    }
    func setSharing(_ customer: PartyID, _ sharing: Bool, at time: Timestamp) async throws(Fault) {
        try await store.setSharing(customer, sharing, at: time)
    }
    func noteAlive(at time: Timestamp) async throws(Fault) { try await store.noteAlive(at: time) }
    func read(after sequence: Int64, limit: Int) async throws -> FactsPage {
        try await store.read(after: sequence, limit: limit)
    }
}
