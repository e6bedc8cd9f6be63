import Bus
import Contracts
import PaymentsService
import Primitives
import TestKit
import Testing

@Suite("a merchant requests money from who is near, or knows it (A96)")
struct ChargeableTests {
    private func given(_ kind: StoreKind = .inMemory) throws -> PaymentsHarness {
        let payments = try PaymentsHarness(kind)
        payments.services.refuse(Location.ProvePresence.type, Fault(.presenceFar))
        return payments
    }

    private func refusal(_ payments: PaymentsHarness, _ number: UInt64 = 1) async -> FaultCode? {
        await payments.refusal(of: Payments.RequestCharge.sample(.test(number)), as: .shop)
    }

    private func chargeable(_ payments: PaymentsHarness) async throws -> Payments.ReadChargeable.Reply {
        try await payments.ask(Payments.ReadChargeable(merchant: .shop, customer: .alice), as: .shop)
    }

    @Test(
        "a stranger elsewhere is refused with location's reason, and nothing is stored",
        arguments: [FaultCode.presenceFar, .presenceStale, .placeNotFound])
    func stranger(code: FaultCode) async throws {
        let payments = try given()
        payments.services.refuse(Location.ProvePresence.type, Fault(code))
        #expect(await refusal(payments) == code)
        #expect(try await payments.facts().isEmpty)
        let said = try await chargeable(payments)
        #expect((said.chargeable, said.refusal) == (false, code.code))
    }

    @Test("somebody near is asked, and no place is recorded that the merchant did not name")
    func near() async throws {
        let payments = try given()
        payments.services.refuse(Location.ProvePresence.type, nil)
        #expect(try await chargeable(payments).chargeable)
        let charge = try await payments.ask(Payments.RequestCharge.sample(.test(1)), as: .shop)
        #expect(charge.charge.presence == nil)
        let proofs = payments.services.asked(Location.ProvePresence.self)
        #expect(!proofs.isEmpty)
        #expect(proofs.allSatisfy { $0.place == nil && $0.customer == .alice && $0.merchant == .shop })
    }

    @Test("who paid it before is asked without a question to others", arguments: StoreKind.allCases, [true, false])
    func paid(kind: StoreKind, byRequest: Bool) async throws {
        let payments = try given(kind)
        if byRequest {
            payments.services.refuse(Location.ProvePresence.type, nil)
            try await payments.ask(Payments.RequestCharge.sample(.test(7)), as: .shop)
            try await payments.ask(Payments.ApproveCharge(charge: .test(7), customer: .alice, card: nil), as: .alice)
            payments.services.refuse(Location.ProvePresence.type, Fault(.presenceFar))
        } else {
            try await payments.ask(Payments.CreatePayment.sample(.test(7)), as: .alice)
        }
        try await payments.deliverNews()
        let before = payments.services.asked(Location.ProvePresence.self).count
        #expect(await refusal(payments) == nil)
        #expect(payments.services.asked(Location.ProvePresence.self).count == before)
        #expect(payments.services.asked(Offers.ReadSubscriptions.self).isEmpty)
        #expect(try await chargeable(payments).chargeable)
        // Another merchant is not known by it.
        let bakery = Payments.RequestCharge.sample(.test(8), merchant: .bakery)
        #expect(await payments.refusal(of: bakery, as: .bakery) == .presenceFar)
    }

    @Test("a payment that was acknowledged just now counts, though its fact is late")
    func late() async throws {
        let payments = try given()
        await payments.delayNews()
        try await payments.ask(Payments.CreatePayment.sample(.test(7)), as: .alice)
        #expect(await refusal(payments) == nil)
    }

    @Test("a refused payment, a waiting request and a decline make nobody known")
    func unpaid() async throws {
        let payments = try given()
        payments.services.refuse(Location.ProvePresence.type, nil)
        try await payments.ask(Payments.RequestCharge.sample(.test(7)), as: .shop)
        payments.services.refuse(Location.ProvePresence.type, Fault(.presenceFar))
        #expect(await refusal(payments) == .presenceFar)
        try await payments.ask(Payments.DeclineCharge(charge: .test(7), customer: .alice), as: .alice)
        try await payments.deliverNews()
        #expect(await refusal(payments) == .presenceFar)
        // The same request again is answered again.
        #expect(try await payments.ask(Payments.RequestCharge.sample(.test(7)), as: .shop).replayed)
    }

    @Test("who has subscribed is asked")
    func subscribed() async throws {
        let payments = try given()
        payments.services.subscribe(.alice)
        #expect(await refusal(payments) == nil)
    }

    @Test("a permission is for one merchant or for all, and can be taken back", arguments: StoreKind.allCases)
    func allowed(kind: StoreKind) async throws {
        let payments = try given(kind)
        for merchant in [PartyID.shop, nil] {
            try await payments.ask(
                Payments.SetPermission(customer: .alice, merchant: merchant, allowed: true), as: .alice)
            let read = try await payments.ask(Payments.ReadPermissions(customer: .alice), as: .alice)
            #expect(read.everyone == (merchant == nil))
            #expect(
                read.merchants == (merchant == nil ? [] : [.init(merchant: .shop, name: "The Shop")]))
            #expect(try await chargeable(payments).chargeable)
            let bakery = try await payments.ask(
                Payments.ReadChargeable(merchant: .bakery, customer: .alice), as: .bakery)
            #expect(bakery.chargeable == (merchant == nil))
            try await payments.ask(
                Payments.SetPermission(customer: .alice, merchant: merchant, allowed: false), as: .alice)
            #expect(await refusal(payments) == .presenceFar)
        }
    }

    @Test("only merchants are allowed, and so many by name")
    func limits() async throws {
        var rules = ChargeRules()
        rules.permissionsMax = 1
        let payments = try PaymentsHarness(rules: rules)
        func permit(_ merchant: PartyID) async -> FaultCode? {
            await payments.refusal(
                of: Payments.SetPermission(customer: .alice, merchant: merchant, allowed: true), as: .alice)
        }
        #expect(await permit(.carol) == .merchantNotFound)
        #expect(await permit(.shop) == nil)
        #expect(await permit(.bakery) == .tooManyPermissions)
        // The same again, and all, are none more.
        #expect(await permit(.shop) == nil)
        try await payments.ask(Payments.SetPermission(customer: .alice, allowed: true), as: .alice)
    }

    @Test("where nothing is asked for, nobody is asked", arguments: StoreKind.allCases)
    func optional(kind: StoreKind) async throws {
        let payments = try PaymentsHarness(kind, rules: ChargeRules(presence: .optional))
        payments.services.refuse(Location.ProvePresence.type, Fault(.presenceFar))
        #expect(await refusal(payments) == nil)
        #expect(try await chargeable(payments).chargeable)
        #expect(payments.services.asked(Location.ProvePresence.self).isEmpty)
    }

    @Test("while location or offers is away, nobody is refused for good")
    func away() async throws {
        let payments = try given()
        payments.services.refuse(Offers.ReadSubscriptions.type, Fault(.noWorker))
        #expect(await refusal(payments) == .noWorker)
        payments.services.refuse(Location.ProvePresence.type, Fault(.noWorker))
        #expect(await refusal(payments) == .noWorker)
    }
}
