import Bus
import Contracts
import Foundation
import LocationService
import Primitives
import Synchronization
import TestKit
import Testing

/// Location without its process: store and handlers, with a clock that the test moves.
final class LocationHarness: Sendable {
    let clock = ManualClock()
    let store: FailingStore
    private let places: SQLPlaceStore
    let service: PresenceService
    let auth = FakeAuth()
    let directory: TemporaryDirectory
    /// Facts that the store has published.
    let announcements = CountingPublisher()

    /// - Parameter directory: that of an earlier harness, to open its file again.
    init(
        _ kind: StoreKind = .inMemory, rules: LocationRules = LocationRules(), in directory: TemporaryDirectory? = nil,
        at start: Timestamp? = nil
    ) async throws {
        let directory = try directory ?? TemporaryDirectory()
        self.directory = directory
        let places =
            switch kind {
            case .inMemory: try SQLPlaceStore()
            case .file: try SQLPlaceStore(.file(directory.path + "/location.db"))
            }
        places.store.publish(to: announcements)
        self.places = places
        store = FailingStore(places)
        if let start { clock.set(start) }
        service = PresenceService(store: store, asking: auth, clock: clock.wall, rules: rules)
        try await service.start()
    }

    /// Before the file is opened again.
    func close() async throws { try await places.store.close() }

    func context(actor: Actor? = nil) -> AskContext {
        AskContext(
            deadline: clock.now + .seconds(30), correlationID: "walk-1", causationID: "ask-1", actor: actor)
    }

    // MARK: Asks

    @discardableResult
    func share(_ customer: PartyID = .alice, _ sharing: Bool = true, actor: Actor? = nil) async throws(Fault)
        -> Location.SharingView
    {
        try await SetSharingHandler(service).admit(
            .init(customer: customer, sharing: sharing), in: context(actor: actor))
    }

    func isSharing(_ customer: PartyID = .alice, actor: Actor? = nil) async throws(Fault) -> Bool {
        try await ReadSharingHandler(service).admit(.init(customer: customer), in: context(actor: actor)).sharing
    }

    @discardableResult
    func move(
        _ customer: PartyID = .alice, to point: Coordinate, at time: Timestamp? = nil, actor: Actor? = nil
    ) async throws(Fault) -> Location.UpdateOutcome {
        try await UpdatePositionHandler(service).admit(
            .init(
                customer: customer, latitude: Int64(point.latitude), longitude: Int64(point.longitude), time: time),
            in: context(actor: actor)
        ).outcome
    }

    func batch(_ fixes: [Location.Fix], actor: Actor? = nil) async throws(Fault) -> Location.UpdatePositions.Reply {
        try await UpdatePositionsHandler(service).admit(.init(fixes: fixes), in: context(actor: actor))
    }

    func position(of customer: PartyID = .alice, actor: Actor? = nil) async throws(Fault) -> Location.Position {
        try await ReadPositionHandler(service).admit(.init(customer: customer), in: context(actor: actor))
    }

    func forget(_ customer: PartyID = .alice, actor: Actor? = nil) async throws(Fault) -> Bool {
        try await ForgetPositionHandler(service).admit(.init(customer: customer), in: context(actor: actor)).forgotten
    }

    @discardableResult
    func put(
        _ place: PlaceID = .first, of merchant: PartyID = .cafe, name: String = "Café", at point: Coordinate = .square,
        actor: Actor? = nil
    ) async throws(Fault) -> Location.PlaceView {
        try await PutPlaceHandler(service).admit(
            .init(
                place: place, merchant: merchant, name: name, latitude: Int64(point.latitude),
                longitude: Int64(point.longitude)), in: context(actor: actor))
    }

    func remove(_ place: PlaceID = .first, of merchant: PartyID = .cafe, actor: Actor? = nil) async throws(Fault)
        -> Bool
    {
        try await RemovePlaceHandler(service).admit(
            .init(place: place, merchant: merchant), in: context(actor: actor)
        ).removed
    }

    func places(of merchant: PartyID = .cafe, actor: Actor? = nil) async throws(Fault) -> [Location.PlaceView] {
        try await ReadPlacesHandler(service).admit(.init(merchant: merchant), in: context(actor: actor)).places
    }

    func customers(
        near merchant: PartyID = .cafe, place: PlaceID? = nil, fresh: Int64? = nil, limit: Int = 100,
        actor: Actor? = nil
    ) async throws(Fault) -> Location.FindCustomers.Reply {
        try await FindCustomersHandler(service).admit(
            .init(merchant: merchant, place: place, freshSeconds: fresh, limit: limit), in: context(actor: actor))
    }

    func merchants(near customer: PartyID = .alice, limit: Int = 100, actor: Actor? = nil) async throws(Fault)
        -> Location.FindMerchants.Reply
    {
        try await FindMerchantsHandler(service).admit(
            .init(customer: customer, limit: limit), in: context(actor: actor))
    }

    // MARK: What there is

    func facts() async throws -> [Envelope] {
        try await store.read(after: 0, limit: 1000).facts.map { try Envelope(json: $0.bytes) }
    }

    /// What was told of fences, in few words: `entered`, `dwelled`, `exited left`.
    func published() async throws -> [String] {
        try await facts().map { fact in
            let word = fact.type.split(separator: ".")[2]
            guard fact.type == Location.FenceExited.type.name else { return String(word) }
            return "\(word) \(try Location.FenceExited(json: fact.data).reason.rawValue)"
        }
    }
}

/// A store that fails when it is told to, at its next transaction, before or after it has taken what is to be told; or
/// that stays in a transaction which has taken it.
final class FailingStore: PlaceStore {
    private let store: SQLPlaceStore
    private let isBroken = Mutex(false)
    private let hold = Mutex<DispatchSemaphore?>(nil)
    /// How often it was to tell of what has happened, and how often a transaction was held then.
    let tells = Counter()
    let holds = Counter()

    init(_ store: SQLPlaceStore) { self.store = store }

    func breakDown(_ broken: Bool) { isBroken.withLock { $0 = broken } }

    /// The next transaction that takes what is to be told stays open until the semaphore is signalled.
    func holdNext(until released: DispatchSemaphore) { hold.withLock { $0 = released } }

    private func check() throws(Fault) { if isBroken.withLock({ $0 }) { throw Fault(.unavailable) } }

    func load() async throws(Fault) -> StoredPlaces { try await store.load() }
    func put(_ place: MerchantPlace, placesMax: Int) async throws(Fault) -> PlacePutting {
        try check()
        return try await store.put(place, placesMax: placesMax)
    }
    func remove(_ place: PlaceID, of merchant: PartyID) async throws(Fault) -> Bool {
        try check()
        return try await store.remove(place, of: merchant)
    }
    func setSharing(_ customer: PartyID, _ sharing: Bool, at time: Timestamp) async throws(Fault) {
        try check()
        try await store.setSharing(customer, sharing, at: time)
    }
    func noteAlive(at time: Timestamp) async throws(Fault) {
        try check()
        try await store.noteAlive(at: time)
    }
    func publish(
        at time: Timestamp, take: @escaping @Sendable () -> [FenceChange],
        giveBack: @escaping @Sendable ([FenceChange]) -> Void
    ) async throws(Fault) {
        tells.add()
        guard isBroken.withLock({ $0 }) else {
            return try await store.publish(
                at: time,
                take: { [self] in
                    let taken = take()
                    let released = hold.withLock { hold in
                        defer { hold = nil }
                        return hold
                    }
                    if let released {
                        holds.add()
                        released.wait()
                    }
                    return taken
                }, giveBack: giveBack)
        }
        giveBack(take())
        throw Fault(.unavailable)
    }
    func read(after sequence: Int64, limit: Int) async throws -> FactsPage {
        try await store.store.read(after: sequence, limit: limit)
    }
}

/// Auth as far as location asks it: everybody's username is the last byte of their id.
final class FakeAuth: Asking {
    private let state = Mutex((asks: 0, isThere: true, refused: PartyID?.none))

    var asks: Int { state.withLock(\.asks) }
    func leave(_ gone: Bool) { state.withLock { $0.isThere = !gone } }
    func refuse(_ merchant: PartyID?) { state.withLock { $0.refused = merchant } }

    func ask<A: Ask>(_ ask: A, in context: AskContext) async throws(Fault) -> A.Reply {
        let (isThere, refused) = state.withLock { state in
            state.asks += 1
            return (state.isThere, state.refused)
        }
        guard isThere else { throw Fault(.noWorker) }
        guard context.actor == nil, let account = (ask as? Auth.ReadAccount)?.account else { throw Fault(.forbidden) }
        let view = Auth.AccountView(
            account: account, role: .customer, username: "user\(account.low)", name: "User \(account.low)",
            status: account == refused ? .rejected : nil)
        guard let reply = view as? A.Reply else { throw Fault(.unknownType) }
        return reply
    }
}

extension PartyID {
    static let alice = PartyID(high: 1, low: 0xA)
    static let bob = PartyID(high: 1, low: 0xB)
    static let cafe = PartyID(high: 2, low: 0xCA)
    static let bakery = PartyID(high: 2, low: 0xBA)
}

extension PlaceID {
    static let first = PlaceID(high: 3, low: 1)
    static let second = PlaceID(high: 3, low: 2)
}

extension Coordinate {
    /// 001-86's example.
    static let square = Coordinate(checkedLatitude: 35_198_284, longitude: -111_651_302)

    /// So far north and east of here, to the nearest millionth of a degree.
    func moved(north: Double = 0, east: Double = 0) -> Coordinate {
        let width = FlatEarth.metresPerMillionth * cos(Double(latitude) * FlatEarth.radiansPerMillionth)
        return Coordinate(
            checkedLatitude: latitude + Int32((north / FlatEarth.metresPerMillionth).rounded()),
            longitude: longitude + Int32((east / width).rounded()))
    }
}
