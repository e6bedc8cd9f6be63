import Primitives

/// What somebody does at a moment of a trip.
package struct TownEvent: Sendable, Equatable {
    package enum Act: Sendable, Equatable {
        case move(Coordinate)
        /// Opens one of the coupons that are shown here and now.
        case look
        case buy
        /// Answers the shop's request.
        case answer
        /// Sends a friend some money.
        case send
        /// The shop pays the purchase back.
        case refund
    }

    /// Milliseconds since 1970.
    package let time: Int64
    package let act: Act
}

/// A person's way from home to a shop and back, and what is bought there. It follows from town, person and number.
package struct Trip: Sendable {
    package enum Way: Sendable { case pay, code, request, declined }

    package let number: Int
    package let person: Person
    /// An index in `Town.shops`.
    package let shop: Int
    package let goods: [Good]
    package let way: Way
    /// Whether the person would use a coupon of the shop.
    package let wantsCoupon: Bool
    /// The person who is sent money, and how many cents; nil on most trips.
    package let gift: (to: Int, cents: Int64)?
    package let events: [TownEvent]

    package var cents: Int64 { goods.reduce(0) { $0 + $1.price } }
    package var memo: String { goods.map(\.name).joined(separator: ", ") }
    /// What the keys of this trip's requests begin with: the same in each run, so that nothing is paid twice.
    package var key: String { "town-\(person.number)-\(number)" }
}

extension Town {
    /// A trip takes 20 to 40 minutes, and the next one follows at once.
    private static let (shortest, longest) = (1_200_000, 2_400_000)
    /// Trips are numbered from here on: 2026-01-01.
    private static let epoch: Int64 = 1_767_225_600_000
    /// Milliseconds between two positions of somebody who walks, who shops, and who is at home: less than what a
    /// position is good for.
    private static let (walking, shopping, resting) = (Int64(30_000), Int64(60_000), Int64(240_000))

    /// The trip that a person is on at a moment: milliseconds since 1970.
    package func trip(of person: Person, at time: Int64) -> Trip {
        let length = length(of: person)
        return trip(of: person, number: Int((time - Self.epoch - phase(of: person)) / length))
    }

    private func length(of person: Person) -> Int64 {
        Int64(Self.shortest + chance.below(Self.longest - Self.shortest, person.number, 0, 10))
    }

    private func phase(of person: Person) -> Int64 {
        Int64(chance.below(Self.longest, person.number, 0, 11)) - Int64(Self.longest)
    }

    package func trip(of person: Person, number: Int) -> Trip {
        func fraction(_ question: UInt64) -> Double { chance.fraction(person.number, number, question) }
        func below(_ bound: Int, _ question: UInt64) -> Int { chance.below(bound, person.number, number, question) }
        let shop =
            fraction(20) < 0.7
            ? person.favourites[below(person.favourites.count, 21)] : below(Self.shops.count, 22)
        let shelf = Self.shops[shop].goods
        let first = below(shelf.count, 23)
        let goods = fraction(24) < 0.3 ? [shelf[first], shelf[(first + 1) % shelf.count]] : [shelf[first]]
        let dice = fraction(25)
        let way: Trip.Way = dice < 0.4 ? .pay : dice < 0.6 ? .code : dice < 0.95 ? .request : .declined
        let friend = below(people.count, 26)
        let gift =
            fraction(27) < 0.05 && friend != person.number
            ? (to: friend, cents: Int64(100 + 50 * below(15, 28))) : nil
        let length = length(of: person)
        let start = Self.epoch + phase(of: person) + Int64(number) * length
        return Trip(
            number: number, person: person, shop: shop, goods: goods, way: way, wantsCoupon: fraction(29) < 0.6,
            gift: gift,
            events: events(
                from: start, over: length, home: person.home, shop: Self.shops[shop].point, way: way,
                looks: fraction(30) < 0.4, sends: gift != nil, refunds: way != .declined && fraction(31) < 0.02))
    }

    /// A tenth of the time at home, three tenths there, two tenths in the shop, three tenths back.
    private func events(
        from start: Int64, over length: Int64, home: Coordinate, shop: Coordinate, way: Trip.Way, looks: Bool,
        sends: Bool, refunds: Bool
    ) -> [TownEvent] {
        func at(_ tenths: Double) -> Int64 { start + Int64(Double(length) * tenths / 10) }
        func along(_ from: Int64, _ to: Int64, every pause: Int64, _ point: (Double) -> Coordinate) -> [TownEvent] {
            stride(from: from, to: to, by: Int64.Stride(pause)).map {
                TownEvent(time: $0, act: .move(point(Double($0 - from) / Double(to - from))))
            }
        }
        var events =
            along(start, at(1), every: Self.resting) { _ in home }
            + along(at(1), at(4), every: Self.walking) { home.toward(shop, $0) }
            + along(at(4), at(6), every: Self.shopping) { _ in shop }
            + along(at(6), at(9), every: Self.walking) { shop.toward(home, $0) }
            + along(at(9), start + length, every: Self.resting) { _ in home }
        // Behind the first position in the shop: a shop charges only those who are near.
        let bought = at(4.4)
        events.append(TownEvent(time: bought, act: .buy))
        // Half a minute to think it over.
        if way == .request || way == .declined { events.append(TownEvent(time: bought + 30_000, act: .answer)) }
        if refunds { events.append(TownEvent(time: bought + 90_000, act: .refund)) }
        if looks { events.append(TownEvent(time: at(4.1), act: .look)) }
        if sends { events.append(TownEvent(time: at(0.5), act: .send)) }
        return events.sorted { $0.time < $1.time }
    }
}
