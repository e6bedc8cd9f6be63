import Bus
import Contracts
import Foundation
import PaymentsService
import Primitives
import TestKit
import Testing

/// Histories are linked through the charges (ADR 34): each party sees its own, all of them, the newest first.
@Suite("histories in the charges")
struct HistoryTests {
    private static let parties: [PartyID] = [.alice, .carol, .shop, .bakery, .nobody]

    /// What the store should have, in as simple a way as possible: charges in the order of their rows.
    private struct Model {
        var charges: [PaymentsService.Charge] = []

        func history(of party: PartyID) -> [PaymentsService.Charge] {
            charges.indices.filter { charges[$0].isParty(party) }
                .sorted { (Self.moment(charges[$0]), $0) > (Self.moment(charges[$1]), $1) }.map { charges[$0] }
        }

        static func moment(_ charge: PaymentsService.Charge) -> Timestamp { charge.decided ?? charge.requested }
    }

    @Test(
        "each party's pages are its charges, newest first, whoever pays, is late, fails or is opened again",
        arguments: [1, 7, 1000], 0..<4 as Range<UInt64>)
    func model(rowsAheadMax: Int, seed: UInt64) async throws {
        let directory = try TemporaryDirectory()
        var path = directory.file("payments.sqlite")
        try await SQLChargeStore.makeFile(path, refusing: "bug")
        var store = try SQLChargeStore(.file(path), rowsAheadMax: rowsAheadMax)
        var random = SplitMix64(state: seed)
        var model = Model()
        var published: Int64 = 0
        // What the wallet decided may become known after a request that was made later.
        var decided = PaymentsHarness.start
        func party() -> PartyID { Self.parties[Int.random(in: 0..<Self.parties.count, using: &random)] }

        for step in 1...60 {
            let now = PaymentsHarness.start + .seconds(step)
            var next = model
            var facts: [Envelope] = []
            var sequence = published
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                let open = next.charges.indices.filter { [.requested, .declined].contains(next.charges[$0].state) }
                let place = Bool.random(using: &random) ? open.randomElement(using: &random) : nil
                let known = place.map { next.charges[$0] }
                decided = max(decided, now - .milliseconds(Int.random(in: 0...5000, using: &random)))
                if let place, known?.state == .requested, Int.random(in: 0..<3, using: &random) == 0 {
                    sequence += 1
                    let closed = Wallet.PaymentClosed(
                        payment: next.charges[place].id, reason: .declined, time: decided)
                    facts.append(.published(closed, sequence))
                    next.charges[place].state = .declined
                    next.charges[place].decided = decided
                    continue
                }
                let asStated = Int.random(in: 0..<3, using: &random) == 0
                let posted = Wallet.PaymentPosted(
                    payment: known?.id ?? .test(UInt64(next.charges.count)),
                    customer: asStated ? known?.customer ?? party() : party(), card: .aliceCard,
                    merchant: asStated ? known?.merchant ?? party() : party(), amount: Money(150), memo: "coffee",
                    cardBalance: Money(1500), entry: sequence + 1, time: decided)
                sequence += 1
                facts.append(.published(posted, sequence))
                let charge = PaymentsService.Charge(
                    id: posted.payment, merchant: posted.merchant, customer: posted.customer, amount: posted.amount,
                    memo: posted.memo, requested: known?.requested ?? decided, expires: known?.expires,
                    state: .captured,
                    decided: decided, card: posted.card, cardBalance: posted.cardBalance, entry: posted.entry)
                if let place { next.charges[place] = charge } else { next.charges.append(charge) }
            }
            if Int.random(in: 0..<4, using: &random) == 0 {
                let bug = Wallet.PaymentPosted.sample(.test(5000), entry: sequence + 1, memo: "bug")
                await #expect(throws: (any Error).self) {
                    try await store.apply(facts + [.published(bug, sequence + 1)])
                }
                // Looking would read again what is forgotten.
                if Bool.random(using: &random) { try await check(store, model, &random) }
            }
            try await store.apply(facts)
            (model, published) = (next, sequence)
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let charge = PaymentsService.Charge.sample(
                    .test(UInt64(model.charges.count)), merchant: party(), customer: party(), at: now)
                _ = try await store.request(charge, causedBy: AskContext(deadline: now))
                model.charges.append(charge)
            }
            if Int.random(in: 0..<10, using: &random) == 0 {
                // As it is left when the process ends here and now.
                let crashed = directory.file("crashed-\(step).sqlite")
                for part in ["", "-wal"] {
                    try FileManager.default.copyItem(atPath: path + part, toPath: crashed + part)
                }
                path = crashed
                store = try SQLChargeStore(.file(path), rowsAheadMax: rowsAheadMax)
            }
            try await check(store, model, &random)
        }
    }

    private func check(_ store: SQLChargeStore, _ model: Model, _ random: inout SplitMix64) async throws {
        for party in Self.parties {
            let expected = model.history(of: party)
            var seen: [PaymentsService.Charge] = []
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
            #expect(late.charges == Array(expected.prefix { Model.moment($0) >= since }))
            guard let next = late.next else { continue }
            let rest = try await store.charges(of: party, state: nil, since: nil, before: next, limit: 1000).charges
            #expect(late.charges + rest == expected)
        }
    }

    @Test(
        "a request moves to the front when it is decided; one that waits stands where it was made",
        arguments: StoreKind.allCases)
    func order(kind: StoreKind) async throws {
        let payments = try PaymentsHarness(kind)
        func at(_ second: Int) { payments.clock.advance(PaymentsHarness.start + .seconds(second) - payments.clock.now) }
        for number in 1...UInt64(3) {
            at(Int(number))
            try await payments.ask(Payments.RequestCharge.sample(.test(number)), as: .shop)
        }
        at(4)
        try await payments.ask(Payments.CreatePayment.sample(.test(4)), as: .alice)
        at(5)
        try await payments.ask(Payments.ApproveCharge(charge: .test(1), customer: .alice, card: nil))
        at(6)
        try await payments.ask(Payments.CreatePayment.sample(.test(5)), as: .alice)
        at(7)
        try await payments.ask(Payments.DeclineCharge(charge: .test(3), customer: .alice))
        try await payments.deliverNews()
        for _ in 0..<2 {
            for party in [PartyID.alice, .shop] {
                for limit in [1, 2, 10] {
                    #expect(try await ids(payments, of: party, limit) == [3, 5, 1, 4, 2].map { ChargeID.test($0) })
                    #expect(
                        try await ids(payments, of: party, limit, state: .captured)
                            == [5, 1, 4].map { ChargeID.test($0) })
                }
            }
            payments.restart()
        }
    }

    private func ids(
        _ payments: PaymentsHarness, of party: PartyID, _ limit: Int, state: Payments.ChargeState? = nil
    ) async throws -> [ChargeID] {
        var (ids, before) = ([ChargeID](), Int64?.none)
        repeat {
            let page = try await payments.ask(
                Payments.ReadCharges(party: party, state: state, before: before, limit: limit))
            ids += page.charges.map(\.charge)
            before = page.next
        } while before != nil && ids.count < 100
        return ids
    }

    @Test("a page's cursor goes on behind it, whatever is paid, asked for and decided meanwhile", arguments: 1..<10)
    func cursors(limit: Int) async throws {
        let store = try SQLChargeStore(rowsAheadMax: 3)
        let context = AskContext(deadline: PaymentsHarness.start)
        var sequence: Int64 = 0
        func pay(_ number: UInt64, _ second: Int) async throws {
            sequence += 1
            let posted = Wallet.PaymentPosted(
                payment: .test(number), customer: .alice, card: .aliceCard, merchant: .shop, amount: Money(150),
                memo: "coffee", cardBalance: Money(1500), entry: sequence,
                time: PaymentsHarness.start + .seconds(second))
            try await store.apply([.published(posted, sequence)])
        }
        // Waiting ones in a row, payments in a row, and both in turn.
        for number in 1...UInt64(20) {
            if [1, 2, 3, 9, 11, 13, 18, 19, 20].contains(number) {
                _ = try await store.request(
                    .sample(.test(number), at: PaymentsHarness.start + .seconds(Int(number))), causedBy: context)
            } else {
                try await pay(number, Int(number))
            }
        }
        let page = try await store.charges(of: .shop, state: nil, since: nil, before: nil, limit: limit)
        var seen = page.charges.map(\.id)
        #expect(seen == (0..<limit).map { .test(20 - UInt64($0)) })
        // The last one given is decided, and so is one further back: both are in front now.
        let decided = Set([seen[limit - 1], .test(3)])
        for (place, id) in decided.enumerated() where try await store.charge(id)?.state == .requested {
            sequence += 1
            let closed = Wallet.PaymentClosed(
                payment: id, reason: .declined, time: PaymentsHarness.start + .seconds(30 + place))
            try await store.apply([.published(closed, sequence)])
        }
        try await pay(40, 40)
        _ = try await store.request(.sample(.test(41), at: PaymentsHarness.start + .seconds(41)), causedBy: context)
        var before = page.next
        while let place = before {
            let page = try await store.charges(of: .shop, state: nil, since: nil, before: place, limit: limit)
            seen += page.charges.map(\.id)
            before = page.next
        }
        let all: [ChargeID] = (1...UInt64(20)).reversed().map { .test($0) }
        #expect(seen == all.filter { $0 != .test(3) })
    }

    @Test("when a clock has gone back, each charge is still on one page", arguments: 1..<10, [3, 1000])
    func clockGoesBack(limit: Int, rowsAheadMax: Int) async throws {
        let store = try SQLChargeStore(rowsAheadMax: rowsAheadMax)
        var sequence: Int64 = 0
        for number in 1...UInt64(40) {
            // An hour ahead for the first half.
            let time = PaymentsHarness.start + .seconds(number <= 20 ? 3600 + Int(number) : Int(number))
            if number % 3 == 0 {
                _ = try await store.request(
                    .sample(.test(number), at: time), causedBy: AskContext(deadline: PaymentsHarness.start))
                continue
            }
            var facts: [any Fact] = [
                Wallet.PaymentPosted(
                    payment: .test(number), customer: .alice, card: .aliceCard, merchant: .shop, amount: Money(150),
                    memo: "coffee", cardBalance: Money(1500), entry: sequence + 1, time: time)
            ]
            // Requests of both halves are decided in the second.
            if number > 30 {
                facts.append(Wallet.PaymentClosed(payment: .test(number - 22), reason: .declined, time: time))
            }
            for fact in facts {
                sequence += 1
                try await store.apply([.published(fact, sequence)])
            }
        }
        for party in [PartyID.alice, .shop] {
            var (seen, before) = ([ChargeID](), Int64?.none)
            repeat {
                let page = try await store.charges(of: party, state: nil, since: nil, before: before, limit: limit)
                seen += page.charges.map(\.id)
                before = page.next
            } while before != nil && seen.count < 100
            #expect(seen.count == 40)
            #expect(Set(seen) == Set((1...40).map { ChargeID.test(UInt64($0)) }))
        }
    }

    @Test("a page that begins far behind the newest row is found in several steps, which may be late")
    func search() async throws {
        let store = try SQLChargeStore()
        for group in 0..<13 {
            let facts = (1...100).map { each -> Envelope in
                let number = Int64(group * 100 + each)
                let posted = Wallet.PaymentPosted(
                    payment: .test(UInt64(number)), customer: .alice, card: .aliceCard, merchant: .shop,
                    amount: Money(1), memo: "", cardBalance: Money(1500), entry: number,
                    time: PaymentsHarness.start + .seconds(Int(number)))
                return .published(posted, number)
            }
            try await store.apply(facts)
        }
        let row = try #require(try await store.number(of: .test(50)))
        // A cursor that has to be searched from the newest row, as the place is too far ahead for it.
        let cursor = row << 21 | 2
        let page = try await store.charges(of: .alice, state: nil, since: nil, before: cursor, limit: 3)
        #expect(page.charges.map(\.id) == [49, 48, 47].map { .test($0) })
        await #expect(throws: Fault(.deadlineExceeded)) {
            try await store.charges(of: .alice, state: nil, since: nil, before: cursor, limit: 3, isLate: { true })
        }
    }

    @Test("a number that is no cursor of the party's finds nothing")
    func strangeCursors() async throws {
        let store = try SQLChargeStore(rowsAheadMax: 3)
        let context = AskContext(deadline: PaymentsHarness.start)
        for number in 1...UInt64(3) { _ = try await store.request(.sample(.test(number)), causedBy: context) }
        let page = try await store.charges(of: .shop, state: nil, since: nil, before: nil, limit: 1)
        let next = try #require(page.next)
        for number in [1, -1, .max, .min, next + 1 << 30, next ^ (1 << 10)] as [Int64] {
            #expect(try await store.charges(of: .shop, state: nil, since: nil, before: number, limit: 9).charges == [])
        }
        #expect(try await store.charges(of: .bakery, state: nil, since: nil, before: next, limit: 9).charges == [])
    }

    @Test("a piece of work that fails in a group takes nothing from the others")
    func groups() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("payments.sqlite")
        try await SQLChargeStore.makeFile(path, refusing: "bug")
        let store = try SQLChargeStore(.file(path), rowsAheadMax: 20)
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
                                .published(Wallet.PaymentPosted.sample(id), 1),
                                .published(Wallet.PaymentPosted.sample(.test(99), memo: "bug"), 2)
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
