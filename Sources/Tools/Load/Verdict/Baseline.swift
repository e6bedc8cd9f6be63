import Audit
import Bus
import Contracts
import Primitives

/// How everything stood before the run.
package struct Baseline: Sendable {
    package let sums: LedgerSums
    /// By number; minor units.
    package let cards: [Int64]
    package let merchants: [Int64]
    /// Each merchant's newest charge.
    let newestCharges: [ChargeID?]
    /// Payments' newest fact.
    let paymentsHead: Int64
    /// Location's newest fact; nil in a run without walks.
    let locationHead: Int64?
    /// Offers' newest fact; nil in a run without coupons.
    let offersHead: Int64?
    /// Ordering's newest fact; nil in a run without orders.
    let orderingHead: Int64?

    /// - Parameters:
    ///   - includesFences: whether location's facts are evidence.
    ///   - includesCoupons: whether those of offers are.
    ///   - includesOrders: whether those of ordering are.
    static func read(
        _ bus: Bus, _ population: Population, includesFences: Bool, includesCoupons: Bool, includesOrders: Bool,
        progress: (String, Int, Int) -> Void
    ) async throws -> Baseline {
        let sums = try await LedgerSums.read(bus)
        try await awaitPayments(bus, through: sums.sequence, progress)
        let cards = try await balances(bus, population, progress).enumerated().map { number, balance in
            guard let balance else {
                throw LoadFailure("the wallet does not show card #\(number), \(population.card(number).hex)")
            }
            return balance
        }
        let merchants = try await merchantBalances(bus, population)
        let newest = try await pipelined(Array(0..<population.merchants), width: 16, on: bus) { number in
            let ask = Payments.ReadCharges(party: population.merchant(number), state: nil, before: nil, limit: 1)
            return try await bus.ask(ask, in: bus.patient).charges.first?.charge
        }
        let head = try await bus.ask(ReadFacts<Payments>(after: Int64.max - 1, limit: 1), in: bus.patient).head
        let fences =
            includesFences
            ? try await bus.ask(ReadFacts<Location>(after: Int64.max - 1, limit: 1), in: bus.patient).head : nil
        let coupons =
            includesCoupons
            ? try await bus.ask(ReadFacts<Offers>(after: Int64.max - 1, limit: 1), in: bus.patient).head : nil
        let orders =
            includesOrders
            ? try await bus.ask(ReadFacts<Ordering>(after: Int64.max - 1, limit: 1), in: bus.patient).head : nil
        return Baseline(
            sums: sums, cards: cards, merchants: merchants, newestCharges: newest, paymentsHead: head,
            locationHead: fences, offersHead: coupons, orderingHead: orders)
    }

    /// Waits until payments has consumed the wallet's earlier facts: what it publishes about them later would count as
    /// the run's.
    ///
    /// A payments that does not say how far it has come is taken to be there, as is one that stands still for ten
    /// seconds: the checks will name what it lacks.
    private static func awaitPayments(
        _ bus: Bus, through sequence: Int64, _ progress: (String, Int, Int) -> Void
    ) async throws {
        var (position, idle) = (Int64(-1), 0)
        while idle < 100 {
            let stats = try await bus.ask(ReadStats<Payments>(), in: bus.patient).metrics
            let received = stats.first { $0.name == "facts_position" && $0.labels["source"] == Wallet.service }?.value
            guard let received, received < sequence else { return }
            idle = received > position ? 0 : idle + 1
            position = received
            progress("payments catches up", Int(received), Int(sequence))
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    /// Each card's balance as its holder is shown it; nil for a card that is not shown.
    static func balances(
        _ bus: Bus, _ population: Population, _ progress: (String, Int, Int) -> Void
    ) async throws -> [Int64?] {
        let count = population.customers
        let pages = try await pipelined(Array(0..<count), width: 128, on: bus) { number in
            try await bus.ask(Wallet.ReadCards(customer: population.customer(number)), in: bus.patient).cards
        } done: {
            progress("balances", $0, count)
        }
        var balances = [Int64?](repeating: nil, count: population.cards)
        for card in pages.joined() {
            if let number = population.number(ofCard: card.card) { balances[number] = card.balance.amount }
        }
        return balances
    }

    static func merchantBalances(_ bus: Bus, _ population: Population) async throws -> [Int64] {
        try await pipelined(Array(0..<population.merchants), width: 64, on: bus) { number in
            try await bus.ask(Wallet.ReadAccount(merchant: population.merchant(number)), in: bus.patient).balance.amount
        }
    }
}

extension LedgerSums {
    static func read(_ bus: Bus) async throws -> LedgerSums {
        let reply = try await bus.ask(Wallet.ReadLedger(), in: bus.patient)
        var sums = LedgerSums()
        sums.total = reply.total.amount
        for kind in reply.accounts {
            switch kind.kind {
            case "card": sums.cards += kind.balance.amount
            case "merchant": sums.merchants += kind.balance.amount
            default: sums.others += kind.balance.amount
            }
        }
        sums.entries = reply.entries
        sums.sequence = reply.sequence
        return sums
    }
}
