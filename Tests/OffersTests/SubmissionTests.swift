import Bus
import Contracts
import OffersService
import Primitives
import TestKit
import Testing

@Suite("from a draft to an offer (A33, A35)")
struct SubmissionTests {
    @Test(
        "submitted, it waits; the same again is the same; another under its id is refused",
        arguments: StoreKind.allCases)
    func submit(kind: StoreKind) async throws {
        let offers = try await OffersHarness.peopled(kind)
        let id = OfferID.fresh()
        let made = try await offers.submit(as: id)
        #expect(!made.replayed)
        #expect((made.offer.accepted, made.offer.enabled, made.offer.revision) == (.pending, true, 1))
        #expect(made.offer.terms.sendTime == offers.clock.now)
        #expect(made.offer.terms.expDate == offers.clock.now + .seconds(30 * 86_400))
        #expect(made.offer.terms.usesPerCustomer == 1)
        offers.clock.advance(.seconds(60))
        let again = try await offers.submit(as: id)
        #expect(again.replayed && again.offer == made.offer)
        #expect(await refusal { () throws(Fault) in try await offers.submit(.ad, .ad, as: id) } == .idReusedForCoupon)
        #expect(
            await refusal { () throws(Fault) in try await offers.submit(as: id, by: .bakery) } == .idReusedForCoupon)
        // Edited since, it is still what was submitted.
        try await offers.edit(id, .coupon(minimum: 100))
        #expect(try await offers.submit(as: id).replayed)
        #expect(
            try await offers.facts(Offers.OfferSubmitted.self).map(\.revision) == [1, 2])
    }

    @Test("001-20, 001-138: it is in no list before it is accepted, nor after an edit, a rejection or while disabled")
    func lifecycle() async throws {
        let offers = try await OffersHarness.peopled()
        try await offers.subscribe()
        let id = try await offers.submit().offer.offer
        #expect(try await offers.shown() == [])
        let decided = try await offers.decide(id)
        #expect((decided.offer.accepted, decided.replayed) == (.accepted, false))
        #expect(try await offers.shown() == [id])
        try await offers.enable(id, false)
        #expect(try await offers.shown() == [])
        #expect(try await offers.enable(id, true).accepted == .accepted)
        #expect(try await offers.shown() == [id])
        let edited = try await offers.edit(id, .coupon(minimum: 100))
        #expect((edited.accepted, edited.revision, edited.decided) == (.pending, 2, nil))
        #expect(try await offers.shown() == [])
        try await offers.decide(id, .rejected, reason: "Too cheap", revision: 2)
        #expect(try await offers.shown() == [])
        let published = try await offers.facts(Offers.OfferDecided.self)
        #expect(published.map(\.acceptance) == [.accepted, .rejected])
        #expect(published.last?.reason == "Too cheap")
    }

    @Test("what was approved last is known until another revision is approved", arguments: StoreKind.allCases)
    func lastApproved(kind: StoreKind) async throws {
        let offers = try await OffersHarness.peopled(kind)
        let made = try await offers.submit().offer
        let id = made.offer
        #expect(try await offers.edit(id, .coupon(minimum: 100)).lastApproved == nil)
        let approved = try await offers.decide(id, revision: 2).offer
        #expect(approved.lastApproved == nil)
        let known = Offers.ApprovedRevision(revision: 2, terms: approved.terms)
        #expect(try await offers.edit(id, .coupon(minimum: 200)).lastApproved == known)
        #expect(try await offers.decide(id, .rejected, reason: "Loud", revision: 3).offer.lastApproved == known)
        #expect(try await offers.edit(id, .coupon(minimum: 300)).lastApproved == known)
        let pending = try await ReadPendingHandler(offers.service).admit(
            .init(before: nil, limit: 1), in: offers.context())
        #expect(pending.offers.map(\.lastApproved) == [known])
        #expect(try await offers.decide(id, revision: 4).offer.lastApproved == nil)
        // Taken back, it is still the one that was approved last.
        let takenBack = try await offers.decide(id, .rejected, reason: "Loud", revision: 4).offer
        #expect(takenBack.lastApproved == Offers.ApprovedRevision(revision: 4, terms: takenBack.terms))
    }

    @Test("an edit to the same changes nothing; one of what was changed since is refused")
    func edits() async throws {
        let offers = try await OffersHarness.peopled()
        let id = try await offers.live()
        offers.clock.advance(.seconds(3600))
        let same = try await offers.edit(id, .coupon)
        #expect((same.accepted, same.revision) == (.accepted, 1))
        #expect(try await offers.edit(id, .coupon(minimum: 100), revision: 1).revision == 2)
        // Repeated, it has been done already.
        #expect(try await offers.edit(id, .coupon(minimum: 100), revision: 1).revision == 2)
        #expect(
            await refusal { () throws(Fault) in try await offers.edit(id, .coupon(minimum: 200), revision: 1) }
                == .offerChanged)
        #expect(
            await refusal { () throws(Fault) in try await offers.edit(.fresh(), .coupon) } == .offerNotFound)
        #expect(
            await refusal { () throws(Fault) in try await offers.edit(id, .coupon, by: .bakery) } == .offerNotFound)
    }

    @Test("the administrator decides on what they saw, once; what was accepted may be rejected, never the other way")
    func decisions() async throws {
        let offers = try await OffersHarness.peopled()
        let id = try await offers.submit().offer.offer
        #expect(await refusal { () throws(Fault) in try await offers.decide(id, revision: 2) } == .offerChanged)
        #expect(await refusal { () throws(Fault) in try await offers.decide(.fresh()) } == .offerNotFound)
        #expect(await refusal { () throws(Fault) in try await offers.decide(id, .pending) } == .malformed)
        #expect(await refusal { () throws(Fault) in try await offers.decide(id, reason: "Nice") } == .offerInvalid)
        #expect(try await offers.decide(id).replayed == false)
        #expect(try await offers.decide(id).replayed)
        #expect(try await offers.decide(id, .rejected, reason: "Loud").replayed == false)
        #expect(try await offers.decide(id, .rejected, reason: "Loud").replayed)
        #expect(await refusal { () throws(Fault) in try await offers.decide(id) } == .offerDecided)
        #expect(
            await refusal { () throws(Fault) in try await offers.decide(id, .rejected, reason: "Long") }
                == .offerDecided)
        #expect(try await offers.facts(Offers.OfferDecided.self).count == 2)
    }

    @Test("lists are newest first, in pages: the merchant's own by kind, and what waits for the administrator")
    func lists() async throws {
        let offers = try await OffersHarness.peopled()
        var ids: [OfferID] = []
        for number in 0..<5 {
            ids.append(
                try await offers.submit(number % 2 == 0 ? .coupon : .ad, number % 2 == 0 ? .coupon : .ad).offer.offer)
        }
        try await offers.submit(by: .bakery)
        try await offers.decide(ids[0])
        let read = ReadOffersHandler(offers.service)
        func page(_ kind: Offers.Kind?, _ before: Int64?) async throws -> Offers.OffersPage {
            try await read.admit(
                .init(merchant: .cafe, kind: kind, before: before, limit: 2), in: offers.context())
        }
        let first = try await page(nil, nil)
        #expect(first.offers.map(\.offer) == [ids[4], ids[3]])
        let second = try await page(nil, first.next)
        #expect(second.offers.map(\.offer) == [ids[2], ids[1]])
        let third = try await page(nil, second.next)
        #expect(third.offers.map(\.offer) == [ids[0]] && third.next == nil)
        #expect(try await page(.ad, nil).offers.map(\.offer) == [ids[3], ids[1]])
        let approved = try await read.admit(
            .init(merchant: .cafe, kind: nil, accepted: .accepted, before: nil, limit: 9), in: offers.context())
        #expect(approved.offers.map(\.offer) == [ids[0]])
        let pending = try await ReadPendingHandler(offers.service).admit(
            .init(before: nil, limit: 100), in: offers.context())
        #expect(pending.offers.count == 5 && !pending.offers.map(\.offer).contains(ids[0]))
        #expect(
            await refusal { () throws(Fault) in
                try await read.admit(.init(merchant: .cafe, kind: nil, before: nil, limit: 0), in: offers.context())
            } == .malformed)
    }

    @Test("a page of long texts fits into an envelope, and goes on where it ended")
    func longTexts() async throws {
        let offers = try await OffersHarness.peopled()
        let text = String(repeating: "𝄞", count: 255)
        for _ in 0..<100 { try await offers.submit(Offers.Terms(title: "T", content: text)) }
        var (seen, before): (Set<OfferID>, Int64?) = ([], nil)
        repeat {
            let page = try await ReadOffersHandler(offers.service).admit(
                .init(merchant: .cafe, kind: nil, before: before, limit: 100), in: offers.context())
            #expect(page.json.count <= FactsPage.bytesMax)
            seen.formUnion(page.offers.map(\.offer))
            before = page.next
        } while before != nil
        #expect(seen.count == 100)
    }

    @Test("a merchant has so many offers that have not ended")
    func limit() async throws {
        var rules = DealRules()
        rules.offersPerMerchantMax = 2
        let offers = try await OffersHarness.peopled(rules: rules)
        for _ in 0..<2 { try await offers.submit() }
        #expect(await refusal { () throws(Fault) in try await offers.submit() } == .tooManyOffers)
        #expect(await refusal { () throws(Fault) in try await offers.submit(by: .bakery) } == nil)
        offers.clock.advance(DealRules.lifetime + .seconds(1))
        #expect(await refusal { () throws(Fault) in try await offers.submit() } == nil)
        // One that has ended is one more when an edit lets it begin again.
        let ended = try await offers.submit().offer.offer
        offers.clock.advance(DealRules.lifetime + .seconds(1))
        for _ in 0..<2 { try await offers.submit() }
        let later = Offers.Terms(
            title: "Half price", content: "Of all coffees", expDate: offers.clock.now + .seconds(3600),
            discount: Offers.Discount(percent: 50))
        #expect(await refusal { () throws(Fault) in try await offers.edit(ended, later) } == .tooManyOffers)
    }

    private static let long = String(repeating: "x", count: 256)
    private static let now = ManualClock.start

    static let impossible: [(String, Offers.Kind, Offers.Terms)] = [
        ("no title", .ad, .init(title: " ", content: "b")),
        ("a long title", .ad, .init(title: String(repeating: "ä", count: 51), content: "b")),
        ("no content", .ad, .init(title: "a", content: "")),
        ("a long content", .ad, .init(title: "a", content: long)),
        ("a line break", .ad, .init(title: "a\nb", content: "b")),
        ("an override", .ad, .init(title: "a\u{202E}b", content: "b")),
        ("a negative age", .ad, .ad(minAge: -1)),
        ("an age of stones", .ad, .ad(maxAge: 151)),
        ("ages turned around", .ad, .ad(minAge: 30, maxAge: 20)),
        ("visits turned around", .ad, .ad(minVisits: 3, maxVisits: 2)),
        ("no days", .ad, .ad(withinDays: 0)),
        ("half a target", .ad, .init(title: "a", content: "b", targetLat: 1)),
        ("a radius without a target", .ad, .ad(radius: 100)),
        ("no radius", .ad, .ad(at: .square, radius: 0)),
        ("a wide radius", .ad, .ad(at: .square, radius: 10_001)),
        ("it ends when it begins", .ad, .ad(from: now, to: now)),
        ("it has ended", .ad, .ad(from: now - .seconds(60), to: now)),
        ("it lasts for years", .ad, .ad(from: now, to: now + .seconds(367 * 86_400))),
        ("an ad that takes something off", .ad, .coupon),
        ("a discount of nothing", .coupon, .coupon(.init())),
        ("two discounts", .coupon, .coupon(.init(amount: Money(1), percent: 1))),
        ("all of it", .coupon, .coupon(.init(percent: 100))),
        ("no amount", .coupon, .coupon(.init(amount: Money(0)))),
        ("no minimum", .coupon, .coupon(minimum: 0)),
        ("no uses", .coupon, .coupon(each: 0)),
        ("no stars", .coupon, .coupon(stars: 0)),
        ("a minimum of nothing off", .coupon, .init(title: "a", content: "b", minimum: Money(1)))
    ]

    @Test("what cannot be is refused, and says why", arguments: impossible)
    func invalid(name: String, kind: Offers.Kind, terms: Offers.Terms) async throws {
        let offers = try await OffersHarness.peopled()
        do throws(Fault) {
            try await offers.submit(terms, kind)
            Issue.record("\(name) was taken")
        } catch {
            #expect(error.code == .offerInvalid, "\(name)")
            #expect(error.detail?.isEmpty == false, "\(name)")
        }
        let id = try await offers.live(.ad, .ad)
        if kind == .ad {
            #expect(await refusal { () throws(Fault) in try await offers.edit(id, terms) } == .offerInvalid, "\(name)")
        }
        #expect(try await offers.facts(Offers.OfferSubmitted.self).count == 1)
    }

    @Test("a target that is not on the globe is refused (A43)")
    func target() async throws {
        let offers = try await OffersHarness.peopled()
        let terms = Offers.Terms(title: "a", content: "b", targetLat: 90_000_001, targetLon: 0)
        #expect(await refusal { () throws(Fault) in try await offers.submit(terms, .ad) } == .offerCoordinateInvalid)
    }

    @Test("001-117: kinds of products, as auth tells them, keep their indexes as long as they are there")
    func products() async throws {
        let offers = try await OffersHarness.peopled()
        func put(_ types: [String]?, _ merchant: PartyID = .cafe) async throws -> [Offers.ProductType] {
            try await offers.sell(types, by: merchant)
            return try await ReadProductTypesHandler(offers.service).admit(
                .init(merchant: merchant), in: offers.context()
            ).types
        }
        let first = try await put(["coffee", "cake"])
        #expect(first.map(\.type) == ["coffee", "cake"])
        #expect(Set(first.map(\.productIndex)).count == 2)
        let other = try await put(["coffee"], .bakery)
        #expect(!first.map(\.productIndex).contains(other[0].productIndex))
        let second = try await put(["tea", "coffee"])
        #expect(second[0] == first[0])
        #expect(!first.map(\.productIndex).contains(second[1].productIndex))
        #expect(try await put(nil).isEmpty)
    }
}
