import Bus
import Contracts
import PaymentsService
import Primitives
import TestKit
import Testing

@Suite("a charge where its customer is (001-3, 001-51)")
struct PresenceTests {
    private static let place = PlaceID(high: 5, low: 5)
    private static let presence = Location.Presence(place: place, distanceMetres: 50, time: PaymentsHarness.start)

    private func request(_ payments: PaymentsHarness, at place: PlaceID?, _ number: UInt64 = 1) async throws(Fault)
        -> Payments.RequestCharge.Reply
    {
        try await payments.ask(
            Payments.RequestCharge(
                charge: .test(number), merchant: .shop, customer: .alice, amount: Money(150), memo: "tea", place: place),
            as: .shop)
    }

    @Test("what location vouches for is kept with the charge", arguments: StoreKind.allCases)
    func kept(kind: StoreKind) async throws {
        let payments = try PaymentsHarness(kind)
        payments.services.put(.alice, at: Self.presence)
        #expect(try await request(payments, at: Self.place).charge.presence == Self.presence)
        for party in [PartyID.alice, .shop] {
            let charge = try await payments.ask(Payments.ReadCharge(charge: .test(1), party: party))
            #expect(charge.presence == Self.presence)
        }
        #expect(try await request(payments, at: nil, 2).charge.presence == nil)
    }

    @Test("location's refusal is the merchant's answer", arguments: Location.ProvePresence.faults)
    func refused(code: FaultCode) async throws {
        let payments = try PaymentsHarness()
        payments.services.refuse(Location.ProvePresence.type, Fault(code))
        await #expect(throws: Fault(code)) { try await request(payments, at: Self.place) }
        #expect(try await payments.facts().isEmpty)
    }

    @Test("a repeat is the same charge, though the customer is gone; with another place it is another")
    func repeated() async throws {
        let payments = try PaymentsHarness()
        payments.services.put(.alice, at: Self.presence)
        let first = try await request(payments, at: Self.place)
        payments.services.put(.alice, at: nil)
        let again = try await request(payments, at: Self.place)
        #expect(again.replayed)
        #expect(again.charge == first.charge)
        for place in [nil, PlaceID(high: 5, low: 6)] {
            await #expect(throws: Fault(.chargeIDReused)) { try await request(payments, at: place) }
        }
    }

    @Test("where presence is required, a charge names its place; payments without approval need none")
    func required() async throws {
        let payments = try PaymentsHarness(rules: ChargeRules(presence: .required))
        payments.services.put(.alice, at: Self.presence)
        await #expect(throws: Fault(.presenceRequired)) { try await request(payments, at: nil) }
        #expect(try await request(payments, at: Self.place).charge.state == .requested)
        try await payments.ask(Payments.CreatePayment.sample(.test(9), 150), as: .alice)
    }
}
