import Bus
import Contracts
import Foundation
import OffersService
import Primitives
import Sodium

/// Offers' values alone, in this process: what one customer's ask for coupons and ads costs, from the rules to the
/// bytes of the answer, among 100,000 live offers of 10,000 merchants in a city of twenty kilometres square.
///
/// Half of the offers are about a place, with radii of 200 m to 5 km; one in three has an age, one in five a gender,
/// one in five is for students, one in four looks at the history.
struct OffersBench {
    /// How many merchants each customer subscribes to.
    let subscriptions: Int
    let seconds: Double

    static let merchants = 10_000
    static let offers = 100_000
    private static let customers = 20_000
    /// Subscriptions in all, at most: memory, not time.
    private static let subscriptionsMax = 2_000_000
    private static let limit = 20
    /// Half the city's side, in millionths of a degree.
    private static let span = 90_000
    private static let middle = (latitude: 35_198_284, longitude: -111_651_302)

    func run(_ time: inout ProcessorTime) -> Figure {
        var random = SystemRandomNumberGenerator()
        let now = WallClock.system.now()
        func ids<Subject>(_ count: Int) -> [Identifier<Subject>] {
            (0..<count).map { _ in Randomness.shared.identifier(at: now) }
        }
        var index = OfferIndex()
        let merchants: [PartyID] = ids(Self.merchants)
        for merchant in merchants {
            index.changeMerchant(merchant) {
                $0.isKnown = true
                $0.isApproved = true
                $0.name = "Merchant"
            }
        }
        for (number, id) in (ids(Self.offers) as [OfferID]).enumerated() {
            index.put(Self.offer(id, of: merchants[number % merchants.count], number, at: now, &random))
        }
        let customers: [PartyID] = ids(min(Self.customers, Self.subscriptionsMax / subscriptions))
        for customer in customers { add(customer, to: &index, merchants, &random) }

        var micros: [Double] = []
        var (found, bytes) = (0, 0)
        time.start()
        let end = monotonicNanoseconds() + UInt64(seconds * 1e9)
        let started = monotonicNanoseconds()
        while monotonicNanoseconds() < end {
            let customer = customers[Int.random(in: customers.indices, using: &random)]
            let moment = Moment(now: now + .seconds(3600), position: Self.point(&random))
            let begin = monotonicNanoseconds()
            let deals = index.deals(customer, kind: nil, at: moment, limit: Self.limit).deals
            bytes += deals.json.count
            micros.append(Double(monotonicNanoseconds() - begin) / 1000)
            found += Int(deals.total)
        }
        let each = max(1, micros.count)
        return Figure(
            "offers, \(subscriptions) merchants, \(found / each) of \(index.liveCount) found",
            count: micros.count, seconds: Double(monotonicNanoseconds() - started) / 1e9, micros, &time)
    }

    private static func offer(
        _ id: OfferID, of merchant: PartyID, _ number: Int, at now: Timestamp,
        _ random: inout some RandomNumberGenerator
    ) -> OffersService.Offer {
        let point = number % 2 == 0 ? point(&random) : nil
        let minAge = number % 3 == 0 ? Int.random(in: 18...60, using: &random) : nil
        let terms = Offers.Terms(
            title: "Half price \(number)", content: "Of all coffees from three to five o'clock", minAge: minAge,
            maxAge: minAge.map { $0 + 20 }, targetGender: number % 5 == 1 ? .female : nil, student: number % 5 == 2,
            sendTime: now, expDate: now + .seconds(86_400 + Int64(number)),
            targetLat: point.map { Int64($0.latitude) }, targetLon: point.map { Int64($0.longitude) },
            radiusMetres: point == nil ? nil : [200, 500, 1000, 5000][number / 2 % 4],
            minVisits: number % 4 == 3 ? 1 : nil, discount: Offers.Discount(percent: 50), usesPerCustomer: 1)
        return OffersService.Offer(
            id: id, kind: .coupon, merchant: merchant, terms: terms, accepted: .accepted, submitted: now,
            decided: now)
    }

    private func add(
        _ customer: PartyID, to index: inout OfferIndex, _ merchants: [PartyID],
        _ random: inout some RandomNumberGenerator
    ) {
        var chosen: Set<Int> = []
        while chosen.count < min(subscriptions, merchants.count) {
            // One behind the other where it is all of them: drawing the last ones would take for ever.
            chosen.insert(
                subscriptions >= merchants.count ? chosen.count : Int.random(in: merchants.indices, using: &random))
        }
        let age = Int.random(in: 16...80, using: &random)
        index.changeCustomer(customer) {
            $0.isKnown = true
            $0.profile = Profile(
                birthdate: CivilDate(year: 2026 - age, month: 1 + age % 12, day: 1 + age % 28),
                gender: age % 2 == 0 ? .female : .male, student: age < 26)
            for place in chosen.prefix(20) { $0.histories[merchants[place]] = History(visits: 1 + place % 3) }
        }
        for place in chosen {
            index.subscribe(customer, to: merchants[place], Offers.Subscription(ads: true, coupons: true))
        }
    }

    private static func point(_ random: inout some RandomNumberGenerator) -> Coordinate {
        Coordinate(
            checkedLatitude: Int32(middle.latitude + Int.random(in: -span...span, using: &random)),
            longitude: Int32(middle.longitude + Int.random(in: -span...span, using: &random)))
    }
}
