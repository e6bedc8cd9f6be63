import Audit
import Bus
import Contracts
import Primitives
import Sodium

/// Makes payments that can be paid back, spread over all cards and merchants.
struct RefundOpening: Sendable {
    let bus: Bus
    let population: Population
    let count: Int

    private static let width = 256

    func fill(_ paid: PaidCharges, progress: (String, Int, Int) -> Void) async throws {
        let each = (count + population.cards - 1) / population.cards * paid.worth
        // The money comes from outside, so that the cards have afterwards what they had before.
        _ = try await pipelined(Array(0..<min(count, population.cards)), width: Self.width, on: bus) {
            [self] card in try await reload(card, each)
        }
        let made = try await pipelined(Array(0..<count), width: Self.width, on: bus) { [self] number in
            try await pay(number, paid.worth)
        } done: {
            progress("payments to be paid back", $0, count)
        }
        for payment in made { paid.add(payment) }
    }

    private func reload(_ card: Int, _ amount: Int) async throws {
        var left = amount
        while left > 0 {
            let part = min(left, 100_000_000)
            _ = try await bus.ask(
                Wallet.ReloadCard(
                    operation: Randomness.shared.identifier(at: bus.clock.now()), customer: owner(of: card),
                    card: population.card(card), amount: Money(Int64(part))), in: bus.patient)
            left -= part
        }
    }

    private func pay(_ number: Int, _ amount: Int) async throws -> PaidCharges.Paid {
        let (card, merchant) = (number % population.cards, number % population.merchants)
        let charge: ChargeID = Randomness.shared.identifier(at: bus.clock.now())
        _ = try await bus.ask(
            Payments.CreatePayment(
                charge: charge, customer: owner(of: card), card: population.card(card),
                merchant: population.merchant(merchant), amount: Money(Int64(amount)), memo: "to be paid back"),
            in: bus.patient)
        return PaidCharges.Paid(charge: charge, card: card, merchant: merchant, amount: amount)
    }

    private func owner(of card: Int) -> PartyID { population.customer(population.owner(ofCard: card)) }
}
