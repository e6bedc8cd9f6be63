import Bus
import Contracts
import GatewayService
import HTTPTypes
import Primitives
import Testing

@Suite("what requests about ads and coupons become")
struct OfferRouteTests {
    private let harness = GatewayHarness()
    private static let form = #"{"kind":"coupon","title":"Half price","content":"Today","targetAge":21}"#

    private func submit(_ form: String = form, client: String? = nil, key: String = "key") async throws
        -> GatewayHarness.Answered
    {
        var headers: HTTPFields = [:]
        if let client, let name = HTTPField.Name("Billfold-Client") { headers[name] = client }
        return try await harness.send("POST", "/v1/offers", as: "merchant", key: key, body: form, headers: headers)
    }

    @Test("001-18: ads and coupons are written on the website; the merchant's apps are refused")
    func websiteOnly() async throws {
        #expect(try await submit(client: nil).status == 201)
        #expect(try await submit(client: "website").status == 201)
        for client in ["ios", "android"] {
            let refused = try await submit(client: client)
            #expect((refused.status, refused.code) == (403, "gateway.website_only"))
            var headers: HTTPFields = [:]
            headers[try #require(HTTPField.Name("billfold-client"))] = client
            let change = try await harness.send(
                "PUT", "/v1/offers/\(FakeOffers.offer.hex)", as: "merchant", body: #"{"title":"a","content":"b"}"#,
                headers: headers)
            #expect(change.code == "gateway.website_only")
            // 001-19: what is approved is read and pushed from there.
            let read = try await harness.send("GET", "/v1/offers", as: "merchant", headers: headers)
            #expect(read.status == 200)
            let push = try await harness.send(
                "POST", "/v1/offers/\(FakeOffers.offer.hex)/pushes", as: "merchant", key: "p", body: "{}",
                headers: headers)
            #expect(push.status == 201)
        }
        #expect(try await submit(client: "fridge").code == "bus.malformed")
        #expect(harness.services.asked(Offers.SubmitOffer.self).count == 2)
    }

    @Test("A33: one target age is both bounds; the merchant is who asks, the id follows from the key")
    func form() async throws {
        for _ in 0..<2 { _ = try await submit() }
        let asks = harness.services.asked(Offers.SubmitOffer.self)
        #expect(asks[0] == asks[1])
        #expect(asks[0].merchant == .sample(.merchant))
        #expect((asks[0].terms.minAge, asks[0].terms.maxAge) == (21, 21))
        #expect(asks[0].terms.student == false)
        let both = #"{"kind":"coupon","title":"a","content":"b","targetAge":21,"minAge":20}"#
        #expect(try await submit(both).code == "bus.malformed")
    }

    @Test("a customer who opens a deal has seen it; the deal is shown although that cannot be noted")
    func seen() async throws {
        let path = "/v1/deals/\(FakeOffers.offer.hex)"
        #expect(try await harness.send("GET", path, as: "customer").status == 200)
        #expect(
            harness.services.asked(Offers.SeeDeal.self) == [
                .init(customer: .sample(.customer), offer: FakeOffers.offer)
            ])
        harness.services.refuse(Offers.SeeDeal.type, Fault(.noWorker))
        #expect(try await harness.send("GET", path, as: "customer").status == 200)
        harness.services.refuse(Offers.ReadDeal.type, Fault(.offerNotFound))
        harness.services.forget()
        #expect(try await harness.send("GET", path, as: "customer").status == 404)
        #expect(harness.services.asked(Offers.SeeDeal.self).isEmpty)
    }

    @Test("A35: what is decided on is the revision that was read, or the newest")
    func approval() async throws {
        let path = "/v1/offers/\(FakeOffers.offer.hex)"
        _ = try await harness.send("POST", path + "/approval", as: "administrator")
        _ = try await harness.send("POST", path + "/approval", as: "administrator", body: #"{"revision":2}"#)
        _ = try await harness.send("POST", path + "/rejection", as: "administrator", body: #"{"reason":"Loud"}"#)
        #expect(
            harness.services.asked(Offers.DecideOffer.self) == [
                Offers.DecideOffer(offer: FakeOffers.offer, revision: 3, accepted: .accepted, reason: nil),
                Offers.DecideOffer(offer: FakeOffers.offer, revision: 2, accepted: .accepted, reason: nil),
                Offers.DecideOffer(offer: FakeOffers.offer, revision: 3, accepted: .rejected, reason: "Loud")
            ])
    }

    @Test("001-78, A54: a list is of one kind, around the customer or around a point")
    func lists() async throws {
        _ = try await harness.send("GET", "/v1/coupons", as: "customer")
        _ = try await harness.send("GET", "/v1/ads?latitude=-35198284&longitude=111651302&limit=3", as: "customer")
        let customer = PartyID.sample(.customer)
        #expect(
            harness.services.asked(Offers.FindDeals.self) == [
                Offers.FindDeals(customer: customer, kind: .coupon, limit: 20),
                Offers.FindDeals(
                    customer: customer, kind: .ad, latitude: -35_198_284, longitude: 111_651_302, limit: 3)
            ])
        for query in ["latitude=1.5", "latitude=+1", "longitude=--1", "latitude=-", "limit=0", "merchant=x"] {
            let refused = try await harness.send("GET", "/v1/coupons?\(query)", as: "customer")
            #expect(refused.code == "bus.malformed", "\(query)")
        }
    }

    @Test("001-48: a search is by the merchant's name and the kind of product")
    func search() async throws {
        _ = try await harness.send("GET", "/v1/deals/search?merchant=Blue%20B&product=coffee", as: "customer")
        let ask = try #require(harness.services.asked(Offers.SearchDeals.self).first)
        #expect((ask.merchant, ask.product, ask.limit) == ("Blue B", "coffee", 20))
    }

    @Test("an explanation is of a customer")
    func explanation() async throws {
        let path = "/v1/offers/\(FakeOffers.offer.hex)/explanation"
        #expect(try await harness.send("GET", path, as: "administrator").code == "bus.malformed")
        let bob = FakeServices.bob.account
        let answer = try await harness.send("GET", path + "?customer=\(bob.hex)", as: "administrator")
        #expect(answer.json["verdicts"]?.elements.first?["rule"] == "age")
        #expect(harness.services.asked(Offers.ExplainOffer.self).first?.customer == bob)
    }
}
