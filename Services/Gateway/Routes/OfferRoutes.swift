import Contracts
import Primitives
import Schemas
import Wire

/// An ad or a coupon as the merchant's form has it.
package struct NewOffer: RequestBody, Equatable {
    package let kind: Offers.Kind
    package let title: String
    package let content: String
    package let targetAge: Int?
    package let minAge: Int?
    package let maxAge: Int?
    package let targetGender: Auth.Gender?
    package let studentTarget: Bool?
    package let targetTime: Timestamp?
    package let expDate: Timestamp?
    package let targetLat: Int64?
    package let targetLon: Int64?
    package let radiusMetres: Int64?
    package let minVisits: Int?
    package let maxVisits: Int?
    package let withinDays: Int?
    package let sendOnEntry: Bool?
    package let discount: Offers.Discount?
    package let minimum: Money?
    package let usesPerCustomer: Int?
    package let usesInAll: Int?
    package let stars: Int?

    static let notes: [String: SchemaNote] = OfferChange.notes

    func terms() throws(Fault) -> Offers.Terms {
        try OfferChange(
            title: title, content: content, targetAge: targetAge, minAge: minAge, maxAge: maxAge,
            targetGender: targetGender, studentTarget: studentTarget, targetTime: targetTime, expDate: expDate,
            targetLat: targetLat, targetLon: targetLon, radiusMetres: radiusMetres, minVisits: minVisits,
            maxVisits: maxVisits, withinDays: withinDays, sendOnEntry: sendOnEntry, discount: discount,
            minimum: minimum, usesPerCustomer: usesPerCustomer, usesInAll: usesInAll, stars: stars, revision: nil
        ).terms()
    }
}

/// The same form for an offer that there is.
package struct OfferChange: RequestBody, Equatable {
    package let title: String
    package let content: String
    package let targetAge: Int?
    package let minAge: Int?
    package let maxAge: Int?
    package let targetGender: Auth.Gender?
    package let studentTarget: Bool?
    package let targetTime: Timestamp?
    package let expDate: Timestamp?
    package let targetLat: Int64?
    package let targetLon: Int64?
    package let radiusMetres: Int64?
    package let minVisits: Int?
    package let maxVisits: Int?
    package let withinDays: Int?
    package let sendOnEntry: Bool?
    package let discount: Offers.Discount?
    package let minimum: Money?
    package let usesPerCustomer: Int?
    package let usesInAll: Int?
    package let stars: Int?
    package let revision: Int64?

    static let notes: [String: SchemaNote] = [
        "kind": SchemaNote("An ad only tells; a coupon may take something off a charge.", example: "coupon"),
        "title": SchemaNote("At most 100 bytes of UTF-8.", lengths: 1...100, example: "Half a flat white"),
        "content": SchemaNote("At most 255 characters.", lengths: 1...255, example: "From three to five o'clock"),
        "targetAge": number("One age; instead of `minAge` and `maxAge`.", 0...150),
        "minAge": number("On the day of `targetTime`, inclusive.", 0...150),
        "maxAge": number("On the day of `targetTime`, inclusive.", 0...150),
        "targetGender": SchemaNote("All where none is given."),
        "studentTarget": SchemaNote("True: for students only."),
        "targetTime": SchemaNote("Nothing is sent or shown before; now where none is given."),
        "expDate": SchemaNote("Nothing is sent or shown after; 30 days after `targetTime` where none is given."),
        "targetLat": number("Millionths of a degree, north positive; with `targetLon`.", -90_000_000...90_000_000),
        "targetLon": number("Millionths of a degree, east positive.", -180_000_000...180_000_000),
        "radiusMetres": number("Around the target; 200 where none is given.", 1...10_000),
        "minVisits": number("Paid charges at the merchant, at least.", 0...10_000),
        "maxVisits": number("Paid charges at the merchant, at most: 0 for new customers.", 0...10_000),
        "withinDays": number("The last of them at most so many days ago.", 1...3650),
        "sendOnEntry": SchemaNote("True: sent to customers who come to a place of the merchant."),
        "discount": SchemaNote("Of coupons: what is taken off.", example: ["percent": 50]),
        "minimum": .amount(orElse: "The least charge that the coupon can be used for."),
        "usesPerCustomer": number("Once where none is given.", 1...1_000_000_000),
        "usesInAll": number("Without a limit where none is given.", 1...1_000_000_000),
        "stars": number("How many stars at the merchant one use costs.", 1...10_000),
        "revision": SchemaNote("What is changed: refused where it has been changed since.")
    ]

    private static func number(_ summary: String, _ range: ClosedRange<Int64>) -> SchemaNote {
        SchemaNote(
            summary,
            constraints: [
                .init("minimum", .integer(range.lowerBound)), .init("maximum", .integer(range.upperBound))
            ], example: nil)
    }

    func terms() throws(Fault) -> Offers.Terms {
        if targetAge != nil, minAge != nil || maxAge != nil {
            throw Fault(WireError(.invalidValue(why: "stands for both bounds, and comes alone"), path: "targetAge"))
        }
        return Offers.Terms(
            title: title, content: content, minAge: targetAge ?? minAge, maxAge: targetAge ?? maxAge,
            targetGender: targetGender, student: studentTarget ?? false, sendTime: targetTime, expDate: expDate,
            targetLat: targetLat, targetLon: targetLon, radiusMetres: radiusMetres, minVisits: minVisits,
            maxVisits: maxVisits, withinDays: withinDays, sendOnEntry: sendOnEntry ?? false, discount: discount,
            minimum: minimum, usesPerCustomer: usesPerCustomer, usesInAll: usesInAll, stars: stars)
    }
}

/// Where an offer is pushed.
package struct NewOfferPush: RequestBody, Equatable {
    package let place: PlaceID?

    static let notes: [String: SchemaNote] = [
        "place": SchemaNote("A place of the merchant; all of them where none is given.")
    ]
}

/// What a push came to, the same on every repeat.
package struct OfferPush: WireMessage, Equatable {
    package let nearby: Int64
    package let sent: Int64
}

extension RouteTable {
    /// A merchant's ads and coupons.
    static let offers = [
        Route(
            .post, "/v1/offers", "createOffer", "Submits an ad or a coupon for approval (001-65, 001-66)",
            for: .merchant, key: .required, website: true, status: 201, asks: [Offers.SubmitOffer.self]
        ) { (call: Call, body: NewOffer) async throws(Fault) -> Given<Offers.OfferView> in
            let submitted = try await call.ask(
                Offers.SubmitOffer(
                    offer: call.operation(), kind: body.kind, merchant: call.account, terms: try body.terms()))
            return Given(submitted.offer, replayed: submitted.replayed)
        },
        Route(
            .get, "/v1/offers", "readOffers", "The merchant's ads and coupons, newest first", for: .merchant,
            query: [.kind, .accepted] + QueryParameter.page, asks: [Offers.ReadOffers.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Offers.OffersPage> in
            Given(
                try await call.ask(
                    Offers.ReadOffers(
                        merchant: call.account, kind: try call.query.kind(), accepted: try call.query.accepted(),
                        before: try call.query.before(), limit: try call.query.limit())))
        },
        Route(
            .get, "/v1/offers/{offer}", "readOffer", "One ad or coupon, as it was written", for: .offerKeepers,
            asks: [Offers.ReadOffer.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Offers.OfferView> in
            Given(try await call.ask(Offers.ReadOffer(offer: call.id())))
        },
        Route(
            .put, "/v1/offers/{offer}", "changeOffer", "Changes an ad or a coupon, which is pending again",
            for: .merchant, website: true, asks: [Offers.EditOffer.self]
        ) { (call: Call, body: OfferChange) async throws(Fault) -> Given<Offers.OfferView> in
            Given(
                try await call.ask(
                    Offers.EditOffer(
                        offer: call.id(), merchant: call.account, revision: body.revision, terms: try body.terms())))
        },
        enabling("enableOffer", "/v1/offers/{offer}/enabling", "Enables an ad or a coupon", true),
        enabling("disableOffer", "/v1/offers/{offer}/disabling", "Disables an ad or a coupon", false),
        Route(
            .post, "/v1/offers/{offer}/pushes", "pushOffer",
            "Sends an accepted ad or coupon to customers nearby (001-19)", for: .merchant, key: .required,
            bodyIsOptional: true, status: 201, asks: [Offers.PushOffer.self]
        ) { (call: Call, body: NewOfferPush) async throws(Fault) -> Given<OfferPush> in
            let pushed = try await call.ask(
                Offers.PushOffer(push: call.operation(), offer: call.id(), merchant: call.account, place: body.place))
            return Given(OfferPush(nearby: pushed.nearby, sent: pushed.sent), replayed: pushed.replayed)
        },
        Route(
            .get, "/v1/offers/{offer}/audience", "countAudience",
            "How many customers it would reach, as if it were accepted", for: .offerKeepers,
            asks: [Offers.CountAudience.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Offers.CountAudience.Reply> in
            Given(try await call.ask(Offers.CountAudience(offer: call.id())))
        },
        Route(
            .get, "/v1/offers/{offer}/outcome", "readOutcome",
            "What came of it: sent, seen, used, and what was paid with it", for: .offerKeepers,
            asks: [Offers.ReadOutcome.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Offers.ReadOutcome.Reply> in
            Given(try await call.ask(Offers.ReadOutcome(offer: call.id())))
        },
        Route(
            .get, "/v1/product-types", "readProductTypes",
            "The merchant's kinds of products (001-117), which its account's settings name",
            for: .merchant, asks: [Offers.ReadProductTypes.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Offers.ProductTypes> in
            Given(try await call.ask(Offers.ReadProductTypes(merchant: call.account)))
        }
    ]

    private static func enabling(_ name: String, _ path: RoutePath, _ summary: String, _ enabled: Bool) -> Route {
        Route(.post, path, name, summary, for: .merchant, asks: [Offers.EnableOffer.self]) {
            (call: Call, _: Nothing) async throws(Fault) -> Given<Offers.OfferView> in
            Given(
                try await call.ask(
                    Offers.EnableOffer(offer: call.id(), merchant: call.account, enabled: enabled)))
        }
    }
}

extension Route.Access {
    /// Who may see what is not approved.
    static let offerKeepers = Route.Access.roles([.merchant, .administrator])
}
