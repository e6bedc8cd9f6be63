import Contracts
import GatewayService
import HTTPTypes
import Primitives
import Testing

@Suite("sessions of pages")
struct SessionCookieTests {
    private let own: HTTPFields = [.origin: "https://billfold.example"]

    private func cookie(_ roles: Auth.Role...) -> HTTPFields {
        let pairs = roles.map { "\(SessionCookie.name($0))=\($0.rawValue)" }
        return [.cookie: pairs.joined(separator: "; ")]
    }

    private func fields(_ parts: HTTPFields...) -> HTTPFields {
        var all = HTTPFields()
        for part in parts { for field in part { all.append(field) } }
        return all
    }

    private func named(_ name: String, _ value: String) throws -> HTTPFields {
        HTTPFields([HTTPField(name: try #require(HTTPField.Name(name)), value: value)])
    }

    @Test(
        "are opened with a cookie that scripts cannot read, and without a token in the body", arguments: [false, true])
    func opening(isSecure: Bool) async throws {
        let harness = GatewayHarness()
        let proxied = isSecure ? try named("X-Forwarded-Proto", "https") : [:]
        let answer = try await harness.send(
            "POST", "/v1/sessions", body: #"{"username":"ada","password":"correct horse","cookie":true}"#,
            headers: fields(own, proxied))
        #expect(answer.status == 201)
        #expect(answer.json["token"] == nil)
        #expect(answer.json["session", "role"] != nil)
        let cookie = try #require(answer.headers[.setCookie])
        #expect(cookie.hasPrefix("billfold-"))
        for part in ["; HttpOnly", "; SameSite=Strict", "; Path=/v1", "; Max-Age="] { #expect(cookie.contains(part)) }
        #expect(cookie.contains("; Secure") == isSecure)
    }

    @Test("are refused to other sites, who would log a visitor in as somebody else")
    func openingElsewhere() async throws {
        let harness = GatewayHarness()
        let answer = try await harness.send(
            "POST", "/v1/sessions", body: #"{"username":"ada","password":"correct horse","cookie":true}"#,
            headers: [.origin: "https://evil.example"])
        #expect(answer.code == "gateway.cross_site")
        #expect(harness.services.asked(Auth.OpenSession.self).isEmpty)
    }

    @Test("of programs have a token in the body and no cookie")
    func program() async throws {
        let answer = try await GatewayHarness().send(
            "POST", "/v1/sessions", body: #"{"username":"ada","password":"correct horse"}"#)
        #expect(answer.json["token"]?.string != nil)
        #expect(answer.headers[.setCookie] == nil)
    }

    @Test(
        "change something only for pages of the same origin",
        arguments: [
            (["Origin": "https://billfold.example"], 204), (["Origin": "http://BILLFOLD.example"], 204),
            (["Sec-Fetch-Site": "same-origin"], 204),
            // A proxy may have replaced the host: what the browser says counts.
            (["Sec-Fetch-Site": "same-origin", "Origin": "https://other.example"], 204),
            ([:], 403), (["Origin": "null"], 403), (["Origin": "https://billfold.example.evil.example"], 403),
            (["Origin": "https://billfold.example:8443"], 403), (["Sec-Fetch-Site": "same-site"], 403),
            (["Sec-Fetch-Site": "cross-site", "Origin": "https://billfold.example"], 403),
            (["Sec-Fetch-Site": "none"], 403)
        ])
    func sites(sent: [String: String], status: Int) async throws {
        let harness = GatewayHarness()
        var headers = cookie(.customer)
        for (name, value) in sent { headers = fields(headers, try named(name, value)) }
        let answer = try await harness.send("DELETE", "/v1/sessions/current", headers: headers)
        #expect(answer.status == status)
        #expect((answer.code == "gateway.cross_site") == (status == 403))
        #expect(harness.services.asked(Auth.CloseSession.self).count == (status == 204 ? 1 : 0))
    }

    @Test("read from anywhere: no other site sees what they read")
    func reading() async throws {
        let answer = try await GatewayHarness().send("GET", "/v1/sessions/current", headers: cookie(.customer))
        #expect(answer.status == 200)
        #expect(answer.json["role"]?.string == "customer")
    }

    @Test("of the role that the route is for, or that the request names")
    func severalRoles() async throws {
        let harness = GatewayHarness()
        let both = cookie(.customer, .merchant)
        #expect(try await harness.send("GET", "/v1/account", headers: both).status == 200)
        #expect(try await harness.send("GET", "/v1/cards", headers: both).status == 200)
        #expect(try await harness.send("GET", "/v1/sessions/current", headers: both).code == "bus.malformed")
        let merchant = fields(both, try named("Billfold-Role", "merchant"))
        let current = try await harness.send("GET", "/v1/sessions/current", headers: merchant)
        #expect(current.json["role"]?.string == "merchant")
        #expect(try await harness.send("GET", "/v1/cards", headers: merchant).code == "bus.forbidden")
        let unknown = fields(both, try named("Billfold-Role", "king"))
        #expect(try await harness.send("GET", "/v1/sessions/current", headers: unknown).code == "bus.malformed")
    }

    @Test("do nothing for another account than the page is of, and stay")
    func anotherAccount() async throws {
        let harness = GatewayHarness()
        let cookies = cookie(.customer)
        let own = fields(cookies, try named("Billfold-Account", PartyID.sample(.customer).hex))
        #expect(try await harness.send("GET", "/v1/cards", headers: own).status == 200)
        let another = fields(cookies, try named("Billfold-Account", PartyID.sample(.merchant).hex))
        let refused = try await harness.send("GET", "/v1/cards", headers: another)
        #expect(refused.status == 401 && refused.code == "auth.session_not_found")
        #expect(refused.headers[.setCookie] == nil)
    }

    @Test("are not given for a log-in of another role than the page names, whose session ends")
    func anotherRole() async throws {
        let harness = GatewayHarness()
        func logIn(_ role: String) async throws -> GatewayHarness.Answered {
            let body = #"{"username":"ada","password":"correct horse","cookie":true,"role":"\#(role)"}"#
            return try await harness.send("POST", "/v1/sessions", body: body, headers: self.own)
        }
        #expect(try await logIn("customer").status == 201)
        #expect(harness.services.asked(Auth.CloseSession.self).isEmpty)
        let refused = try await logIn("merchant")
        #expect(refused.status == 403 && refused.code == "gateway.other_role")
        #expect(refused.headers[.setCookie] == nil)
        #expect(harness.services.asked(Auth.CloseSession.self).count == 1)
    }

    @Test("open event streams, which say the role in the query")
    func streams() async throws {
        let harness = GatewayHarness()
        let both = cookie(.customer, .merchant)
        #expect(try await harness.send("GET", "/v1/notices/events", headers: both).status == 400)
        let stream = try await harness.send("GET", "/v1/notices/events?role=merchant", headers: both)
        #expect(stream.status == 200)
        #expect(harness.services.asked(Notifications.ReadInbox.self).map(\.account) == [.sample(.merchant)])
    }

    @Test("lose the cookie when they end, here or elsewhere")
    func ending() async throws {
        let harness = GatewayHarness()
        let page = fields(own, cookie(.customer))
        let out = try await harness.send("DELETE", "/v1/sessions/current", headers: page)
        #expect(out.headers[.setCookie]?.hasPrefix("billfold-customer=; Max-Age=0") == true)
        harness.services.remove(digest: GatewayHarness.digest("customer"))
        let ended = try await harness.send("GET", "/v1/cards", headers: page)
        #expect(ended.status == 401)
        #expect(ended.headers[.setCookie]?.hasPrefix("billfold-customer=; Max-Age=0") == true)
    }

    @Test("give way to an Authorization field, which needs no proof of the site")
    func authorization() async throws {
        let harness = GatewayHarness()
        let answer = try await harness.send("GET", "/v1/sessions/current", as: "merchant", headers: cookie(.customer))
        #expect(answer.json["role"]?.string == "merchant")
        let out = try await harness.send("DELETE", "/v1/sessions/current", as: "merchant", headers: cookie(.customer))
        #expect(out.status == 204)
        #expect(out.headers[.setCookie] == nil)
    }

    @Test("open no device unasked: demo customers come beside them")
    func devices() async throws {
        let harness = GatewayHarness()
        let body = #"{"profile":"account"}"#
        let page = fields(own, cookie(.customer))
        #expect(
            try await harness.send("POST", "/v1/devices", body: body, headers: page).code == "gateway.token_missing")
        let asked = fields(page, try named("Billfold-Role", "customer"))
        #expect(try await harness.send("POST", "/v1/devices", body: body, headers: asked).status == 201)
    }
}
