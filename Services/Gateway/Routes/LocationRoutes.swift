import Contracts
import Primitives
import Schemas
import Wire

/// Where the customer is now.
package struct NewPosition: RequestBody, FastCoded, Equatable {
    package let latitude: Int64
    package let longitude: Int64
    package let time: Timestamp?

    static let notes: [String: SchemaNote] = [
        "latitude": .latitude, "longitude": .longitude,
        "time": SchemaNote(
            "When the customer was there, where it is not now. An older one than the known is left aside.")
    ]
}

/// Places near a customer, each marked by what the customer has subscribed to.
package struct NearbyMerchants: WireMessage, Equatable {
    package struct Place: Codable, Sendable, Equatable {
        package let merchant: PartyID
        package let username: String?
        package let merchantName: String?
        package let place: PlaceID
        package let name: String
        package let latitude: Int64
        package let longitude: Int64
        package let distanceMetres: Int64
        /// Absent while it cannot be found out.
        package let subscription: Offers.Subscription?
    }

    package let merchants: [Place]
    package let total: Int64
    /// Ask for the next page with this as `skip`; absent when there is none.
    package let next: Int64?

    init(_ found: Location.FindMerchants.Reply, _ subscriptions: [PartyID: Offers.Subscription]?) {
        merchants = found.merchants.map { near in
            Place(
                merchant: near.merchant, username: near.username, merchantName: near.merchantName, place: near.place,
                name: near.name,
                latitude: near.latitude, longitude: near.longitude, distanceMetres: near.distanceMetres,
                subscription: subscriptions.map { $0[near.merchant] ?? .none })
        }
        total = found.total
        next = found.next
    }
}

/// Whether the customer shares a position with merchants nearby.
package struct LocationSettings: RequestBody, Equatable {
    package let sharing: Bool

    static let notes: [String: SchemaNote] = [
        "sharing": SchemaNote(
            "While true, the last position is kept for a quarter of an hour, and merchants within 100 m see that the "
                + "customer is there. False forgets it at once.", example: true)
    ]
}

/// A place where the merchant does business.
package struct NewPlace: RequestBody, Equatable {
    package let name: String
    package let latitude: Int64
    package let longitude: Int64

    static let notes: [String: SchemaNote] = [
        "name": SchemaNote("What customers see.", lengths: 1...100, example: "Coffee House, Aspen Avenue"),
        "latitude": .latitude, "longitude": .longitude
    ]

    /// Its last 32 bits are the content's and the others the key's: a repeat with other content is told from one that
    /// finds its place changed.
    fileprivate func id(under operation: PlaceID) -> PlaceID {
        let content = PlaceID(
            of: Array("\(latitude) \(longitude) \(name)".utf8), for: "place", scope: operation.bytes)
        return PlaceID(high: operation.high, low: operation.low & ~0xFFFF_FFFF | content.low & 0xFFFF_FFFF)
    }
}

extension SchemaNote {
    static let latitude = coordinate("Millionths of a degree, north positive.", 90_000_000, 35_198_284)
    static let longitude = coordinate("Millionths of a degree, east positive.", 180_000_000, -111_651_302)

    private static func coordinate(_ summary: String, _ most: Int64, _ example: Int64) -> SchemaNote {
        SchemaNote(
            summary, constraints: [.init("minimum", .integer(-most)), .init("maximum", .integer(most))],
            example: .integer(example))
    }
}

extension RouteTable {
    /// A customer's own position, and what it is for.
    static let location = [
        Route(
            .put, "/v1/location", "updatePosition", "Stores where the customer is", for: .customer,
            asks: [Location.UpdatePosition.self]
        ) { (call: Call, body: NewPosition) async throws(Fault) -> Given<Location.Updated> in
            Given(
                try await call.ask(
                    Location.UpdatePosition(
                        customer: call.account, latitude: body.latitude, longitude: body.longitude, time: body.time)))
        },
        Route(
            .get, "/v1/location", "readPosition", "Where the customer was last", for: .customer,
            asks: [Location.ReadPosition.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Location.Position> in
            Given(try await call.ask(Location.ReadPosition(customer: call.account)))
        },
        Route(
            .delete, "/v1/location", "forgetPosition", "Forgets where the customer was last", for: .customer,
            status: 204, asks: [Location.ForgetPosition.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Nothing> in
            _ = try await call.ask(Location.ForgetPosition(customer: call.account))
            return Given(Nothing())
        },
        Route(
            .get, "/v1/settings/location", "readLocationSettings", "Whether the customer shares a position",
            for: .customer, asks: [Location.ReadSharing.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<LocationSettings> in
            let view = try await call.ask(Location.ReadSharing(customer: call.account))
            return Given(LocationSettings(sharing: view.sharing))
        },
        Route(
            .put, "/v1/settings/location", "changeLocationSettings", "Begins or ends the sharing of positions",
            for: .customer, asks: [Location.SetSharing.self]
        ) { (call: Call, body: LocationSettings) async throws(Fault) -> Given<LocationSettings> in
            let view = try await call.ask(Location.SetSharing(customer: call.account, sharing: body.sharing))
            return Given(LocationSettings(sharing: view.sharing))
        },
        Route(
            .get, "/v1/merchants/nearby", "findMerchants",
            "Merchants' places within 200 m, nearest first, each with what the customer wants of its merchant (A45)",
            for: .customer, query: [.limit, .skip], asks: [Location.FindMerchants.self, Offers.ReadSubscriptions.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<NearbyMerchants> in
            let found = try await call.ask(
                Location.FindMerchants(
                    customer: call.account, limit: try call.query.limit(), skip: try call.query.skip()))
            return Given(NearbyMerchants(found, try await subscriptions(to: found.merchants.map(\.merchant), call)))
        }
    ]

    /// What the customer wants of these merchants; nil while offers is not there: who is near is known without.
    private static func subscriptions(
        to merchants: [PartyID], _ call: Call
    ) async throws(Fault) -> [PartyID: Offers.Subscription]? {
        guard !merchants.isEmpty else { return [:] }
        do throws(Fault) {
            let reply = try await call.ask(
                Offers.ReadSubscriptions(
                    customer: call.account, after: nil, limit: 100, merchants: Array(Set(merchants))))
            return Dictionary(uniqueKeysWithValues: reply.subscriptions.map { ($0.merchant, $0.subscription) })
        } catch {
            if error.code == .forbidden { throw error }
            return nil
        }
    }

    /// A merchant's places, and who is near them.
    static let places = [
        Route(
            .post, "/v1/places", "createPlace", "Adds a place of the merchant", for: .merchant, key: .required,
            status: 201, asks: [Location.ReadPlaces.self, Location.PutPlace.self]
        ) { (call: Call, body: NewPlace) async throws(Fault) -> Given<Location.PlaceView> in
            // A late repeat must not undo what was changed since.
            let place = body.id(under: call.operation())
            let places = try await call.ask(Location.ReadPlaces(merchant: call.account)).places
            let isOfKey = { (other: PlaceID) in other.high == place.high && other.low >> 32 == place.low >> 32 }
            if let made = places.first(where: { isOfKey($0.place) }) {
                guard made.place == place else {
                    throw Fault(
                        .placeIDReused,
                        "an earlier request with this key made the place \(made.place.hex), and nothing was "
                            + "changed: PUT changes it, and another place needs a new key")
                }
                return Given(made, replayed: true)
            }
            return Given(try await put(body, as: place, call))
        },
        Route(
            .get, "/v1/places", "readPlaces", "The merchant's places, in the order in which they were added",
            for: .merchant, asks: [Location.ReadPlaces.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Location.ReadPlaces.Reply> in
            Given(try await call.ask(Location.ReadPlaces(merchant: call.account)))
        },
        Route(
            .put, "/v1/places/{place}", "putPlace", "Changes a place, or adds it under an id of one's own choice",
            for: .merchant, asks: [Location.PutPlace.self]
        ) { (call: Call, body: NewPlace) async throws(Fault) -> Given<Location.PlaceView> in
            Given(try await put(body, as: call.id(), call))
        },
        Route(
            .delete, "/v1/places/{place}", "removePlace", "Removes a place", for: .merchant, status: 204,
            asks: [Location.RemovePlace.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Nothing> in
            _ = try await call.ask(Location.RemovePlace(place: call.id(), merchant: call.account))
            return Given(Nothing())
        },
        Route(
            .get, "/v1/customers/nearby", "findCustomers",
            "Customers within 100 m of a place of the merchant, nearest first", for: .merchant,
            query: [.place, .freshness, .limit, .skip], asks: [Location.FindCustomers.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Location.FindCustomers.Reply> in
            Given(
                try await call.ask(
                    Location.FindCustomers(
                        merchant: call.account, place: try call.query.place(),
                        freshSeconds: try call.query.freshness(), limit: try call.query.limit(),
                        skip: try call.query.skip())))
        },
        Route(
            .get, "/v1/customers/nearby/events", "listenToNearby",
            "Who is near a place of the merchant, now and whenever that changes: events `nearby` and `closed`",
            for: .merchant, key: .none, pin: false, rate: nil, query: [.place], body: .none, status: 200,
            reply: .other(.events, schema: ["type": "string"], statuses: [200]), asks: [Location.FindCustomers.self],
            faults: [.tooManyStreams]
        ) { (call: Call) async throws(Fault) -> Answer in
            let ask = Location.FindCustomers(merchant: call.account, place: try call.query.place(), limit: 100)
            // A place that is none of the merchant's is refused before the stream begins.
            _ = try await call.ask(ask)
            return Answer(
                events: NearbyStream(
                    try call.edge.nearby.open(call.login), ask: ask, asking: call.edge.asking, clock: call.edge.clock,
                    context: call.context, patience: call.edge.configuration.deadline))
        }
    ]

    private static func put(_ body: NewPlace, as place: PlaceID, _ call: Call) async throws(Fault) -> Location.PlaceView
    {
        try await call.ask(
            Location.PutPlace(
                place: place, merchant: call.account, name: body.name, latitude: body.latitude,
                longitude: body.longitude))
    }
}
