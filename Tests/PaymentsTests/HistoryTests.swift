import Bus
import Charges
import Contracts
import Foundation
import Primitives
import Testing

/// Histories are linked through the charges (ADR 34): each party sees its own, all of them, the newest first.
@Suite("histories in the charges")
struct HistoryTests {
    private static let parties: [PartyID] = [.alice, .carol, .shop, .bakery, .nobody]

    /// What the store should have, in as simple a way as possible.
    private struct Model {
        var charges: [Charges.Charge] = []
        /// Places in `charges`, the newest first, also of charges that are others' now.
        var histories: [PartyID: [Int]] = [:]

        mutating func add(_ charge: Charges.Charge) {
            for party in Set([charge.customer, charge.merchant]) {
                histories[party, default: []].insert(charges.count, at: 0)
            }
            charges.append(charge)
        }

        mutating func capture(_ place: Int, _ captured: Charges.Charge) {
            let known = charges[place]
            for party in Set([captured.customer, captured.merchant]) where !known.isParty(party) {
                let isNewest = histories[party]?.first.map { $0 < place } ?? true
                histories[party, default: []].insert(place, at: isNewest ? 0 : 1)
            }
            charges[place] = captured
        }

        func history(of party: PartyID) -> [Charges.Charge] {
            (histories[party] ?? []).map { charges[$0] }.filter { $0.isParty(party) }
        }
    }

    @Test(
        "each party's pages are its charges, whoever pays, fails or is opened again",
        arguments: [1, 7, 1000], 0..<4 as Range<UInt64>)
    func model(rowsAheadMax: Int, seed: UInt64) async throws {
        let directory = try TemporaryDirectory()
        var path = directory.file("payments.sqlite")
        try await SQLiteChargeStore.makeFile(path, refusing: "bug")
        var store = try SQLiteChargeStore(path: path, rowsAheadMax: rowsAheadMax)
        var random = SplitMix64(state: seed)
        var model = Model()
        var told: Int64 = 0
        func party() -> PartyID { Self.parties[Int.random(in: 0..<Self.parties.count, using: &random)] }

        for step in 1...60 {
            let now = PaymentsHarness.start + .seconds(step)
            var next = model
            var facts: [Envelope] = []
            var sequence = told
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                let open = next.charges.indices.filter { next.charges[$0].state == .requested }
                let place = Bool.random(using: &random) ? open.randomElement(using: &random) : nil
                let known = place.map { next.charges[$0] }
                let asStated = Int.random(in: 0..<3, using: &random) == 0
                let posted = Wallet.PaymentPosted(
                    payment: known?.id ?? .test(UInt64(next.charges.count)),
                    customer: asStated ? known?.customer ?? party() : party(), card: .aliceCard,
                    merchant: asStated ? known?.merchant ?? party() : party(), amount: Money(150), memo: "coffee",
                    cardBalance: Money(1500), entry: sequence + 1, time: now)
                sequence += 1
                facts.append(.told(posted, sequence))
                let charge = Charges.Charge(
                    id: posted.payment, merchant: posted.merchant, customer: posted.customer, amount: posted.amount,
                    memo: posted.memo, requested: known?.requested ?? now, expires: known?.expires, state: .captured,
                    decided: now, card: posted.card, cardBalance: posted.cardBalance, entry: posted.entry)
                if let place { next.capture(place, charge) } else { next.add(charge) }
            }
            if Int.random(in: 0..<4, using: &random) == 0 {
                let bug = Wallet.PaymentPosted.sample(.test(5000), entry: sequence + 1, memo: "bug")
                await #expect(throws: (any Error).self) { try await store.apply(facts + [.told(bug, sequence + 1)]) }
                // Looking would read again what is forgotten.
                if Bool.random(using: &random) { try await check(store, model, &random) }
            }
            try await store.apply(facts)
            (model, told) = (next, sequence)
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let charge = Charges.Charge.sample(
                    .test(UInt64(model.charges.count)), merchant: party(), customer: party(), at: now)
                _ = try await store.request(charge, causedBy: AskContext(deadline: now))
                model.add(charge)
            }
            if Int.random(in: 0..<10, using: &random) == 0 {
                // As it is left when the process ends here and now.
                let crashed = directory.file("crashed-\(step).sqlite")
                for part in ["", "-wal"] {
                    try FileManager.default.copyItem(atPath: path + part, toPath: crashed + part)
                }
                path = crashed
                store = try SQLiteChargeStore(path: path, rowsAheadMax: rowsAheadMax)
            }
            try await check(store, model, &random)
        }
    }

    private func check(_ store: SQLiteChargeStore, _ model: Model, _ random: inout SplitMix64) async throws {
        for party in Self.parties {
            let expected = model.history(of: party)
            var seen: [Charges.Charge] = []
            var before: Int64?
            repeat {
                let limit = Int.random(in: 1...40, using: &random)
                let page = try await store.charges(of: party, state: nil, since: nil, before: before, limit: limit)
                seen += page.charges
                before = page.next
            } while before != nil && seen.count <= expected.count
            #expect(seen == expected)

            let since = PaymentsHarness.start + .seconds(Int.random(in: 0...60, using: &random))
            let late = try await store.charges(of: party, state: nil, since: since, before: nil, limit: 1000)
            #expect(late.charges == Array(expected.prefix { $0.requested >= since }))
            guard let next = late.next else { continue }
            let rest = try await store.charges(of: party, state: nil, since: nil, before: next, limit: 1000).charges
            #expect(late.charges + rest == expected)
        }
    }

    @Test("a piece of work that fails in a group takes nothing from the others")
    func groups() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("payments.sqlite")
        try await SQLiteChargeStore.makeFile(path, refusing: "bug")
        let store = try SQLiteChargeStore(path: path, rowsAheadMax: 20)
        var requested: Set<ChargeID> = []
        for round in 0..<20 as Range<UInt64> {
            let ids = (0..<12).map { ChargeID.test(100 * (round + 1) + $0) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, id) in ids.enumerated() {
                    group.addTask {
                        if number % 4 != 3 {
                            _ = try await store.request(
                                .sample(id), causedBy: AskContext(deadline: PaymentsHarness.start))
                            return
                        }
                        // Fails behind a charge that it has added.
                        await #expect(throws: (any Error).self) {
                            try await store.apply([
                                .told(Wallet.PaymentPosted.sample(id), 1),
                                .told(Wallet.PaymentPosted.sample(.test(99), memo: "bug"), 2)
                            ])
                        }
                    }
                }
                try await group.waitForAll()
            }
            for (number, id) in ids.enumerated() where number % 4 != 3 { requested.insert(id) }
            for party in [PartyID.alice, .shop] {
                let page = try await store.charges(of: party, state: nil, since: nil, before: nil, limit: 1000)
                #expect(page.charges.count == requested.count && Set(page.charges.map(\.id)) == requested)
            }
        }
    }
}
