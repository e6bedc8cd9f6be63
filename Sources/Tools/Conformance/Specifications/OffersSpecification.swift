import Contracts
import Primitives

extension Offers: Specified {
    package static var specification: Specification { .offers }
}

extension Specification {
    static let offers = Specification(
        service: Offers.service, needs: [Auth.service, Wallet.service, Location.service, Payments.service],
        examples: offersOfMerchants + offersForCustomers + offersWishes + offersMoney,
        log: FactsSpecification(Offers.self) { trial in _ = try await trial.asker.ask(try await draft(trial.world)) },
        load: Specification.reservation.load, others: OffersRules.all)

    /// On entry, so that nothing is sent by itself to those who subscribe.
    private static let terms = Offers.Terms(
        title: "Half price", content: "All day", sendOnEntry: true, discount: .init(percent: 50),
        usesPerCustomer: 1_000_000)

    /// All that terms can say.
    private static func fullTerms(_ title: String, _ world: World) -> Offers.Terms {
        Offers.Terms(
            title: title, content: "All day", minAge: 18, maxAge: 66, targetGender: .female, student: true,
            sendTime: world.now + .seconds(3600), expDate: world.now + .seconds(86_400), targetLat: 35_198_284,
            targetLon: -111_651_302, radiusMetres: 450, minVisits: 1, maxVisits: 9, withinDays: 30, sendOnEntry: true,
            discount: .init(percent: 33), minimum: Money(250), usesPerCustomer: 3, usesInAll: 400, stars: 2)
    }

    private static func draft(_ world: World, _ terms: Offers.Terms = terms) async throws -> Offers.SubmitOffer {
        Offers.SubmitOffer(offer: world.id(), kind: .coupon, merchant: try await world.merchant(), terms: terms)
    }

    private static func submitted(_ world: World) async throws -> Offers.OfferView {
        try await world.ask(try await draft(world)).offer
    }

    /// A coupon that the customer can use.
    private static func live(_ world: World) async throws -> Offers.OfferView {
        let offer = try await submitted(world)
        _ = try await world.ask(
            Offers.SetSubscription(
                customer: try await world.customer(), merchant: offer.merchant,
                subscription: .init(ads: true, coupons: true)))
        let decision = Offers.DecideOffer(
            offer: offer.offer, revision: offer.revision, accepted: .accepted, reason: nil)
        return try await world.ask(decision).offer
    }

    private static let offersOfMerchants: [any AskExample] = [
        Example(
            nobody: Offers.SubmitOffer(offer: nobody(), kind: .coupon, merchant: nobody(), terms: terms),
            make: { world in try await draft(world, fullTerms("A third off", world)) },
            other: {
                Offers.SubmitOffer(
                    offer: $0.offer, kind: $0.kind, merchant: $0.merchant,
                    terms: .init(title: "Another", content: $0.terms.content, discount: $0.terms.discount))
            },
            reused: .idReusedForCoupon,
            shows: { ask, world in [try await world.reading(Offers.ReadOffer(offer: ask.offer))] },
            leadsTo: [Offers.OfferSubmitted.type],
            expect: { ask, reply, world in
                try require(reply.offer.accepted == .pending, "a new offer is \(reply.offer.accepted)")
                try require(reply.offer.terms == ask.terms, "the terms are not those submitted")
                let read = try await world.ask(Offers.ReadOffer(offer: ask.offer))
                try require(read == reply.offer, "the offer reads otherwise later")
            }),
        Example(
            nobody: Offers.EditOffer(offer: nobody(), merchant: nobody(), revision: nil, terms: terms),
            nobodyFinds: .refused(.offerNotFound),
            make: { world in
                let offer = try await live(world)
                return Offers.EditOffer(
                    offer: offer.offer, merchant: offer.merchant, revision: nil,
                    terms: fullTerms("A third off for less", world))
            },
            shows: { ask, world in [try await world.reading(Offers.ReadOffer(offer: ask.offer))] },
            leadsTo: [Offers.OfferSubmitted.type],
            expect: { ask, offer, world in
                try require(offer.accepted == .pending, "an edited offer is \(offer.accepted)")
                try require(offer.terms == ask.terms, "the terms are not those of the edit")
                let read = try await world.ask(Offers.ReadOffer(offer: ask.offer))
                try require(read == offer, "the offer reads otherwise later")
            }),
        Example(
            nobody: Offers.EnableOffer(offer: nobody(), merchant: nobody(), enabled: true),
            nobodyFinds: .refused(.offerNotFound),
            make: { world in
                let offer = try await submitted(world)
                return Offers.EnableOffer(offer: offer.offer, merchant: offer.merchant, enabled: false)
            },
            shows: { ask, world in [try await world.reading(Offers.ReadOffer(offer: ask.offer))] },
            expect: { _, offer, _ in try require(!offer.enabled, "the offer is still enabled") }),
        Example(
            nobody: Offers.DecideOffer(offer: nobody(), revision: 1, accepted: .accepted, reason: nil),
            nobodyFinds: .refused(.offerNotFound),
            make: { world in
                let offer = try await world.ask(try await draft(world, fullTerms("A third off", world))).offer
                return Offers.DecideOffer(
                    offer: offer.offer, revision: offer.revision, accepted: .rejected, reason: "Conformance")
            },
            other: { Offers.DecideOffer(offer: $0.offer, revision: $0.revision, accepted: .accepted, reason: nil) },
            reused: .offerDecided,
            shows: { ask, world in [try await world.reading(Offers.ReadOffer(offer: ask.offer))] },
            leadsTo: [Offers.OfferDecided.type],
            expect: { ask, reply, world in
                try require(reply.offer.accepted == .rejected, "a rejected offer is \(reply.offer.accepted)")
                let read = try await world.ask(Offers.ReadOffer(offer: ask.offer))
                try require(read == reply.offer, "the offer reads otherwise later")
            }),
        Example(
            nobody: Offers.ReadOffer(offer: nobody()), nobodyFinds: .refused(.offerNotFound),
            make: { world in Offers.ReadOffer(offer: try await submitted(world).offer) },
            expect: { ask, offer, _ in try require(offer.offer == ask.offer, "another offer was read") }),
        Example(
            nobody: Offers.ReadOffers(merchant: nobody(), kind: nil, before: nil, limit: 1), nobodyFinds: .replied,
            make: { world in
                for _ in 0..<2 { _ = try await submitted(world) }
                return Offers.ReadOffers(
                    merchant: try await world.merchant(), kind: .coupon, before: nil, limit: 1)
            },
            expect: { _, page, _ in
                try require(page.offers.count == 1, "a page for 1 of more has \(page.offers.count) offers")
                try require(page.next != nil, "there are more offers and no 'next'")
            }),
        Example(
            nobody: Offers.ReadPending(before: nil, limit: 1), nobodyFinds: .replied,
            make: { world in
                _ = try await submitted(world)
                return Offers.ReadPending(before: nil, limit: 100)
            },
            expect: { _, page, _ in
                try require(!page.offers.isEmpty, "an offer that waits is not shown")
                try require(page.offers.allSatisfy { $0.accepted == .pending }, "others than the pending are shown")
            }),
        Example(
            nobody: Offers.ReadProductTypes(merchant: nobody()), nobodyFinds: .replied,
            make: { world in Offers.ReadProductTypes(merchant: try await world.merchant()) }, isOptional: true)
    ]

    private static let offersForCustomers: [any AskExample] = [
        Example(
            nobody: Offers.FindDeals(customer: nobody(), kind: nil, limit: 1), nobodyFinds: .replied,
            make: { world in
                _ = try await live(world)
                return Offers.FindDeals(customer: try await world.customer(), kind: .coupon, limit: 100)
            },
            expect: { _, found, _ in
                try require(!found.deals.isEmpty, "a coupon that the customer can use is not found")
                try require(found.total >= Int64(found.deals.count), "'total' is below what is shown")
            }),
        Example(
            nobody: Offers.SearchDeals(customer: nobody(), merchant: "nobody", product: nil, limit: 1),
            nobodyFinds: .replied,
            make: { world in
                _ = try await live(world)
                return Offers.SearchDeals(
                    customer: try await world.customer(), merchant: "conformance", product: nil, limit: 10)
            },
            isOptional: true,
            expect: { _, found, _ in try require(!found.deals.isEmpty, "a merchant's coupon is not found by its name") }
        ),
        Example(
            nobody: Offers.ReadDeal(customer: nobody(), offer: nobody()), nobodyFinds: .refused(.offerNotFound),
            make: { world in
                Offers.ReadDeal(customer: try await world.customer(), offer: try await live(world).offer)
            },
            expect: { ask, reply, _ in
                try require(reply.deal.offer == ask.offer && reply.usable, "a coupon that can be used cannot be used")
            }),
        Example(
            nobody: Offers.ReadHistory(customer: nobody(), before: nil, limit: 1), nobodyFinds: .replied,
            make: { world in Offers.ReadHistory(customer: try await world.customer(), before: nil, limit: 10) },
            isOptional: true),
        Example(
            nobody: Offers.ExplainOffer(offer: nobody(), customer: nobody()), nobodyFinds: .refused(.offerNotFound),
            make: { world in
                Offers.ExplainOffer(offer: try await live(world).offer, customer: try await world.customer())
            },
            isOptional: true,
            isMoving: true,
            expect: { ask, reply, world in
                try require(reply.shown, "a coupon that can be used is explained as not shown")
                // A reading may be wrong once in fifty.
                for _ in 0..<64 {
                    let again = try await world.ask(ask)
                    try require(
                        again.shown == reply.shown && again.sent == reply.sent, "an offer is explained otherwise later")
                }
            }),
        Example(
            nobody: Offers.CountAudience(offer: nobody()), nobodyFinds: .refused(.offerNotFound),
            make: { world in Offers.CountAudience(offer: try await live(world).offer) }, isOptional: true,
            expect: { _, reply, _ in try require(reply.audience >= 1, "a subscriber is not counted") }),
        Example(
            nobody: Offers.SeeDeal(customer: nobody(), offer: nobody()), nobodyFinds: .refused(.offerNotFound),
            make: { world in
                Offers.SeeDeal(customer: try await world.customer(), offer: try await live(world).offer)
            },
            isOptional: true,
            effect: { ask, world in [try await world.ask(Offers.ReadOutcome(offer: ask.offer)).seen] },
            moves: [1]),
        Example(
            nobody: Offers.ReadOutcome(offer: nobody()), nobodyFinds: .refused(.offerNotFound),
            make: { world in
                let see = Offers.SeeDeal(customer: try await world.customer(), offer: try await live(world).offer)
                _ = try await world.ask(see)
                return Offers.ReadOutcome(offer: see.offer)
            },
            isOptional: true,
            expect: { _, reply, _ in
                try require(reply.seen == 1 && reply.sent == 0, "one customer's look counts as \(reply.seen)")
            })
    ]

    private static let offersWishes: [any AskExample] = [
        Example(
            nobody: Offers.SetSubscription(
                customer: nobody(), merchant: nobody(), subscription: .init(ads: true, coupons: true)),
            nobodyFinds: .refused(.offerMerchantNotFound),
            make: { world in
                Offers.SetSubscription(
                    customer: try await world.newAccount(.customer), merchant: try await world.merchant(),
                    subscription: .init(ads: false, coupons: true))
            },
            shows: { ask, world in
                [
                    try await world.reading(
                        Offers.ReadSubscriptions(customer: ask.customer, after: nil, limit: 10))
                ]
            },
            expect: { ask, view, _ in
                try require(view.subscription == ask.subscription, "the subscription is another one")
            }),
        Example(
            nobody: Offers.ReadSubscriptions(customer: nobody(), after: nil, limit: 1), nobodyFinds: .replied,
            make: { world in
                let (customer, merchant) = (try await world.customer(), try await world.merchant())
                _ = try await world.ask(
                    Offers.SetSubscription(
                        customer: customer, merchant: merchant, subscription: .init(ads: true, coupons: true)))
                return Offers.ReadSubscriptions(customer: customer, after: nil, limit: 10)
            },
            expect: { _, reply, _ in try require(!reply.subscriptions.isEmpty, "the subscription was not kept") }),
        Example(
            nobody: Offers.SetPreferences(customer: nobody(), preferences: .usual),
            make: { world in
                Offers.SetPreferences(
                    customer: world.id(),
                    preferences: .init(
                        enabled: false, ads: false, coupons: false, muted: [world.id()], perDay: 3))
            },
            shows: { ask, world in [try await world.reading(Offers.ReadPreferences(customer: ask.customer))] },
            expect: { ask, preferences, world in
                let read = try await world.ask(Offers.ReadPreferences(customer: ask.customer))
                try require(
                    preferences == ask.preferences && read == preferences, "the preferences were not kept")
            }),
        Example(
            nobody: Offers.ReadPreferences(customer: nobody()), nobodyFinds: .replied,
            make: { world in Offers.ReadPreferences(customer: world.id()) },
            expect: { _, preferences, _ in
                try require(preferences == .usual, "who said nothing has other preferences than the usual ones")
            }),
        Example(
            nobody: Offers.ReadRewards(customer: nobody()), nobodyFinds: .replied,
            make: { world in Offers.ReadRewards(customer: try await world.customer()) }),
        Example(
            nobody: Offers.JoinRewards(customer: nobody(), joined: false),
            make: { world in Offers.JoinRewards(customer: try await world.newAccount(.customer), joined: true) },
            shows: { ask, world in [try await world.reading(Offers.ReadRewards(customer: ask.customer))] },
            expect: { _, view, _ in try require(view.joined, "the customer does not take part") })
    ]

    private static let reservation = Example(
        nobody: Offers.ReserveCoupon(
            coupon: nobody(), charge: nobody(), customer: nobody(), merchant: nobody(), amount: Money(100),
            expires: Timestamp(milliseconds: 4_102_444_800_000)),
        nobodyFinds: .refused(.offerNotFound),
        make: { world in
            let coupon = try await live(world)
            return Offers.ReserveCoupon(
                coupon: coupon.offer, charge: world.id(), customer: try await world.customer(),
                merchant: coupon.merchant,
                amount: Money(100), expires: world.now + .seconds(300))
        },
        other: {
            Offers.ReserveCoupon(
                coupon: $0.coupon, charge: $0.charge, customer: $0.customer, merchant: $0.merchant,
                amount: $0.amount.more,
                expires: $0.expires)
        },
        reused: .idReusedForCoupon,
        shows: { ask, world in [try await world.reading(Offers.ReadDeal(customer: ask.customer, offer: ask.coupon))] },
        expect: { _, reply, _ in
            try require(reply.discount == Money(50), "half of 100 is \(reply.discount.amount)")
        })

    private static let offersMoney: [any AskExample] = [
        reservation,
        Example(
            nobody: Offers.PushOffer(push: nobody(), offer: nobody(), merchant: nobody(), place: nil),
            nobodyFinds: .refused(.offerNotFound),
            make: { world in
                let offer = try await live(world)
                return Offers.PushOffer(push: world.id(), offer: offer.offer, merchant: offer.merchant, place: nil)
            },
            isOptional: true,
            other: {
                Offers.PushOffer(
                    push: $0.push, offer: Identifier(high: ~$0.offer.high, low: $0.offer.low), merchant: $0.merchant,
                    place: nil)
            },
            reused: .idReusedForCoupon,
            expect: { _, reply, _ in try require(reply.sent <= reply.nearby, "more are sent it than are near") }),
        Example(table: .coupons, of: Offers.self), Example(facts: Offers.self),
        Example(stats: Offers.self),
        Example(spans: Offers.self),
        Example(backup: Offers.self),
        Example(follow: Offers.self), Example(state: Offers.self), Example(seal: Offers.self),
        Example(cursor: Offers.self)
    ]
}
