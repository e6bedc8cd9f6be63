import Bus
import Contracts
import LocationService
import Primitives
import TestKit
import Testing

@Suite("location's memory, copied from rows")
struct CopiedPresenceTests {
    private let clock = ManualClock()

    private func sharing(_ customer: PartyID) -> StateRow { ["customer": .bytes(customer.bytes), "since": .integer(1)] }

    private func place(_ number: Int64, _ id: PlaceID, _ name: String) -> StateRow {
        [
            "number": .integer(number), "id": .bytes(id.bytes), "merchant": .bytes(PartyID.cafe.bytes),
            "name": .text(name), "latitude": .integer(Int64(Coordinate.square.latitude)),
            "longitude": .integer(Int64(Coordinate.square.longitude))
        ]
    }

    private func visit(_ customer: PartyID, _ id: PlaceID) -> StateRow {
        [
            "customer": .bytes(customer.bytes), "place": .bytes(id.bytes), "merchant": .bytes(PartyID.cafe.bytes),
            "entered": .integer(clock.now.milliseconds), "dwelled": .integer(0)
        ]
    }

    private func trace(_ customer: PartyID, isKnown: Bool = true) -> StateRow {
        [
            "customer": .bytes(customer.bytes), "newest": .integer(clock.now.milliseconds), "published": .null,
            "latitude": isKnown ? .integer(Int64(Coordinate.square.latitude)) : .null,
            "longitude": isKnown ? .integer(Int64(Coordinate.square.longitude)) : .null,
            "time": isKnown ? .integer(clock.now.milliseconds) : .null
        ]
    }

    private func started(with copied: CopiedPresence) async throws -> PresenceService {
        let service = PresenceService(store: try SQLPlaceStore(), asking: FakeAuth(), clock: clock.wall)
        try await service.start(with: copied)
        return service
    }

    private func figures(_ service: PresenceService) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: service.figures.map { ($0.name, $0.value) })
    }

    @Test("has what the rows say, in whichever order they come, and nothing that was removed")
    func rows() async throws {
        let copied = CopiedPresence(rules: LocationRules())
        // A trace may come before its customer.
        try copied.put([trace(.alice), trace(.bob)], removing: [], in: "traces")
        try copied.put([sharing(.alice)], removing: [], in: "sharing")
        try copied.put([place(1, .first, "Market"), place(2, .second, "Station")], removing: [], in: "places")
        try copied.put([visit(.alice, .first), visit(.bob, .first)], removing: [], in: "visits")
        try copied.put([], removing: [["customer": .bytes(PartyID.bob.bytes)]], in: "traces")
        try copied.put([place(1, .first, "Old Market")], removing: [["number": .integer(2)]], in: "places")
        try copied.put(
            [], removing: [["customer": .bytes(PartyID.bob.bytes), "place": .bytes(PlaceID.first.bytes)]], in: "visits")
        let service = try await started(with: copied)
        #expect(figures(service) == ["sharing": 1, "positions": 1, "visits": 1, "places": 1])
        let context = AskContext(deadline: clock.now + .seconds(30))
        #expect(
            try await ReadPlacesHandler(service).admit(.init(merchant: .cafe), in: context).places.map(\.name)
                == ["Old Market"])
        #expect(
            try await ReadPositionHandler(service).admit(.init(customer: .alice), in: context).latitude
                == Coordinate.square.latitude)
    }

    @Test("a visit ends with the position that was handed over, and without one as after a start")
    func visits() async throws {
        let copied = CopiedPresence(rules: LocationRules())
        try copied.put([sharing(.alice), sharing(.bob)], removing: [], in: "sharing")
        try copied.put([place(1, .first, "Market")], removing: [], in: "places")
        try copied.put([visit(.alice, .first), visit(.bob, .first)], removing: [], in: "visits")
        try copied.put([trace(.alice), trace(.bob)], removing: [], in: "traces")
        try copied.put([trace(.bob, isKnown: false)], removing: [], in: "traces")
        let service = try await started(with: copied)
        #expect(figures(service) == ["sharing": 2, "positions": 1, "visits": 2, "places": 1])
        clock.advance(LocationRules().timeToLive + LocationRules.aliveInterval + .seconds(1))
        for _ in 0..<40 { try await service.sweep() }
        #expect(figures(service) == ["sharing": 2, "positions": 0, "visits": 0, "places": 1])
    }

    @Test("a row that is none of location's is refused")
    func refused() {
        let copied = CopiedPresence(rules: LocationRules())
        #expect(throws: StateMismatch.self) {
            try copied.put([["customer": .text("alice")]], removing: [], in: "sharing")
        }
        #expect(throws: StateMismatch.self) {
            try copied.put([["number": .integer(1)]], removing: [], in: "places")
        }
    }
}
