import Bus
import Contracts
import Foundation
import Primitives
import Sodium
import WalletService

/// The ledger alone: from parsed envelope to encoded reply, on a file of its own, every group durable.
struct LedgerBench {
    let directory: String
    let seconds: Double
    let group: Int

    private struct Unheard: FactPublishing {
        func publish(_ facts: [PublishedFact]) {}
    }

    private static let cards = 1000

    func run(_ time: inout ProcessorTime) throws -> Figure {
        let path = "\(directory)/bench-ledger.sqlite"
        let files = ["", "-wal", "-shm", ".lock"].map { path + $0 }
        for file in files { unlink(file) }
        defer { for file in files { unlink(file) } }
        let rules = LedgerRules(
            cardNumberKey: [UInt8](repeating: 7, count: 32), openingBalanceMinor: 1_000_000_000_000)
        let store = try SQLLedgerStore(path: path, rules: rules)
        let wallet = try WalletAnswering(store: store, facts: Unheard()) { preconditionFailure("\($0)") }
        let till = try makeTill(wallet)
        var posted = 0
        var spent = 0.0
        var commits: [Double] = []
        time.start()
        while spent < seconds * 1e6 {
            let asks = (0..<group).map { _ in inbound(till.payment()) }
            let start = monotonicNanoseconds()
            let outcomes = wallet.answer(asks)
            commits.append(Double(monotonicNanoseconds() - start) / 1000)
            spent += commits[commits.count - 1]
            for case .fault(let fault) in outcomes { throw fault }
            posted += group
        }
        return Figure("ledger posts, groups of \(group)", count: posted, seconds: spent / 1e6, commits, &time)
    }

    private func makeTill(_ wallet: WalletAnswering) throws -> Till {
        let till = Till(customers: Self.cards, merchants: 20)
        let outcomes =
            wallet.answer(till.merchants.map { inbound(Wallet.OpenAccount(merchant: $0)) })
            + wallet.answer(till.cardAdditions().map(inbound))
        for case .fault(let fault) in outcomes { throw fault }
        return till
    }

    private func inbound<A: Ask>(_ ask: A) -> Inbound {
        let now = WallClock.system.now()
        let id: MessageID = Randomness.shared.identifier(at: now)
        return Inbound(
            envelope: Envelope(
                id: id.hex, source: "payments", type: A.type.name, time: now, correlationID: id.hex, data: ask.json),
            deadline: now + .seconds(5))
    }
}

/// Customers with a card each, and merchants, from whom payments are drawn evenly.
struct Till: Sendable {
    let merchants: [PartyID]
    let customers: [PartyID]
    let cards: [CardID]

    init(customers count: Int, merchants: Int) {
        let now = WallClock.system.now()
        self.merchants = (0..<merchants).map { _ in Randomness.shared.identifier(at: now) }
        customers = (0..<count).map { _ in Randomness.shared.identifier(at: now) }
        cards = (0..<count).map { _ in Randomness.shared.identifier(at: now) }
    }

    func cardAdditions() -> [Wallet.AddCard] {
        // Different in every run, so that runs can follow each other on one ledger.
        let first = Randomness.shared.pair().0 % 9_000_000_000_000_000
        return customers.indices.map { index in
            let digits = String(first + UInt64(index))
            return Wallet.AddCard(
                card: cards[index], customer: customers[index],
                number: String(repeating: "0", count: 16 - digits.count) + digits, code: "12345678")
        }
    }

    func payment() -> Wallet.PostPayment {
        let (first, second) = Randomness.shared.pair()
        let customer = Int(first % UInt64(customers.count))
        return Wallet.PostPayment(
            payment: Randomness.shared.identifier(at: WallClock.system.now()), customer: customers[customer],
            card: cards[customer], merchant: merchants[Int(second % UInt64(merchants.count))], amount: Money(1),
            memo: "Coffee at the corner")
    }
}
