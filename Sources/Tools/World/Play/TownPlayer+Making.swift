import HTTPClient
import Primitives
import Wire

// Shops and people as they come to the town. Each request has a key, so that a second start finds what the first has
// made.

extension TownPlayer {
    func openShop(_ number: Int) throws {
        let shop = Town.shops[number]
        try enter(
            &shops[number], at: "/v1/merchants",
            form: [
                "username": .string(shop.username), "password": .string(Self.password),
                "confirmPassword": .string(Self.password), "name": .string(shop.name),
                "businessName": .string(shop.name), "email": .string("\(shop.username)@flagstaff.example"),
                "address": .string(shop.address), "productTypes": .array(shop.categories.map { .string($0) }),
                "latitude": .integer(Int64(shop.point.latitude)), "longitude": .integer(Int64(shop.point.longitude))
            ])
        let settings = try ask(&shops[number], "GET", "/v1/settings/account").json
        if settings["status"] == "pending" {
            let approved = try ask(&clerk, "POST", "/v1/merchants/\(shops[number].account)/approval")
            guard approved.status == 200 else { throw refused("the approval of \(shop.username)", approved) }
        }
        try submitOffers(of: number)
    }

    /// Submits the shop's ads and coupons of this month, as far as they are not there yet, and has them approved.
    func submitOffers(of number: Int) throws {
        let month = Self.month(at: wallMilliseconds())
        coupons[number] = []
        for (place, offer) in Town.shops[number].offers.enumerated() {
            var body: [JSONValue.Member] = [
                .init("kind", .string(offer.percentOff == nil ? "ad" : "coupon")),
                .init("title", .string(offer.title)), .init("content", .string(offer.content)),
                .init("expDate", .string(Self.date(ofMonth: month + 2)))
            ]
            if let percent = offer.percentOff {
                body.append(.init("discount", .object([.init("percent", .integer(percent))])))
                body.append(.init("usesPerCustomer", .integer(1000)))
            }
            let made = try ask(
                &shops[number], "POST", "/v1/offers", key: "town-offer-\(month)-\(place)", body: .object(body))
            guard made.status == 201, case .string(let id)? = made.json["offer"] else {
                caller.note(made)
                continue
            }
            if made.json["accepted"] == "pending" {
                let approved = try ask(&clerk, "POST", "/v1/offers/\(id)/approval")
                guard approved.status == 200 else {
                    caller.note(approved)
                    continue
                }
            }
            if offer.percentOff != nil { coupons[number].append(id) }
        }
    }

    /// Months of 30 days since 1970: an offer of one month lasts through the next.
    static func month(at milliseconds: Int64) -> Int64 { milliseconds / (30 * 86_400_000) }

    private static func date(ofMonth month: Int64) -> String {
        Timestamp(milliseconds: month * 30 * 86_400_000).rfc3339
    }

    /// Somebody who moves in: an account, a PIN, a card, a shared position, three shops subscribed to, and a first
    /// purchase in one of them.
    func newcomer(_ person: Person) throws -> Member {
        var member = Member(username: person.username)
        try enter(
            &member, at: "/v1/customers",
            form: [
                "username": .string(person.username), "password": .string(Self.password),
                "confirmPassword": .string(Self.password), "name": .string(person.name),
                "firstName": .string(person.firstName), "lastName": .string(person.lastName),
                "email": .string(person.email), "birthdate": .string(person.birthdate),
                "gender": .string(person.isFemale ? "F" : "M"), "student": .bool(person.isStudent)
            ])
        // The first purchase is the last step: whoever has paid has lived here before.
        if case .array(let paid)? = try ask(&member, "GET", "/v1/history?limit=1").json["charges"], !paid.isEmpty {
            return member
        }
        try enterPIN(&member)
        try want(
            ask(
                &member, "POST", "/v1/cards", key: "town-card",
                body: ["number": .string(person.cardNumber), "code": "12345678"]), 201)
        try want(ask(&member, "PUT", "/v1/settings/location", body: ["sharing": true]), 200)
        for favourite in person.favourites {
            try want(
                ask(
                    &member, "PUT", "/v1/subscriptions/\(shops[favourite].account)",
                    body: ["ads": true, "coupons": true]), 200)
        }
        let shop = person.favourites[0]
        try move(&member, to: Town.shops[shop].point)
        let good = Town.shops[shop].goods[person.number % Town.shops[shop].goods.count]
        try want(
            ask(
                &member, "POST", "/v1/payments", key: "town-first",
                body: [
                    "merchant": .string(shops[shop].account), "amount": Self.usd(min(good.price, 1500)),
                    "memo": .string(good.name)
                ]), 201)
        return member
    }

    func want(_ answer: HTTPClient.Response, _ status: Int) throws {
        if answer.status != status { caller.note(answer) }
    }

    static func usd(_ cents: Int64) -> JSONValue { ["amount": .integer(cents), "currency": "USD"] }
}
