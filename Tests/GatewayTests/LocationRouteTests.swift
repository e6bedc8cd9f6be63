import Bus
import Contracts
import GatewayService
import Primitives
import Testing

@Suite("what requests about places become")
struct LocationRouteTests {
    private let harness = GatewayHarness()

    @Test("001-85, 001-86: a position is the customer's own, in millionths of a degree")
    func position() async throws {
        let answer = try await harness.send(
            "PUT", "/v1/location", as: "customer",
            body: #"{"latitude":35198284,"longitude":-111651302,"time":"2026-11-21T09:30:00Z"}"#)
        #expect(answer.json["outcome"] == "stored")
        let ask = try #require(harness.services.asked(Location.UpdatePosition.self).first)
        #expect(ask.customer == .sample(.customer))
        #expect((ask.latitude, ask.longitude) == (35_198_284, -111_651_302))
        #expect(ask.time == Timestamp(milliseconds: 1_795_253_400_000))
        let fraction = try await harness.send(
            "PUT", "/v1/location", as: "customer", body: #"{"latitude":35.198284,"longitude":-111651302}"#)
        #expect(fraction.code == "bus.malformed")
    }

    @Test("a repeated place is the one that was made, as it is by now")
    func repeatedPlace() async throws {
        let body = #"{"name":"Aspen Avenue","latitude":1,"longitude":2}"#
        let made = try await harness.send("POST", "/v1/places", as: "merchant", key: "first", body: body)
        let place = try #require(made.json["place"]?.string.flatMap { PlaceID($0) })
        harness.services.put(place)
        let again = try await harness.send("POST", "/v1/places", as: "merchant", key: "first", body: body)
        #expect(again.json["place"] == .string(place.hex))
        #expect(again.json["name"] == "Blue Bottle")
        #expect(again.headers[.idempotencyReplayed] == "true")
        #expect(harness.services.asked(Location.PutPlace.self).count == 1)
    }

    @Test("a place's id follows from the key, or is the one in the path; the merchant is who asks")
    func place() async throws {
        let body = #"{"name":"Aspen Avenue","latitude":1,"longitude":2}"#
        for _ in 0..<2 {
            let made = try await harness.send("POST", "/v1/places", as: "merchant", key: "first", body: body)
            #expect(made.status == 201)
        }
        _ = try await harness.send("PUT", "/v1/places/\(FakeLocation.place.hex)", as: "merchant", body: body)
        let asks = harness.services.asked(Location.PutPlace.self)
        #expect(asks.map(\.merchant) == Array(repeating: .sample(.merchant), count: 3))
        #expect(asks[0].place == asks[1].place)
        #expect(asks[2].place == FakeLocation.place)
    }

    @Test("001-79: nearby customers are asked for by place, freshness and limit")
    func customers() async throws {
        let path = "/v1/customers/nearby?place=\(FakeLocation.place.hex)&freshness=86400&limit=100"
        let answer = try await harness.send("GET", path, as: "merchant")
        #expect(answer.json["customers"]?.elements.first?["username"] == "bob")
        // Nobody learns another's coordinates.
        #expect(answer.json["customers"]?.elements.first?["latitude"] == nil)
        #expect(
            harness.services.asked(Location.FindCustomers.self) == [
                Location.FindCustomers(
                    merchant: .sample(.merchant), place: FakeLocation.place, freshSeconds: 86_400, limit: 100)
            ])
        for query in ["place=1", "freshness=0", "freshness=86401", "freshness=-1", "limit=101", "latitude=1"] {
            let refused = try await harness.send("GET", "/v1/customers/nearby?\(query)", as: "merchant")
            #expect(refused.code == "bus.malformed", "\(query)")
        }
    }

    @Test("001-80: nearby merchants come with what their pins show")
    func merchants() async throws {
        let answer = try await harness.send("GET", "/v1/merchants/nearby", as: "customer")
        let merchant = try #require(answer.json["merchants"]?.elements.first)
        #expect(merchant["name"] == "Blue Bottle")
        #expect(merchant["username"] == "shop")
        #expect(merchant["latitude"] == .integer(35_198_284))
        #expect(merchant["distanceMetres"] == .integer(42))
    }

    @Test("A45: each is marked by what is subscribed to; without offers they come without the mark")
    func subscribed() async throws {
        let answer = try await harness.send("GET", "/v1/merchants/nearby", as: "customer")
        let merchant = try #require(answer.json["merchants"]?.elements.first)
        #expect(merchant["subscription"] == ["ads": true, "coupons": false])
        let asked = try #require(harness.services.asked(Offers.ReadSubscriptions.self).first)
        #expect(asked.merchants == [PartyID(high: 5, low: 5)])
        harness.services.refuse(Offers.ReadSubscriptions.type, Fault(.noWorker))
        let without = try await harness.send("GET", "/v1/merchants/nearby", as: "customer")
        #expect(without.status == 200)
        #expect(without.json["merchants"]?.elements.first?["subscription"] == nil)
    }
}
