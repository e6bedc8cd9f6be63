import Contracts
import Primitives

/// Cases of the rules of offers.
enum OffersRules {
    static let all: [Case] = [discounts, uses, stars, targets, lists, redeemed, sent, scheduled]

    /// What a coupon takes off an amount: rounded half up, at least 1, and at least 1 is left to pay.
    package static func taken(_ discount: Offers.Discount, off amount: Int64) -> Int64 {
        let whole = discount.percent.map { (amount * Int64($0) + 50) / 100 } ?? discount.amount?.amount ?? 0
        return min(max(1, whole), amount - 1)
    }

    static func accepted(
        _ terms: Offers.Terms, of merchant: PartyID, _ world: World
    ) async throws -> Offers.OfferView {
        let offer = try await world.ask(
            Offers.SubmitOffer(offer: world.id(), kind: .coupon, merchant: merchant, terms: terms)
        ).offer
        return try await world.ask(
            Offers.DecideOffer(offer: offer.offer, revision: offer.revision, accepted: .accepted, reason: nil)
        ).offer
    }

    static func subscriber(of merchant: PartyID, _ world: World) async throws -> PartyID {
        let customer = try await world.newAccount(.customer)
        _ = try await world.ask(
            Offers.SetSubscription(
                customer: customer, merchant: merchant, subscription: .init(ads: true, coupons: true)))
        return customer
    }

    static func use(
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
                title: "Less", content: "All day", sendOnEntry: true, discount: discount, usesPerCustomer: amounts.count
            )
            let coupon = try await accepted(terms, of: merchant, world)
            for amount in amounts {
                let reply = try await trial.asker.ask(use(coupon, by: customer, amount, world))
                let wanted = taken(discount, off: amount)
                try require(
                    reply.discount == Money(wanted), "\(reply.discount.amount) is taken off \(amount), not \(wanted)")
            }
        }
        let terms = Offers.Terms(
            title: "Less", content: "All day", sendOnEntry: true, discount: .init(percent: 10), minimum: Money(500))
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
                title: "Less", content: "All day", sendOnEntry: true, discount: .init(percent: 10),
                usesPerCustomer: each, usesInAll: all,
                stars: stars)
            return try await accepted(terms, of: merchant, world)
        }
        let twice = try await coupon(2, nil)
        for _ in 0..<2 {
            let use = use(twice, by: customers[0], 100, world)
            for isRepeat in [false, true] {
                let reply = try await trial.asker.ask(use)
                try require(reply.replayed == isRepeat, "'replayed' of a reservation is not \(isRepeat)")
            }
        }
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

    private static let lists: Case = Case(
        "offers/lists", "a merchant's offers are read newest first, in pages, each as it reads alone", .changing
    ) { trial in
        let world = trial.world
        let merchant = try await world.newAccount(.merchant)
        var made: [Offers.OfferView] = []
        for number in 1...3 {
            let terms = Offers.Terms(
                title: "Offer \(number)", content: "All day", targetLat: Int64(number) * 1_000_000,
                targetLon: Int64(number) * 2_000_000, discount: .init(percent: 10), stars: number)
            made.append(
                try await world.ask(
                    Offers.SubmitOffer(offer: world.id(), kind: .coupon, merchant: merchant, terms: terms)
                ).offer)
        }
        for offer in made {
            try require(
                try await trial.asker.ask(Offers.ReadOffer(offer: offer.offer)) == offer, "an offer reads otherwise")
        }
        // A page may be wrong once in fifty.
        for _ in 0..<64 {
            var (read, before): ([Offers.OfferView], Int64?) = ([], nil)
            repeat {
                let page = try await trial.asker.ask(
                    Offers.ReadOffers(merchant: merchant, kind: .coupon, before: before, limit: 2))
                try require(page.offers.count <= 2, "a page for 2 has \(page.offers.count) offers")
                read += page.offers
                before = page.next
            } while before != nil && read.count < 100
            try require(read == made.reversed(), "a merchant's offers are not those submitted, newest first")
        }
    }

    private static let redeemed: Case = Case(
        "offers/redeemed",
        "a coupon that was paid with is redeemed once; one whose charge was declined can be used again", .changing
    ) { trial in
        let world: World = trial.world
        let start = try await trial.head()
        let merchant = try await world.merchant()
        let customer = try await subscriber(of: merchant, world)
        let own = try await world.newCard(of: customer)
        let terms = Offers.Terms(
            title: "Less", content: "All day", sendOnEntry: true, discount: .init(percent: 25), usesPerCustomer: 1)
        let coupon = try await accepted(terms, of: merchant, world)
        let declined = try await world.request(200, of: customer, by: merchant)
        let reserve = Offers.ReserveCoupon(
            coupon: coupon.offer, charge: declined.charge, customer: customer, merchant: merchant,
            amount: declined.amount, expires: world.now + .seconds(300))
        _ = try await trial.asker.ask(reserve)
        try await trial.expect(
            use(coupon, by: customer, 200, world), refusedWith: .couponUsedUp, when: "reserved for another charge")
        _ = try await world.ask(Payments.DeclineCharge(charge: declined.charge, customer: customer))
        // Released by the fact of the charge's end: from then on it can be found again.
        let end = ContinuousClock.now + Trial.factPatience
        let deal = Offers.ReadDeal(customer: customer, offer: coupon.offer)
        while try await trial.outcome(deal).reply?.usable != true {
            guard ContinuousClock.now < end else { throw Wrong("a coupon of a declined charge is not released") }
            try await Task.sleep(for: .milliseconds(10))
        }
        let charge = try await world.request(200, of: customer, by: merchant)
        let receipt = try await world.ask(
            Payments.ApproveCharge(
                charge: charge.charge, customer: customer, card: own.card, amount: charge.amount, coupon: coupon.offer)
        ).receipt
        let redeemed = try await trial.fact(Offers.CouponRedeemed.self, after: start) { $0.coupon == coupon.offer }
        try require(
            redeemed.charge == charge.charge && redeemed.customer == customer && redeemed.merchant == merchant
                && redeemed.discount == Money(50) && redeemed.time == receipt.time && receipt.discount == Money(50),
            "the fact of a redeemed coupon says otherwise than the receipt")
        try await trial.expect(
            use(coupon, by: customer, 200, world), refusedWith: .couponUsedUp, when: "after its only use")
        guard !trial.missing.contains(Offers.ReadHistory.type) else { return }
        let used = try await trial.asker.ask(Offers.ReadHistory(customer: customer, before: nil, limit: 10)).used
        try require(
            used.map(\.offer) == [coupon.offer] && used.map(\.charge) == [charge.charge]
                && used.map(\.discount) == [Money(50)] && used.map(\.time) == [receipt.time],
            "the history of a customer has not the one coupon that was used")
    }

    private static let sent: Case = Case(
        "offers/sent",
        "an offer is sent once to who is near when it is pushed, and to who comes to a place, with all that it says",
        .changing, type: Offers.PushOffer.type
    ) { trial in
        let world: World = trial.world
        let start = try await trial.head()
        let merchant = try await world.newAccount(.merchant)
        let place = try await world.ask(
            Location.PutPlace(
                place: world.id(), merchant: merchant, name: "Corner",
                latitude: .random(in: -60_000_000...60_000_000), longitude: .random(in: -170_000_000...170_000_000)))
        func visitor() async throws -> PartyID {
            let customer = try await subscriber(of: merchant, world)
            _ = try await world.ask(Location.SetSharing(customer: customer, sharing: true))
            _ = try await world.ask(
                Location.UpdatePosition(customer: customer, latitude: place.latitude, longitude: place.longitude))
            return customer
        }
        func expectSent(
            _ offer: Offers.OfferView, to customer: PartyID, _ occasion: Offers.Occasion
        ) async throws {
            let sent = try await trial.fact(Offers.OfferSent.self, after: start) {
                $0.customer == customer && $0.offer == offer.offer
            }
            let deal = try await trial.asker.ask(Offers.ReadDeal(customer: customer, offer: offer.offer))
            try require(
                sent.kind == offer.kind && sent.merchant == merchant && sent.title == offer.terms.title
                    && sent.content == offer.terms.content && sent.occasion == occasion && sent.place == place.place
                    && sent.merchantName == deal.deal.merchantName && sent.expires == deal.deal.expires
                    && sent.time == deal.sent,
                "the fact of an offer that was sent says otherwise than the offer")
        }
        let pushed = try await accepted(
            .init(title: "Now", content: "All day", discount: .init(percent: 10)), of: merchant, world)
        // Before anybody subscribes, so that nobody has it already.
        try await awaitOwnPush(of: pushed, trial)
        let early = try await visitor()
        let push = Offers.PushOffer(push: world.id(), offer: pushed.offer, merchant: merchant, place: place.place)
        let first = try await trial.asker.ask(push)
        try require(first.nearby == 1 && first.sent == 1, "to one who is near \(first.sent) were sent")
        try await expectSent(pushed, to: early, .pushed)
        // Whoever comes later gets none of a push that is repeated, and one of the next.
        let entry = try await accepted(
            .init(title: "Come in", content: "All day", sendOnEntry: true, discount: .init(percent: 10)), of: merchant,
            world)
        let late = try await visitor()
        try await expectSent(entry, to: late, .entered)
        let again = try await trial.asker.ask(push)
        try require(again.replayed && again.sent == 1, "a push that is repeated is not replayed")
        var had = try await trial.facts(Offers.OfferSent.self, after: start).filter { $0.offer == pushed.offer }
        try require(had.map(\.customer) == [early], "a push that is repeated is sent to others too")
        let next = try await trial.asker.ask(
            Offers.PushOffer(push: world.id(), offer: pushed.offer, merchant: merchant, place: place.place))
        try require(
            next.nearby == 2 && next.sent == 1, "of two who are near, one of whom had it, \(next.sent) get an offer")
        try await expectSent(pushed, to: late, .pushed)
        had = try await trial.facts(Offers.OfferSent.self, after: start).filter { $0.offer == pushed.offer }
        try require(had.map(\.customer) == [early, late], "an offer is sent to one customer twice")
    }

    /// Returns the time at which an offer was sent by itself to all whom it is for.
    @discardableResult
    private static func awaitOwnPush(of offer: Offers.OfferView, _ trial: Trial) async throws -> Timestamp {
        let end = ContinuousClock.now + .seconds(10)
        while true {
            let read = try await trial.asker.ask(Offers.ReadOffer(offer: offer.offer))
            if let pushed = read.pushed { return pushed }
            guard ContinuousClock.now < end else { throw Wrong("an accepted offer is not sent by itself after 10 s") }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private static let scheduled: Case = Case(
        "offers/scheduled",
        "an accepted offer is sent by itself at its time, to all whom it is for and to nobody twice; an edited one again",
        .changing, type: Offers.SubmitOffer.type
    ) { trial in
        let world: World = trial.world
        let start = try await trial.head()
        let merchant = try await world.newAccount(.merchant)
        var customers: [PartyID] = []
        for _ in 0..<3 { customers.append(try await subscriber(of: merchant, world)) }
        _ = try await world.ask(
            Offers.SetPreferences(customer: customers[2], preferences: .init(enabled: false)))
        let time = world.now + .seconds(2)
        let terms = Offers.Terms(
            title: "Soon", content: "All day", sendTime: time, discount: .init(percent: 10))
        let coupon = try await accepted(terms, of: merchant, world)
        try require(coupon.pushed == nil, "an offer is sent before its time")
        let pushed = try await awaitOwnPush(of: coupon, trial)
        try require(pushed >= time, "an offer is sent before its time")
        for customer in customers[..<2] {
            let sent = try await trial.fact(Offers.OfferSent.self, after: start) {
                $0.customer == customer && $0.offer == coupon.offer
            }
            try require(
                sent.occasion == .scheduled && sent.place == nil && sent.title == terms.title && sent.time >= time,
                "the fact of an offer that was sent at its time says otherwise than the offer")
        }
        let late = try await subscriber(of: merchant, world)
        let edit = Offers.EditOffer(
            offer: coupon.offer, merchant: merchant,
            terms: .init(title: "Later", content: "All day", sendTime: time, discount: .init(percent: 10)))
        let edited = try await world.ask(edit)
        try require(edited.pushed == nil, "an offer that is edited counts as sent")
        _ = try await world.ask(
            Offers.DecideOffer(offer: edited.offer, revision: edited.revision, accepted: .accepted, reason: nil))
        try await awaitOwnPush(of: edited, trial)
        _ = try await trial.fact(Offers.OfferSent.self, after: start) {
            $0.customer == late && $0.offer == coupon.offer
        }
        let sent = try await trial.facts(Offers.OfferSent.self, after: start).filter { $0.offer == coupon.offer }
        try require(
            sent.count == 3 && Set(sent.map(\.customer)) == Set(customers[..<2] + [late]),
            "an offer for three customers is sent \(sent.count) times, or to one twice")
    }
}
