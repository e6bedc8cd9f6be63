import Contracts
import Primitives

/// Cases of the rules of offers.
enum OffersRules {
    static let all: [Case] = [discounts, uses, targets]

    /// What a coupon takes off an amount: rounded half up, at least 1, and at least 1 is left to pay.
    package static func taken(_ discount: Offers.Discount, off amount: Int64) -> Int64 {
        let whole = discount.percent.map { (amount * Int64($0) + 50) / 100 } ?? discount.amount?.amount ?? 0
        return min(max(1, whole), amount - 1)
    }

    private static func accepted(
        _ terms: Offers.Terms, of merchant: PartyID, _ world: World
    ) async throws -> Offers.OfferView {
        let offer = try await world.ask(
            Offers.SubmitOffer(offer: world.id(), kind: .coupon, merchant: merchant, terms: terms)
        ).offer
        return try await world.ask(
            Offers.DecideOffer(offer: offer.offer, revision: offer.revision, accepted: .accepted, reason: nil)
        ).offer
    }

    private static func subscriber(of merchant: PartyID, _ world: World) async throws -> PartyID {
        let customer = try await world.newAccount(.customer)
        _ = try await world.ask(
            Offers.SetSubscription(
                customer: customer, merchant: merchant, subscription: .init(ads: true, coupons: true)))
        return customer
    }

    private static func use(
        _ coupon: Offers.OfferView, by customer: PartyID, _ amount: Int64, _ world: World
    ) -> Offers.ReserveCoupon {
        Offers.ReserveCoupon(
            coupon: coupon.offer, charge: world.id(), customer: customer, merchant: coupon.merchant,
            amount: Money(amount), expires: world.now + .seconds(300))
    }

    private static let discounts: Case = Case(
        "offers/discounts",
        "a discount in percent is rounded half up, at least 1 is taken and left, and a minimum is kept", .changing
    ) { trial in
        let world = trial.world
        let merchant = try await world.merchant()
        let customer = try await subscriber(of: merchant, world)
        let given: [(Offers.Discount, [Int64])] = [
            (.init(percent: 1), [2, 49, 50, 150]), (.init(percent: 33), [100, 101, 150]),
            (.init(percent: 99), [2, 50, 1000]), (.init(amount: Money(70)), [69, 70, 71, 500])
        ]
        for (discount, amounts) in given {
            let terms = Offers.Terms(
                title: "Less", content: "All day", discount: discount, usesPerCustomer: amounts.count)
            let coupon = try await accepted(terms, of: merchant, world)
            for amount in amounts {
                let reply = try await trial.asker.ask(use(coupon, by: customer, amount, world))
                let wanted = taken(discount, off: amount)
                try require(
                    reply.discount == Money(wanted), "\(reply.discount.amount) is taken off \(amount), not \(wanted)")
            }
        }
        let terms = Offers.Terms(
            title: "Less", content: "All day", discount: .init(percent: 10), minimum: Money(500))
        let coupon = try await accepted(terms, of: merchant, world)
        try await trial.expect(
            use(coupon, by: customer, 499, world), refusedWith: .couponMinimum, when: "below the minimum")
        _ = try await trial.asker.ask(use(coupon, by: customer, 500, world))
    }

    private static let uses: Case = Case(
        "offers/uses",
        "a coupon is used as often as its terms say, by each customer and by all, at its own merchant, with enough stars",
        .changing
    ) { trial in
        let world = trial.world
        let merchant = try await world.merchant()
        let customers = [try await subscriber(of: merchant, world), try await subscriber(of: merchant, world)]
        func coupon(_ each: Int?, _ all: Int?, stars: Int? = nil) async throws -> Offers.OfferView {
            let terms = Offers.Terms(
                title: "Less", content: "All day", discount: .init(percent: 10), usesPerCustomer: each, usesInAll: all,
                stars: stars)
            return try await accepted(terms, of: merchant, world)
        }
        let twice = try await coupon(2, nil)
        for _ in 0..<2 { _ = try await trial.asker.ask(use(twice, by: customers[0], 100, world)) }
        try await trial.expect(
            use(twice, by: customers[0], 100, world), refusedWith: .couponUsedUp, when: "a third time")
        _ = try await trial.asker.ask(use(twice, by: customers[1], 100, world))
        let once = try await coupon(nil, 1)
        let first = use(once, by: customers[0], 100, world)
        _ = try await trial.asker.ask(first)
        let again = try await trial.asker.ask(first)
        try require(again.replayed, "the same reservation again is not told as replayed")
        try await trial.expect(
            use(once, by: customers[1], 100, world), refusedWith: .couponUsedUp, when: "after the only use")
        let elsewhere = Offers.ReserveCoupon(
            coupon: twice.offer, charge: world.id(), customer: customers[1], merchant: world.id(), amount: Money(100),
            expires: world.now + .seconds(300))
        try await trial.expect(elsewhere, refusedWith: .couponNotUsable, when: "at another merchant")
        let starred = try await coupon(1, nil, stars: 1)
        try await trial.expect(
            use(starred, by: customers[0], 100, world), refusedWith: .couponNotUsable, when: "without a star")
    }

    /// So many metres north of the middle.
    private static func north(_ metres: Double) -> Int64 { Int64((metres / FlatEarth.metresPerMillionth).rounded()) }

    private static let targets: Case = Case(
        "offers/targets",
        "offers with a target are found within their radius, the nearest first, with the distance rounded up", .changing
    ) { trial in
        let world = trial.world
        let merchant = try await world.newAccount(.merchant)
        let customer = try await subscriber(of: merchant, world)
        let latitude = Int64.random(in: -50_000_000...50_000_000)
        var offers: [(offer: OfferID, metres: Double)] = []
        // In no order: 200 m is the radius where none is given.
        for (metres, radius) in [(120.4, nil), (10.2, nil), (205.0, nil), (60.0, 50), (205.0, 300)]
            as [(Double, Int64?)]
        {
            let terms = Offers.Terms(
                title: "Less", content: "All day", targetLat: latitude + north(metres), targetLon: 1_000_000,
                radiusMetres: radius, discount: .init(percent: 10))
            let offer = try await accepted(terms, of: merchant, world)
            if metres <= Double(radius ?? 200) { offers.append((offer.offer, metres)) }
        }
        let found = try await trial.asker.ask(
            Offers.FindDeals(
                customer: customer, kind: .coupon, latitude: latitude, longitude: 1_000_000, limit: 100))
        let wanted = offers.sorted { $0.metres < $1.metres }
        try require(
            found.deals.map(\.offer) == wanted.map(\.offer) && found.total == Int64(wanted.count),
            "\(found.total) offers are found, and should be \(wanted.count), the nearest first")
        for (deal, near) in zip(found.deals, wanted) {
            let metres = Int64((Double(north(near.metres)) * FlatEarth.metresPerMillionth).rounded(.up))
            try require(
                deal.distanceMetres == metres, "an offer \(metres) m away is shown at \(deal.distanceMetres ?? -1) m")
        }
    }
}
