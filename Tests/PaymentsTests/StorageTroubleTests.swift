import Bus
import Contracts
import PaymentsService
import Primitives
import TestKit
import Testing

/// A store whose disk has gone.
private struct BrokenStore: ChargeStore {
    func request(
        _ charge: PaymentsService.Charge, waitingMax: Int, ofKnown: Bool, causedBy context: AskContext
    ) async throws(Fault) -> Requesting { throw Fault(.unavailable) }
    func knows(_ customer: PartyID, _ merchant: PartyID) async throws(Fault) -> Bool { throw Fault(.unavailable) }
    func permit(
        _ customer: PartyID, _ merchant: PartyID?, _ allowed: Bool, max: Int
    ) async throws(Fault) -> Bool { throw Fault(.unavailable) }
    func permissions(
        of customer: PartyID
    ) async throws(Fault) -> (everyone: Bool, merchants: [PartyID]) { throw Fault(.unavailable) }
    func keep(
        _ code: PayCode, typedAs digest: [UInt8]
    ) async throws(Fault) -> Bool { throw Fault(.unavailable) }
    func code(typedAs digest: [UInt8]) async throws(Fault) -> PayCode? { throw Fault(.unavailable) }
    func redemption(
        by attempt: OperationID, of code: ChargeID, content: [UInt8]
    ) async throws(Fault) -> Redemption { throw Fault(.unavailable) }
    func redeem(
        _ code: ChargeID, by attempt: OperationID, content: [UInt8], at time: Timestamp
    ) async throws(Fault) -> Redemption { throw Fault(.unavailable) }
    func charge(_ id: ChargeID) async throws(Fault) -> PaymentsService.Charge? { throw Fault(.unavailable) }
    func number(of charge: ChargeID) async throws(Fault) -> Int64? { throw Fault(.unavailable) }
    func charge(number: Int64) async throws(Fault) -> PaymentsService.Charge? { throw Fault(.unavailable) }
    func charges(
        of party: PartyID, state: Payments.ChargeState?, since: Timestamp?, before: Int64?, limit: Int,
        isLate: @Sendable () -> Bool
    ) async throws(Fault) -> ChargePage { throw Fault(.unavailable) }
    func overdue(at now: Timestamp, limit: Int) async throws(Fault) -> [ChargeID] { throw Fault(.unavailable) }
    func enable(_ customer: PartyID, _ enabled: Bool) async throws(Fault) { throw Fault(.unavailable) }
    let disabled = DisabledCustomers([])
    func apply(_ facts: [Envelope]) async throws(Fault) { throw Fault(.unavailable) }
    func walletPosition() async throws(Fault) -> FactPosition { 0 }
    func read(after sequence: Int64, limit: Int) async throws -> FactsPage { throw Fault(.unavailable) }
}

@Suite("trouble with the storage")
struct StorageTroubleTests {
    private let payments = PaymentsHarness(BrokenStore(), ManualClock(PaymentsHarness.start))

    @Test("is bus.unavailable, without a word about what is inside")
    func unavailable() async throws {
        let code = PayCode(
            id: .test(7), customer: .alice, card: .aliceCard, expires: PaymentsHarness.start + .seconds(10)
        ).sealed(with: PaymentsHarness.codeKey)
        let asks: [any Ask] = [
            Payments.RequestCharge.sample(.test(1)),
            Payments.ApproveCharge(charge: .test(1), customer: .alice, card: nil),
            Payments.DeclineCharge(charge: .test(1), customer: .alice),
            Payments.CancelCharge(charge: .test(1), merchant: .shop),
            Payments.RefundCharge.sample(.test(9), .test(1), nil),
            Payments.ReadCharge(charge: .test(1), party: .alice),
            Payments.ReadReceipt(charge: .test(1), party: .alice),
            Payments.ReadCharges(party: .alice, state: nil, before: nil, limit: 10),
            Payments.RedeemCode(attempt: .test(8), code: code, merchant: .shop, amount: Money(10), memo: ""),
            Payments.SetEnabled(customer: .alice, enabled: false),
            Payments.SetPermission(customer: .alice, allowed: true), Payments.ReadPermissions(customer: .alice),
            Payments.ReadChargeable(merchant: .shop, customer: .alice),
            Payments.IssueCode(customer: .alice, card: nil, typed: true)
        ]
        for ask in asks {
            await #expect(throws: Fault(.unavailable), "\(ask)") { try await payments.ask(ask) }
        }
        #expect(payments.announcements.count == 0)
        #expect(payments.wallet.head == 0)
    }

    @Test("does not keep anyone from paying now: the wallet decides")
    func paysNow() async throws {
        #expect(try await payments.ask(Payments.CreatePayment.sample(.test(1)), as: .alice).receipt.entry == 1)
    }

    @Test("the sweep passes it on")
    func sweep() async { await #expect(throws: Fault(.unavailable)) { try await payments.sweep() } }
}
