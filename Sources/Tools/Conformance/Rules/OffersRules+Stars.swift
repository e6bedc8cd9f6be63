import Contracts
import Primitives

extension OffersRules {
    static let stars: Case = Case(
        "offers/stars",
        "each payment since a customer takes part is a star, a refund in full takes it back, a coupon costs its stars, "
            + "and who leaves leaves them",
        .changing
    ) { trial in
        let world: World = trial.world
        let merchant = try await world.merchant()
        let customer = try await subscriber(of: merchant, world)
        let own = try await world.newCard(of: customer)
        func coupon(_ stars: Int?) async throws -> Offers.OfferView {
            let terms = Offers.Terms(
                title: "Thanks", content: "All day", sendOnEntry: true, discount: .init(percent: 10),
                usesPerCustomer: 2, stars: stars)
            return try await accepted(terms, of: merchant, world)
        }
        let (plain, starred) = (try await coupon(nil), try await coupon(1))
        let name = try await trial.asker.ask(Offers.ReadDeal(customer: customer, offer: plain.offer)).deal.merchantName
        func view(_ stars: Int) -> Offers.RewardsView {
            Offers.RewardsView(
                customer: customer, joined: true, stars: stars,
                merchants: stars == 0 ? [] : [.init(merchant: merchant, name: name, stars: stars)])
        }
        func expect(_ stars: Int, _ moment: String) async throws {
            let end = ContinuousClock.now + Trial.factPatience
            while true {
                let read = try await trial.asker.ask(Offers.ReadRewards(customer: customer))
                if read == view(stars) { break }
                guard ContinuousClock.now < end else {
                    throw Wrong("\(read.stars) stars of \(read.merchants.count) merchants read \(moment), not \(stars)")
                }
                try await Task.sleep(for: .milliseconds(10))
            }
            let joined = try await trial.asker.ask(Offers.JoinRewards(customer: customer, joined: true))
            try require(joined == view(stars), "who takes part already and joins reads other stars")
        }
        func pay(_ amount: Int64) async throws -> ChargeID {
            let payment = Payments.CreatePayment(
                charge: world.id(), customer: customer, card: own.card, merchant: merchant, amount: Money(amount),
                memo: "Star")
            _ = try await world.ask(payment)
            return payment.charge
        }
        func refund(_ charge: ChargeID, _ amount: Int64) async throws {
            _ = try await world.ask(
                Payments.RefundCharge(refund: world.id(), charge: charge, merchant: merchant, amount: Money(amount)))
        }
        _ = try await pay(100)
        try await trial.nextMillisecond()
        _ = try await trial.asker.ask(Offers.JoinRewards(customer: customer, joined: true))
        try await expect(0, "after a payment before the customer took part")
        let first = try await pay(100)
        try await expect(1, "after a payment")
        let second = try await pay(200)
        try await expect(2, "after two payments")
        try await refund(first, 40)
        try await refund(second, 200)
        try await expect(1, "after a refund in part and one in full")
        _ = try await trial.asker.ask(use(starred, by: customer, 100, world))
        try await expect(0, "after a coupon for one")
        try await trial.expect(
            use(starred, by: customer, 100, world), refusedWith: .couponNotUsable, when: "after the only star")
        _ = try await pay(300)
        try await expect(1, "after another payment")
        let left = try await trial.asker.ask(Offers.JoinRewards(customer: customer, joined: false))
        try require(!left.joined && left.stars == 0 && left.merchants.isEmpty, "who leaves keeps stars")
        _ = try await trial.asker.ask(Offers.JoinRewards(customer: customer, joined: true))
        try await expect(0, "after leaving and joining again")
    }
}
