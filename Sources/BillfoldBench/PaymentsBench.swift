import Bus
import BusZMQ
import Contracts
import Primitives
import Sodium

/// Pay now, asked of `payments` over the bus: token checks aside, what a payment costs to the durable answer.
struct PaymentsBench {
    let runDirectory: String
    let seconds: Double
    let inFlight: Int

    private static let customers = 1000
    private static let merchants = 20

    /// Customers and cards in the wallet, merchants in auth, money on every card.
    private func prepare() async throws -> Till {
        let till = Till(customers: Self.customers, merchants: Self.merchants)
        try await withBus { bus in
            for merchant in till.merchants {
                _ = try await bus.ask(
                    Auth.RegisterAccount(
                        account: merchant, role: .merchant, username: "bench-\(merchant.hex)",
                        password: "bench-password", name: "Bench"),
                    in: context(bus))
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, card) in till.cardAdditions().enumerated() {
                    if index >= inFlight { try await group.next() }
                    group.addTask {
                        _ = try await bus.ask(card, in: context(bus))
                        _ = try await bus.ask(
                            Wallet.ReloadCard(
                                operation: Randomness.shared.identifier(at: bus.clock.now()), customer: card.customer,
                                card: card.card, amount: Money(100_000_000)), in: context(bus))
                    }
                }
                try await group.waitForAll()
            }
        }
        return till
    }

    func run(_ time: inout ProcessorTime) async throws -> Figure {
        let till = try await prepare()
        return try await withBus { bus in
            time.start()
            let started = monotonicNanoseconds()
            let end = started + UInt64(seconds * 1e9)
            let all = try await withThrowingTaskGroup(of: [Double].self) { group in
                for _ in 0..<inFlight {
                    group.addTask(executorPreference: bus.transport.executor) {
                        var mine: [Double] = []
                        while true {
                            let start = monotonicNanoseconds()
                            if start >= end { break }
                            let payment = till.payment()
                            _ = try await bus.ask(
                                Payments.CreatePayment(
                                    charge: payment.payment, customer: payment.customer, card: payment.card,
                                    merchant: payment.merchant, amount: payment.amount, memo: payment.memo),
                                in: context(bus))
                            mine.append(Double(monotonicNanoseconds() - start) / 1000)
                        }
                        return mine
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            return Figure(
                "durable payments over the bus, \(inFlight) in flight", count: all.count,
                seconds: Double(monotonicNanoseconds() - started) / 1e9, all, &time)
        }
    }

    private func context(_ bus: Bus) -> AskContext { AskContext(deadline: bus.clock.now() + .seconds(10)) }

    private func withBus<Value>(_ body: (Bus) async throws -> Value) async throws -> Value {
        let reactor = try Reactor(Reactor.Settings(runDirectory: runDirectory))
        reactor.start()
        do {
            let value = try await body(Bus(name: "bench", transport: reactor))
            await reactor.stop()
            return value
        } catch {
            await reactor.stop()
            throw error
        }
    }
}
