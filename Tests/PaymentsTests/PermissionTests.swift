import Bus
import Contracts
import PaymentsService
import Primitives
import TestKit
import Testing

@Suite("who may ask")
struct PermissionTests {
    private let code = PayCode(
        id: .test(7), customer: .alice, card: .aliceCard, expires: PaymentsHarness.start + .seconds(60)
    ).sealed(with: PaymentsHarness.codeKey)

    /// What Alice, and nobody else, may ask.
    private var ofAlice: [any Ask] {
        [
            Payments.CreatePayment.sample(.test(5)), Payments.IssueCode(customer: .alice, card: nil),
            Payments.ApproveCharge(charge: .test(1), customer: .alice, card: nil),
            Payments.DeclineCharge(charge: .test(2), customer: .alice), Payments.ReadEnabled(customer: .alice),
            Payments.SetEnabled(customer: .alice, enabled: true)
        ]
    }

    /// What the shop, and nobody else, may ask.
    private var ofShop: [any Ask] {
        [
            Payments.RequestCharge.sample(.test(6)), Payments.CancelCharge(charge: .test(3), merchant: .shop),
            Payments.RefundCharge.sample(.test(9), .test(4), 1),
            Payments.RedeemCode(attempt: .test(8), code: code, merchant: .shop, amount: Money(10), memo: "")
        ]
    }

    private func reads(of party: PartyID) -> [any Ask] {
        [
            Payments.ReadCharge(charge: .test(4), party: party), Payments.ReadReceipt(charge: .test(4), party: party),
            Payments.ReadCharges(party: party, state: nil, before: nil, limit: 10)
        ]
    }

    private func given() async throws -> PaymentsHarness {
        let payments = try PaymentsHarness()
        for number in 1...UInt64(3) { try await payments.ask(Payments.RequestCharge.sample(.test(number))) }
        try await payments.ask(Payments.CreatePayment.sample(.test(4)))
        try await payments.deliverNews()
        return payments
    }

    @Test("an operator reads any charge; nobody else does without being its party")
    func operators() async throws {
        let payments = try await given()
        let ask = Payments.ReadCharge(charge: .test(4))
        #expect(try await payments.ask(ask).charge == .test(4))
        let operators = Actor(role: .administrator, party: .shop)
        #expect(try await payments.ask(ask, as: operators).charge == .test(4))
        for actor in [Actor.alice, .shop] {
            #expect(await payments.refusal(of: ask, as: actor) == .forbidden)
        }
    }

    @Test("nobody acts for another, nor in another role")
    func forbidden() async throws {
        let payments = try await given()
        let head = payments.wallet.head
        let aliceAsMerchant = Actor(role: .merchant, party: .alice)
        let shopAsCustomer = Actor(role: .customer, party: .shop)
        for ask in ofAlice {
            for actor in [Actor.carol, .shop, .administrator, aliceAsMerchant] {
                #expect(await payments.refusal(of: ask, as: actor) == .forbidden, "\(ask)")
            }
        }
        for ask in ofShop {
            for actor in [Actor.bakery, .alice, .administrator, shopAsCustomer] {
                #expect(await payments.refusal(of: ask, as: actor) == .forbidden, "\(ask)")
            }
        }
        for ask in reads(of: .alice) + reads(of: .shop) {
            for actor in [Actor.carol, .bakery] {
                #expect(await payments.refusal(of: ask, as: actor) == .forbidden, "\(ask)")
            }
            // Administrators look up the charges of an account.
            let isList = ask is Payments.ReadCharges
            #expect(await payments.refusal(of: ask, as: .administrator) == (isList ? nil : .forbidden), "\(ask)")
        }
        #expect(payments.wallet.head == head)
        #expect(try await payments.facts().count == 4)
    }

    @Test("everyone does what is theirs")
    func allowed() async throws {
        let payments = try await given()
        for ask in ofAlice + reads(of: .alice) { #expect(await payments.refusal(of: ask, as: .alice) == nil, "\(ask)") }
        for ask in ofShop + reads(of: .shop) { #expect(await payments.refusal(of: ask, as: .shop) == nil, "\(ask)") }
    }

    @Test("a service acts for anyone")
    func services() async throws {
        let payments = try await given()
        for ask in ofAlice + ofShop + reads(of: .alice) { #expect(await payments.refusal(of: ask) == nil, "\(ask)") }
    }

    @Test("the wallet hears of the merchant's part in a code or a close as payments' own")
    func onOwnBehalf() async throws {
        let payments = try await given()
        for ask in ofShop.suffix(1) + [ofShop[1]] { #expect(await payments.refusal(of: ask, as: .shop) == nil) }
        #expect(payments.services.contexts(of: Wallet.ClosePayment.type).map(\.actor) == [nil])
        #expect(payments.services.contexts(of: Wallet.PostPayment.type).last?.actor == nil)
    }
}
