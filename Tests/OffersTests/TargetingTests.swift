import Contracts
import Foundation
import OffersService
import Primitives
import Testing

/// Two customers who differ in one thing, and an offer that is for the first of them only.
struct Pair: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let rule: Offers.Rule
    let offer: OffersService.Offer
    let wanted: Subject
    let other: Subject
    var moments = (Pair.moment, Pair.moment)

    static let now = Timestamp(milliseconds: 1_800_000_000_000)
    static let moment = Moment(now: now, position: nil)

    static let anybody: Subject = {
        var subject = Subject()
        subject.merchantIsApproved = true
        subject.subscription = Offers.Subscription(ads: true, coupons: true)
        return subject
    }()

    static func offer(_ terms: Offers.Terms, _ kind: Offers.Kind = .ad) -> OffersService.Offer {
        let terms = Offers.Terms(
            title: terms.title, content: terms.content, minAge: terms.minAge, maxAge: terms.maxAge,
            targetGender: terms.targetGender, student: terms.student, sendTime: terms.sendTime ?? now,
            expDate: terms.expDate ?? now + .seconds(86_400), targetLat: terms.targetLat, targetLon: terms.targetLon,
            radiusMetres: terms.radiusMetres, minVisits: terms.minVisits, maxVisits: terms.maxVisits,
            withinDays: terms.withinDays, discount: terms.discount, usesPerCustomer: terms.usesPerCustomer,
            usesInAll: terms.usesInAll, stars: terms.stars)
        return OffersService.Offer(
            id: OfferID(high: 1, low: 1), kind: kind, merchant: .cafe, terms: terms, accepted: .accepted,
            submitted: now, decided: now)
    }

    init(
        _ name: String, _ rule: Offers.Rule, _ offer: OffersService.Offer, _ wanted: (inout Subject) -> Void = { _ in },
        not other: (inout Subject) -> Void = { _ in }, at moments: (Moment, Moment) = (moment, moment)
    ) {
        testDescription = name
        self.rule = rule
        self.offer = offer
        var (one, two) = (Self.anybody, Self.anybody)
        wanted(&one)
        other(&two)
        (self.wanted, self.other, self.moments) = (one, two, moments)
    }

    private static func born(_ date: String) -> (inout Subject) -> Void { { $0.profile.birthdate = CivilDate(date) } }

    /// `now` is 2027-01-15.
    static let all: [Pair] = [
        Pair("18 today or tomorrow", .age, offer(.ad(minAge: 18)), born("2009-01-15"), not: born("2009-01-16")),
        Pair("25 for the last day", .age, offer(.ad(maxAge: 25)), born("2001-01-16"), not: born("2001-01-15")),
        Pair("one age", .age, offer(.ad(minAge: 21, maxAge: 21)), born("2005-06-01"), not: born("2006-06-01")),
        Pair("an age that is not known", .age, offer(.ad(minAge: 0)), born("2005-06-01")),
        Pair(
            "gender", .gender, offer(.ad(gender: .female)), { $0.profile.gender = .female },
            not: { $0.profile.gender = .male }),
        Pair("a gender that is not known", .gender, offer(.ad(gender: .male)), { $0.profile.gender = .male }),
        Pair(
            "student", .student, offer(.ad(student: true)), { $0.profile.student = true },
            not: { $0.profile.student = false }),
        Pair("whether a student is not known", .student, offer(.ad(student: true)), { $0.profile.student = true }),
        Pair(
            "subscribed to ads", .subscription, offer(.ad), not: { $0.subscription = .init(ads: false, coupons: true) }),
        Pair(
            "subscribed to coupons", .subscription, offer(.coupon, .coupon),
            not: { $0.subscription = .init(ads: true, coupons: false) }),
        Pair("wants ads", .types, offer(.ad), { $0.wants.coupons = false }, not: { $0.wants.ads = false }),
        Pair(
            "wants coupons", .types, offer(.coupon, .coupon), { $0.wants.ads = false },
            not: { $0.wants.coupons = false }),
        Pair("muted", .sources, offer(.ad), not: { $0.isMuted = true }),
        Pair("an approved merchant", .merchant, offer(.ad), not: { $0.merchantIsApproved = false }),
        Pair(
            "been here twice", .history, offer(.ad(minVisits: 2)), { $0.history.visits = 2 },
            not: { $0.history.visits = 1 }),
        Pair("new here", .history, offer(.ad(maxVisits: 0)), not: { $0.history.visits = 1 }),
        Pair(
            "been here within seven days", .history, offer(.ad(withinDays: 7)),
            { $0.history = History(visits: 1, last: now - .seconds(7 * 86_400)) },
            not: { $0.history = History(visits: 1, last: now - .milliseconds(7 * 86_400_000 + 1)) }),
        Pair("never been here", .history, offer(.ad(withinDays: 7)), { $0.history = History(visits: 1, last: now) }),
        Pair(
            "not used yet", .uses, offer(.coupon(each: 2), .coupon), { $0.uses = 1 }, not: { $0.uses = 2 }),
        Pair(
            "not used up", .uses, offer(.coupon(each: 9, inAll: 5), .coupon), { $0.usesInAll = 4 },
            not: { $0.usesInAll = 5 }),
        Pair(
            "ten stars", .stars, offer(.coupon(stars: 10), .coupon), { $0.history = History(stars: 12, starsSpent: 2) },
            not: { $0.history = History(stars: 12, starsSpent: 3) }),
        Pair("sent nothing", .participation, offer(.ad), not: { $0.wants.enabled = false }),
        Pair(
            "not too much", .amount, offer(.ad), { $0.wants.perDay = 3 }, not: { $0.wants.perDay = 3 },
            at: (
                Moment(now: now, position: nil, sentLately: 2), Moment(now: now, position: nil, sentLately: 3)
            )),
        Pair(
            "200 m or more", .place, offer(.ad(at: .square)),
            at: (
                Moment(now: now, position: Coordinate.square.moved(north: 199)),
                Moment(now: now, position: Coordinate.square.moved(north: 201))
            )),
        Pair(
            "an own radius", .place, offer(.ad(at: .square, radius: 1000)),
            at: (
                Moment(now: now, position: Coordinate.square.moved(east: 999)),
                Moment(now: now, position: Coordinate.square.moved(east: 1001))
            )),
        Pair(
            "nowhere", .place, offer(.ad(at: .square)),
            at: (Moment(now: now, position: .square), Moment(now: now, position: nil))),
        Pair(
            "not before it begins", .time, offer(.ad(from: now)),
            at: (Moment(now: now, position: nil), Moment(now: now - .milliseconds(1), position: nil))),
        Pair(
            "not after it ends", .time, offer(.ad(from: now, to: now + .seconds(60))),
            at: (
                Moment(now: now + .seconds(60), position: nil),
                Moment(now: now + .milliseconds(60_001), position: nil)
            ))
    ]
}

@Suite("who gets what (001-132 … 001-138)")
struct TargetingTests {
    @Test("two customers who differ in one thing: one gets it, the other does not", arguments: Pair.all)
    func pairs(pair: Pair) {
        let target = Target(pair.offer)
        #expect(Targeting.allows(Targeting.sent, target, pair.wanted, pair.moments.0))
        #expect(!Targeting.allows(Targeting.sent, target, pair.other, pair.moments.1))
        // And it is that rule alone that says so, in the explanation too.
        for verdict in Targeting.verdicts(target, pair.other, pair.moments.1) {
            #expect(verdict.passes == (verdict.rule != pair.rule), "\(verdict)")
            #expect(!verdict.wanted.isEmpty && !verdict.found.isEmpty)
        }
        let failed = Targeting.verdicts(target, pair.wanted, pair.moments.0).filter { !$0.passes }
        #expect(failed == [])
    }

    @Test("every rule has its pair")
    func coverage() {
        let ofTheOffer: Set<Offers.Rule> = [.approval, .enabled]
        // Quiet hours put off what is sent; notifications has them.
        let rules = Set(Offers.Rule.allCases).subtracting([.quiet])
        #expect(Set(Pair.all.map(\.rule)).union(ofTheOffer) == rules)
        #expect(Set(Targeting.sent) == rules)
    }

    @Test("a bound that is absent restricts nobody, whatever is known of them (001-132)")
    func unbound() {
        let target = Target(Pair.offer(.ad))
        #expect(Targeting.allows(Targeting.sent, target, Pair.anybody, Pair.moment))
    }

    @Test("001-138: what is pending, rejected or disabled reaches nobody", arguments: Offers.Acceptance.allCases)
    func approval(accepted: Offers.Acceptance) {
        var offer = Pair.offer(.ad)
        offer.accepted = accepted
        let allowed = Targeting.allows(Targeting.shown, Target(offer), Pair.anybody, Pair.moment)
        #expect(allowed == (accepted == .accepted))
        offer.enabled = false
        #expect(!Targeting.allows(Targeting.shown, Target(offer), Pair.anybody, Pair.moment))
    }

    @Test("the age is that of the send date, not of today (001-132)")
    func ageOnSendDate() {
        let later = Pair.now + .seconds(10 * 86_400)
        var subject = Pair.anybody
        subject.profile.birthdate = CivilDate("2009-01-20")
        let moment = Moment(now: later, position: nil)
        let sentNow = Target(Pair.offer(.ad(minAge: 18, from: Pair.now, to: later + .seconds(60))))
        #expect(!Targeting.allows(Targeting.shown, sentNow, subject, moment))
        let sentLater = Target(Pair.offer(.ad(minAge: 18, from: later, to: later + .seconds(60))))
        #expect(Targeting.allows(Targeting.shown, sentLater, subject, moment))
    }

    @Test("nobody is told where a customer is, only whether it is near")
    func discretion() {
        let moment = Moment(now: Pair.now, position: Coordinate.square.moved(north: 150))
        let verdicts = Targeting.verdicts(Target(Pair.offer(.ad(at: .square))), Pair.anybody, moment)
        let place = verdicts.first { $0.rule == .place }
        #expect(place?.found == "within")
        #expect(place?.wanted == "within 200 m")
    }

    @Test("the gate before the rules lets in all that the rules of time and place let in, everywhere on the globe")
    func gate() {
        var random = SystemRandomNumberGenerator()
        var inside = 0
        for _ in 0..<200_000 {
            let latitude =
                Bool.random()
                ? Int32.random(in: -90_000_000...90_000_000)
                : [-90_000_000, 89_999_000, 0].randomElement(using: &random)!
            let longitude =
                Bool.random()
                ? Int32.random(in: -180_000_000...180_000_000)
                : [-180_000_000, 179_999_000, 0].randomElement(using: &random)!
            let centre = Coordinate(checkedLatitude: latitude, longitude: longitude)
            let radius = Int64.random(in: 1...10_000, using: &random)
            let target = Target(Pair.offer(.ad(at: centre, radius: radius)))
            // Mostly near the edge, on all sides.
            let reach = Double(radius) / FlatEarth.metresPerMillionth * 1.5
            let north = Int64(latitude) + Int64(Double.random(in: -reach...reach, using: &random))
            let width = min(reach / max(1e-6, cos(Double(latitude) * FlatEarth.radiansPerMillionth)), 180e6)
            var east = Int64(longitude) + Int64(Double.random(in: -width...width, using: &random))
            if east > 180_000_000 { east -= FlatEarth.turn }
            if east < -180_000_000 { east += FlatEarth.turn }
            guard let position = Coordinate(latitude: north, longitude: east) else { continue }
            let moment = Moment(now: Pair.now, position: position)
            guard Targeting.passes(.place, target, Pair.anybody, moment) else { continue }
            inside += 1
            #expect(Gate(target).isOpen(moment))
        }
        #expect(inside > 10_000)
        let target = Target(Pair.offer(.ad(from: Pair.now, to: Pair.now + .seconds(60))))
        for (milliseconds, isOpen) in [(-1, false), (0, true), (60_000, true), (60_001, false)] {
            #expect(Gate(target).isOpen(Moment(now: Pair.now + .milliseconds(milliseconds), position: nil)) == isOpen)
        }
    }
}
