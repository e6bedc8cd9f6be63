import Contracts
import GatewayService
import Primitives
import Testing
import Wire

@Suite("accounts over HTTP")
struct AccountRouteTests {
    private let harness = GatewayHarness()

    @Test("a customer's form becomes a profile (001-24, 001-42, 001-82, A38)")
    func customers() async throws {
        let form = #"""
            {"username":"ada","password":"12345678","confirmPassword":"12345678","firstName":"Ada","lastName":"Lovelace",
            "email":"ada@example.com","birthdate":"2001-05-30","gender":"F","student":true}
            """#
        #expect(try await harness.send("POST", "/v1/customers", body: form).status == 201)
        let bare = FormBody.customer("ada", "12345678")
        #expect(try await harness.send("POST", "/v1/customers", body: bare).status == 201)
        let asks = harness.services.asked(Auth.RegisterAccount.self)
        let profile = Auth.Profile(
            firstName: "Ada", lastName: "Lovelace", email: "ada@example.com", birthdate: CivilDate("2001-05-30"),
            gender: .female, student: true)
        let least = Auth.Profile(email: "ada@example.com", birthdate: CivilDate("1990-05-17"), student: false)
        #expect(asks.map(\.profile) == [profile, least])
        #expect(asks.allSatisfy { $0.approved == nil && $0.role == .customer })
    }

    @Test("a merchant's form too; nobody can say of itself that it is approved (001-56, 001-72, A36)")
    func merchants() async throws {
        let form = #"""
            {"username":"shop","password":"12345678","confirmPassword":"12345678","email":"shop@example.com",
            "businessName":"Shop, Inc.","address":"1 Main Street","productTypes":["coffee","food"],"student":false,
            "latitude":35198284,"longitude":-111651302}
            """#
        #expect(try await harness.send("POST", "/v1/merchants", body: form).status == 201)
        let ask = try #require(harness.services.asked(Auth.RegisterAccount.self).first)
        #expect(
            ask.profile
                == Auth.Profile(
                    email: "shop@example.com", student: false, businessName: "Shop, Inc.", address: "1 Main Street",
                    productTypes: ["coffee", "food"])
        )
        #expect((ask.role, ask.approved) == (.merchant, nil))
        for more in [#""approved":true"#, #""status":"approved""#] {
            let body = FormBody.merchant("shop", more: more)
            #expect(try await harness.send("POST", "/v1/merchants", body: body).code == "bus.malformed")
        }
    }

    private static let forms = [
        (
            "POST", "/v1/customers",
            #"{"username":"ada","email":"ada@example.com","birthdate":"1990-05-17","student":false,"password":"pässword"#
        ),
        (
            "POST", "/v1/merchants",
            #"{"username":"ada","email":"a@example.com","address":"1 Main Street","productTypes":["food"],"#
                + #""latitude":1,"longitude":2,"password":"pässword"#
        ),
        ("PUT", "/v1/settings/password", #"{"password":"12345678","newPassword":"pässword"#),
        ("POST", "/v1/password-resets/use", #"{"username":"ada","code":"0","password":"pässword"#)
    ]

    @Test("a confirmation has to be the same to the byte (001-43)", arguments: forms)
    func confirmation(method: String, path: String, body: String) async throws {
        // The same to the eye: an a with its dots apart.
        for other in ["Pässword", "pa\u{308}ssword", "", "pässword "] {
            let body = body + #"","confirmPassword":"\#(other)"}"#
            let answer = try await harness.send(method, path, as: "customer", body: body)
            #expect((answer.status, answer.code) == (422, "gateway.passwords_differ"))
        }
        #expect(harness.services.asked.allSatisfy { $0.type == Auth.ReadSession.type })
        let same = try await harness.send(
            method, path, as: "customer", body: body + #"","confirmPassword":"pässword"}"#)
        #expect((200..<300).contains(same.status))
    }

    @Test("sessions that a new password ended are not believed for another moment")
    func ended() async throws {
        func isOpen(_ token: String) async throws -> Bool {
            try await harness.send("GET", "/v1/sessions/current", as: token).status == 200
        }
        for token in ["customer", "customer-pin"] { #expect(try await isOpen(token)) }
        let reads = harness.services.asked(Auth.ReadSession.self).count
        let body = #"{"password":"12345678","newPassword":"87654321"}"#
        #expect(try await harness.send("PUT", "/v1/settings/password", as: "customer-pin", body: body).status == 204)
        let change = try #require(harness.services.asked(Auth.ChangePassword.self).first)
        #expect(change.session == SessionID(high: 1, low: 0x5E))
        // The fake auth says that it ended the other one.
        #expect(try await isOpen("customer-pin"))
        #expect(harness.services.asked(Auth.ReadSession.self).count == reads)
        harness.services.remove(digest: GatewayHarness.digest("customer"))
        #expect(try await !isOpen("customer"))

        harness.services.remove(digest: GatewayHarness.digest("customer-pin"))
        let use = #"{"username":"ada","code":"0","password":"87654321"}"#
        #expect(try await harness.send("POST", "/v1/password-resets/use", body: use).status == 204)
        #expect(try await !isOpen("customer-pin"))
    }

    @Test("the administrator's decisions say what was decided")
    func decisions() async throws {
        let path = "/v1/merchants/00000000000000050000000000000005/"
        #expect(try await harness.send("POST", path + "approval", as: "administrator").status == 200)
        #expect(try await harness.send("POST", path + "rejection", as: "administrator").status == 200)
        let reason = #"{"reason":"No such shop."}"#
        let rejected = try await harness.send("POST", path + "rejection", as: "administrator", body: reason)
        #expect(rejected.json["status"] == "rejected")
        let merchant = PartyID(high: 5, low: 5)
        #expect(
            harness.services.asked(Auth.DecideMerchant.self) == [
                .init(merchant: merchant, approved: true, reason: nil),
                .init(merchant: merchant, approved: false, reason: nil),
                .init(merchant: merchant, approved: false, reason: "No such shop.")
            ])
    }

    @Test("a name that is taken is said before the registration, and so is that nobody can be asked")
    func names() async throws {
        #expect(try await harness.send("GET", "/v1/usernames?username=ada").json == ["username": "ada", "free": false])
        let free = try await harness.send("GET", "/v1/usernames?username=nobody")
        #expect(free.json == ["username": "nobody", "free": true])
        #expect(try await harness.send("GET", "/v1/usernames").detail == "'username' is missing")
        harness.services.refuse(Auth.ReadAccount.type, Fault(.noWorker))
        #expect(try await harness.send("GET", "/v1/usernames?username=ada").status == 503)
    }

    @Test("an administrator sees where a merchant is")
    func places() async throws {
        let path = "/v1/merchants/00000000000000050000000000000005/places"
        #expect(try await harness.send("GET", path, as: "administrator").status == 200)
        #expect(harness.services.asked(Location.ReadPlaces.self) == [.init(merchant: PartyID(high: 5, low: 5))])
    }

    @Test("merchants are listed by status, in pages")
    func lists() async throws {
        let page = try await harness.send("GET", "/v1/merchants?status=pending&limit=2", as: "administrator")
        #expect(page.json["next"] == .string(PartyID(high: 5, low: 5).hex))
        let next = "/v1/merchants?after=00000000000000050000000000000005"
        #expect(try await harness.send("GET", next, as: "administrator").status == 200)
        #expect(
            harness.services.asked(Auth.ReadMerchants.self) == [
                .init(status: .pending, after: nil, limit: 2),
                .init(status: nil, after: PartyID(high: 5, low: 5), limit: 20)
            ])
        for query in ["status=unknown", "status=", "after=5", "limit=101"] {
            let answer = try await harness.send("GET", "/v1/merchants?" + query, as: "administrator")
            #expect(answer.code == "bus.malformed")
        }
    }

    @Test("a request for a code is answered the same whatever comes of it, and limited by address and by name")
    func resets() async throws {
        let limited = GatewayHarness(
            Edge.Configuration(
                rates: RateLimiter.Policies(
                    perAddress: RatePolicy(calls: 4, per: .seconds(60)),
                    perSubject: RatePolicy(calls: 2, per: .seconds(60)))))
        func ask(_ name: String) async throws -> GatewayHarness.Answered {
            let body = #"{"username":"\#(name)","email":"ada@example.com"}"#
            return try await limited.send("POST", "/v1/password-resets", body: body)
        }
        for _ in 0..<2 {
            let answer = try await ask("ada")
            #expect(answer.status == 202)
            #expect(answer.json.members.map(\.key) == ["expires"])
        }
        #expect(try await ask("ada").code == "gateway.rate_limited")
        #expect(try await ask("bob").status == 202)
        #expect(try await ask("cleo").code == "gateway.rate_limited")
        // Counted apart from log-ins.
        let login = #"{"username":"ada","password":"12345678"}"#
        #expect(try await limited.send("POST", "/v1/sessions", body: login).status == 201)
    }
}
