import HTTPClient
import Primitives
import Wire

// What people do on their trips.

extension TownPlayer {
    /// A card is reloaded with so much when a purchase would leave nothing: cents.
    private static let reload: Int64 = 2_500

    func perform(_ act: TownEvent.Act, of trip: Trip) throws {
        let number = trip.person.number
        guard var member = people[number] else { return }
        defer { people[number] = member }
        switch act {
        case .move(let point): try move(&member, to: point)
        case .look: try look(&member)
        case .buy: try buy(&member, trip)
        case .answer: try answer(&member, trip)
        case .send: try send(&member, trip)
        case .refund: try refund(trip)
        }
    }

    func move(_ member: inout Member, to point: Coordinate) throws {
        try want(
            ask(
                &member, "PUT", "/v1/location",
                body: [
                    "latitude": .integer(Int64(point.latitude)), "longitude": .integer(Int64(point.longitude))
                ]), 200)
    }

    /// Opens the coupon that is shown first.
    private func look(_ member: inout Member) throws {
        let shown = try ask(&member, "GET", "/v1/coupons?limit=1")
        guard case .array(let deals)? = shown.json["deals"], case .string(let offer)? = deals.first?["offer"] else {
            return
        }
        try want(ask(&member, "GET", "/v1/deals/\(offer)"), 200)
    }

    // MARK: Purchases

    private func buy(_ member: inout Member, _ trip: Trip) throws {
        try enterPIN(&member)
        try fillCard(&member, trip)
        let amount = Self.usd(trip.cents)
        let answer: HTTPClient.Response
        switch trip.way {
        case .pay:
            answer = try ask(
                &member, "POST", "/v1/payments", key: trip.key,
                body: ["merchant": .string(shops[trip.shop].account), "amount": amount, "memo": .string(trip.memo)])
        case .code:
            let code = try ask(&member, "POST", "/v1/pay-codes", body: .object([]))
            guard case .string(let text)? = code.json["code"] else { return caller.note(code) }
            answer = try ask(
                &shops[trip.shop], "POST", "/v1/code-payments", key: trip.key,
                body: ["code": .string(text), "amount": amount, "memo": .string(trip.memo)])
        case .request, .declined:
            answer = try ask(
                &shops[trip.shop], "POST", "/v1/charges", key: trip.key,
                body: ["customer": .string(member.username), "amount": amount, "memo": .string(trip.memo)])
        }
        guard answer.status == 201, case .string(let charge)? = answer.json["charge"] else {
            return caller.note(answer)
        }
        charges[trip.person.number] = charge
    }

    private func fillCard(_ member: inout Member, _ trip: Trip) throws {
        let card = try ask(&member, "GET", "/v1/cards/default").json
        guard case .string(let id)? = card["card"], case .integer(let left)? = card["available"]?["amount"],
            left < trip.cents
        else { return }
        try want(
            ask(
                &member, "POST", "/v1/cards/\(id)/reloads", key: "\(trip.key)-reload",
                body: ["amount": Self.usd(Self.reload + trip.cents)]), 201)
    }

    /// Declines, or approves: with a coupon of the shop where that can be used.
    private func answer(_ member: inout Member, _ trip: Trip) throws {
        guard let charge = charges[trip.person.number] else { return }
        if trip.way == .declined {
            return try want(ask(&member, "POST", "/v1/charges/\(charge)/decline"), 200)
        }
        try enterPIN(&member)
        var members: [JSONValue.Member] = [.init("amount", Self.usd(trip.cents))]
        if trip.wantsCoupon, trip.person.favourites.contains(trip.shop), let coupon = coupons[trip.shop].first {
            members.append(.init("coupon", .string(coupon)))
        }
        let path = "/v1/charges/\(charge)/approval"
        var answer = try ask(&member, "POST", path, body: .object(members))
        if members.count > 1, case .string(let code)? = answer.json["code"], code.hasPrefix("offers.") {
            answer = try ask(&member, "POST", path, body: .object([members[0]]))
        }
        try want(answer, 200)
    }

    private func refund(_ trip: Trip) throws {
        guard let charge = charges[trip.person.number] else { return }
        try want(
            ask(
                &shops[trip.shop], "POST", "/v1/charges/\(charge)/refunds", key: "\(trip.key)-refund",
                body: .object([])), 201)
    }

    private func send(_ member: inout Member, _ trip: Trip) throws {
        guard let (friend, cents) = trip.gift, people[friend] != nil else { return }
        try enterPIN(&member)
        try fillCard(&member, trip)
        try want(
            ask(
                &member, "POST", "/v1/transfers", key: "\(trip.key)-gift",
                body: [
                    "to": ["username": .string(town.people[friend].username)],
                    "amount": Self.usd(min(cents, trip.cents)), "memo": "Thanks!"
                ]), 201)
    }
}
