import Audit
import Contracts
import Primitives
import Testing

@Suite("An audit of the snapshot")
struct AuditChecksTests {
    @Test("of a set that is right finds nothing, and has looked at everything")
    func right() {
        let checks = AuditChecks.all(.sample)
        #expect(checks.filter { !$0.passed }.map(\.name) == [])
        #expect(checks.filter { $0.examined == 0 }.map(\.name) == [])
    }

    @Test("names what is wrong, and only that", arguments: Damage.all)
    func wrong(damage: Damage) {
        var snapshot = Snapshot.sample
        damage.plant(&snapshot)
        let failed = AuditChecks.all(snapshot).filter { !$0.passed }
        #expect(failed.map(\.name) == damage.checks)
        #expect(failed.allSatisfy { !$0.findings.isEmpty && $0.findings.allSatisfy { $0.count < 300 } })
    }

    @Test("leaves alone what is still on its way")
    func underway() {
        var snapshot = Snapshot.sample
        // Paid after the audit began: payments has it not yet, neither as a receipt nor as a fact.
        snapshot.moves.append(
            Snapshot.Move(
                sequence: 8, entry: 5,
                kind: .payment(.init(high: 9, low: 9), customer: .ada, merchant: .shop, coupon: nil), amount: 100,
                legs: [.init(card: .first, change: -100, balance: 1200)]))
        // Captured with a coupon after it began: offers has not redeemed it yet.
        snapshot.heads.bySource["payments"] = 1
        snapshot.redemptions = []
        // Paid back after it began, and not on the receipt yet.
        snapshot.heads.bySource["wallet"] = 6
        snapshot.charges[0].refunded = 0
        snapshot.refundsPublished = []
        #expect(AuditChecks.all(snapshot).filter { !$0.passed }.flatMap(\.findings) == [])
    }
}

/// One thing that is not as it should be, and the checks that have to say so.
struct Damage: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let checks: [String]
    let plant: @Sendable (inout Snapshot) -> Void

    init(_ what: String, _ checks: String..., plant: @escaping @Sendable (inout Snapshot) -> Void) {
        testDescription = what
        self.checks = checks
        self.plant = plant
    }

    static let all = [
        Damage("a broken hash", "ledger_is_sound") { $0.ledger.problems = ["entry 2 does not match its hash"] },
        Damage("money from nowhere", "ledger_is_sound") { $0.ledger.total = 1 },
        Damage("a fact that is gone", "facts_are_whole") {
            $0.logs["wallet"]?.faults = ["wallet's log has fact 3 behind 1"]
        },
        Damage("an older copy of a source", "facts_are_read") { $0.readers[0].head = 6 },
        Damage("another log of a source", "facts_are_read") { $0.readers[0].isDiverged = true },
        Damage("a reader that stands still", "facts_are_read") { $0.readers[0].position = 6 },
        Damage("an entry without a fact", "entries_are_told") { $0.ledger.entries = 6 },
        Damage("an entry told of twice", "entries_are_told") { $0.moves[3].entry = 3 },
        Damage("a balance that does not follow", "balances_follow") { $0.moves[3].legs[0].balance = 1301 },
        Damage("a receipt that is gone", "receipts_match_entries") { $0.charges.remove(at: 1) },
        Damage("a receipt twice", "receipts_match_entries") { $0.charges.append($0.charges[1]) },
        Damage("a receipt of nothing", "receipts_match_entries") {
            $0.charges.append(
                .init(
                    charge: .init(high: 7, low: 7), isCaptured: true, customer: .ada, merchant: .shop, card: .first,
                    amount: 1, entry: 4, refunded: 0, coupon: nil))
        },
        Damage("another amount on a receipt", "receipts_match_entries") { $0.charges[1].amount = 351 },
        Damage("another card on a receipt", "receipts_match_entries") { $0.charges[1].card = .second },
        Damage("a paid charge that waits", "receipts_match_entries") { $0.charges[1].isCaptured = false },
        Damage("a list that cannot be read", "receipts_match_entries") { $0.unreadable = ["cannot be read"] },
        Damage("a capture that is not told", "captures_are_told") { $0.captures.remove(at: 0) },
        Damage("a capture told twice", "captures_are_told") { $0.captures.append($0.captures[0]) },
        Damage("a capture told otherwise", "captures_are_told") { $0.captures[0].amount = 151 },
        Damage("a capture of nothing", "captures_are_told") {
            $0.captures.append(
                .init(
                    sequence: 4, charge: .init(high: 7, low: 7), customer: .ada, merchant: .shop, card: .first,
                    amount: 1,
                    entry: 4, coupon: nil))
        },
        Damage("more paid back than paid", "refunds_match") {
            $0.refunds[0].amount = 200
            $0.refunds[0].refunded = 200
            $0.refundsPublished[0].refunded = 200
            $0.charges[0].refunded = 200
        },
        Damage("a refund that is not told", "refunds_match") { $0.refundsPublished = [] },
        Damage("a refund that is not on its receipt", "refunds_match") { $0.charges[0].refunded = 0 },
        Damage("a coupon that was not redeemed", "coupons_are_redeemed") { $0.redemptions = [] },
        Damage("a coupon redeemed for nothing", "coupons_are_redeemed") {
            $0.limits = [:]
            $0.redemptions.append(.init(sequence: 2, coupon: .half, charge: .coffee, customer: .ada))
        },
        Damage("a coupon used too often", "coupon_limits_kept") { $0.limits[.half]?.inAll = 0 },
        Damage("a coupon used too often by a customer", "coupon_limits_kept") { $0.limits[.half]?.each = 0 },
        Damage("a visit that begins twice", "visits_in_order") { $0.fences[2].kind = .entered },
        Damage("an exit of nobody", "visits_in_order") {
            $0.fences.remove(at: 0)
            $0.fences.remove(at: 0)
        },
        Damage("an order that nobody paid", "orders_are_paid") {
            $0.ordersPaid.append(
                .init(charge: .init(high: 7, low: 7), customer: .ada, merchant: .shop, total: 1, entry: 4))
        },
        Damage("an order paid twice", "orders_are_paid") { $0.ordersPaid.append($0.ordersPaid[0]) },
        Damage("an order of another total", "orders_are_paid") { $0.ordersPaid[0].total = 349 },
        Damage("a payment without its order", "orders_are_paid") { $0.ordersPaid = [] },
        Damage("a delivery of nothing", "deliveries_have_notices") { $0.notices = [] }
    ]
}

extension ChargeID {
    fileprivate static var coffee: ChargeID { ChargeID(high: 1, low: 1) }
    fileprivate static var lunch: ChargeID { ChargeID(high: 1, low: 2) }
}
extension PartyID {
    fileprivate static var ada: PartyID { PartyID(high: 2, low: 1) }
    fileprivate static var shop: PartyID { PartyID(high: 2, low: 2) }
}
extension CardID {
    fileprivate static var first: CardID { CardID(high: 3, low: 1) }
    fileprivate static var second: CardID { CardID(high: 3, low: 2) }
}
extension OfferID { fileprivate static var half: OfferID { OfferID(high: 4, low: 1) } }
extension PlaceID { fileprivate static var corner: PlaceID { PlaceID(high: 5, low: 1) } }
extension NoticeID { fileprivate static var note: NoticeID { NoticeID(high: 6, low: 1) } }

extension Snapshot {
    /// A card of $16.50, a coffee of $1.50 that was paid back, and a lunch of $3.50 with a coupon.
    fileprivate static var sample: Snapshot {
        var snapshot = Snapshot()
        snapshot.heads.bySource = ["wallet": 7, "payments": 3, "offers": 1]
        snapshot.ledger.entries = 4
        snapshot.ledger.checked = 4
        snapshot.logs = ["wallet": .init(facts: 7), "payments": .init(facts: 3)]
        snapshot.readers = [.init(service: "payments", source: "wallet", position: 7, head: 7, isDiverged: false)]
        snapshot.moves = [
            .init(
                sequence: 2, entry: 1, kind: .other, amount: 1650,
                legs: [.init(card: .first, change: 1650, balance: 1650)]),
            .init(
                sequence: 3, entry: 2, kind: .payment(.coffee, customer: .ada, merchant: .shop, coupon: nil),
                amount: 150,
                legs: [.init(card: .first, change: -150, balance: 1500)]),
            .init(
                sequence: 4, entry: 3, kind: .payment(.lunch, customer: .ada, merchant: .shop, coupon: .half),
                amount: 350,
                legs: [.init(card: .first, change: -350, balance: 1150)]),
            .init(
                sequence: 7, entry: 4, kind: .other, amount: 150,
                legs: [.init(card: .first, change: 150, balance: 1300)])
        ]
        snapshot.refunds = [.init(sequence: 7, charge: .coffee, amount: 150, refunded: 150)]
        snapshot.captures = [
            .init(
                sequence: 1, charge: .coffee, customer: .ada, merchant: .shop, card: .first, amount: 150, entry: 2,
                coupon: nil),
            .init(
                sequence: 2, charge: .lunch, customer: .ada, merchant: .shop, card: .first, amount: 350, entry: 3,
                coupon: .half)
        ]
        snapshot.refundsPublished = [.init(sequence: 3, charge: .coffee, amount: 150, refunded: 150)]
        snapshot.charges = [
            .init(
                charge: .coffee, isCaptured: true, customer: .ada, merchant: .shop, card: .first, amount: 150, entry: 2,
                refunded: 150, coupon: nil),
            .init(
                charge: .lunch, isCaptured: true, customer: .ada, merchant: .shop, card: .first, amount: 350, entry: 3,
                refunded: 0, coupon: .half)
        ]
        snapshot.redemptions = [.init(sequence: 1, coupon: .half, charge: .lunch, customer: .ada)]
        snapshot.limits = [.half: .init(inAll: 1, each: 1)]
        snapshot.ordersPlaced = [.init(charge: .lunch, customer: .ada, merchant: .shop, total: 350)]
        snapshot.ordersPaid = [.init(charge: .lunch, customer: .ada, merchant: .shop, total: 350, entry: 3)]
        snapshot.fences = [
            .init(sequence: 1, kind: .entered, customer: .ada, place: .corner),
            .init(sequence: 2, kind: .dwelled, customer: .ada, place: .corner),
            .init(sequence: 3, kind: .exited, customer: .ada, place: .corner)
        ]
        snapshot.notices = [.note]
        snapshot.deliveries = [(2, .note)]
        return snapshot
    }
}
