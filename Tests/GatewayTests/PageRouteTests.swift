import Contracts
import GatewayService
import Primitives
import Testing

@Suite("what pages ask for")
struct PageRouteTests {
    @Test("a refusal needs no PIN in either form, a payment does (001-84)")
    func refusing() async throws {
        let harness = GatewayHarness()
        let charge = "/v1/charges/\(PartyID(high: 1, low: 1).hex)"
        let refusal = #"{"paid":false,"cancelled":true}"#
        let payment = #"{"paid":true,"cancelled":false}"#
        for path in [charge, "/v1/charges?productIndex=7"] {
            #expect(try await harness.send("PUT", path, as: "customer", body: refusal).status == 200)
            #expect(try await harness.send("PUT", path, as: "customer", body: payment).code == "auth.pin_required")
            #expect(try await harness.send("PUT", path, as: "customer-pin", body: payment).status == 200)
        }
        let searches = harness.services.asked(Payments.ReadCharges.self)
        #expect(!searches.isEmpty && searches.allSatisfy { $0.productIndex == 7 && $0.limit == 1 })
    }

    @Test("a customer's id is that customer, whoever has it as a username")
    func customerByID() async throws {
        let harness = GatewayHarness()
        let id = PartyID(high: 7, low: 7)
        #expect(try await charge(id.hex, harness) == [id])
        #expect(harness.services.asked(Auth.ReadAccount.self).isEmpty)
    }

    @Test("a username that looks like an id that nobody has is a username")
    func hexUsername() async throws {
        let harness = GatewayHarness()
        let name = FakeServices.hexUsername
        #expect(try await charge(name, harness) == [PartyID(name), FakeServices.bob.account])
        #expect(harness.services.asked(Auth.ReadAccount.self).map(\.username) == [name])
    }

    /// - Returns: the customers of whom money was requested.
    private func charge(_ customer: String, _ harness: GatewayHarness) async throws -> [PartyID?] {
        let answer = try await harness.send(
            "POST", "/v1/charges", as: "merchant", key: "one", body: #"{"customer":"\#(customer)","amount":"1"}"#)
        #expect(answer.status == 201)
        return harness.services.asked(Payments.RequestCharge.self).map(\.customer)
    }

    @Test("activities are what moved, with the names of the others (A91), under both spellings (A60)")
    func activities() async throws {
        let harness = GatewayHarness()
        for path in ["/v1/activities", "/v1/recentActivites"] {
            let answer = try await harness.send("GET", path, as: "customer")
            let activity = answer.json["activities"]?.elements.first
            #expect(activity?["kind"]?.string == "transfer")
            #expect(activity?["counterpartyName"]?.string == "Bob")
            #expect(activity?["counterpartyUsername"]?.string == "bob")
        }
        let older = try await harness.send("GET", "/v1/activities?before=9", as: "customer")
        #expect(older.status == 200)
        let asked = harness.services.asked(Wallet.ReadMovements.self)
        #expect(asked.map { $0.since != nil } == [true, true, false])
        #expect(asked.last?.before == 9)
    }

    @Test("names are missing where auth does not say them, and the activities are there")
    func namelessActivities() async throws {
        let harness = GatewayHarness()
        harness.services.refuse(Auth.ReadAccount.type, Fault(.unavailable))
        let answer = try await harness.send("GET", "/v1/activities", as: "merchant")
        #expect(answer.status == 200)
        #expect(answer.json["activities"]?.elements.first?["counterpartyName"] == nil)
    }

    @Test("sessions are listed, the own one marked, and closed one by one or all but the own one")
    func sessions() async throws {
        let harness = GatewayHarness()
        let list = try await harness.send("GET", "/v1/sessions", as: "customer")
        let sessions = list.json["sessions"]?.elements ?? []
        #expect(sessions.map { $0["current"] } == [true, false])
        #expect(sessions.first?["client"]?.string == "Firefox on Linux")
        let other = SessionID(high: 1, low: 0x5E)
        #expect(try await harness.send("DELETE", "/v1/sessions/\(other.hex)", as: "customer").status == 204)
        #expect(try await harness.send("DELETE", "/v1/sessions", as: "customer").status == 204)
        #expect(harness.services.asked(Auth.CloseSession.self).map(\.session) == [other, other])
    }

    @Test("an address without a username gets its usernames (A90)")
    func forgottenUsername() async throws {
        let harness = GatewayHarness()
        let answer = try await harness.send("POST", "/v1/password-resets", body: #"{"email":"ada@example.com"}"#)
        #expect(answer.status == 202)
        #expect(harness.services.asked(Auth.RequestUsernames.self).map(\.email) == ["ada@example.com"])
        #expect(harness.services.asked(Auth.RequestReset.self).isEmpty)
    }

    @Test("sales are a table whose texts no spreadsheet calculates")
    func sales() async throws {
        let answer = try await GatewayHarness().send("GET", "/v1/sales.csv", as: "merchant")
        #expect(answer.headers[.contentType] == "text/csv; charset=utf-8")
        let lines = answer.text.split(separator: "\r\n")
        #expect(lines.first?.hasPrefix("charge,productIndex,time,state,customer,customerName,amount") == true)
        #expect(lines.count == 2)
        #expect(lines.last?.contains(",captured,") == true)
        #expect(lines.last?.contains(",1.50,") == true)
    }

    @Test("sales since a day go on behind a page in which nothing of a rare state was found")
    func rareSales() async throws {
        let harness = GatewayHarness()
        let since = FakeServices.time
        harness.services.list { ask in
            func reply(_ number: UInt64?, next: Int64?) -> Payments.ReadCharges.Reply {
                Payments.ReadCharges.Reply(
                    charges: number.map { [FakeServices.charge(ChargeID(high: 0, low: $0), .declined, at: since)] }
                        ?? [],
                    next: next)
            }
            switch ask.before {
            case nil: return reply(1, next: 9)
            case 9: return reply(nil, next: 8)
            case 8: return reply(2, next: 6)
            // As a service in another language may say that there is no more.
            default: return reply(nil, next: 6)
            }
        }
        let answer = try await harness.send(
            "GET", "/v1/sales.csv?state=declined&since=\(since.rfc3339)", as: "merchant")
        let charges = answer.text.split(separator: "\r\n").dropFirst().map { $0.prefix(32) }
        #expect(charges == [ChargeID(high: 0, low: 1), ChargeID(high: 0, low: 2)].map { $0.hex[...] })
    }

    @Test("a table of sales breaks off with its session")
    func salesOfASession() async throws {
        let harness = GatewayHarness()
        let merchant = Auth.SessionView.sample(.merchant, pin: false, id: 2)
        harness.services.list { ask in
            let before = ask.before ?? 100
            if before == 98 { harness.edge.sessionEnded(merchant.session, of: merchant.account) }
            return Payments.ReadCharges.Reply(
                charges: [FakeServices.charge(ChargeID(high: 0, low: 1), .declined, at: FakeServices.time)],
                next: before > 0 ? before - 1 : nil)
        }
        await #expect(throws: Fault(.sessionNotFound)) {
            try await harness.send("GET", "/v1/sales.csv", as: "merchant")
        }
    }

    @Test("a target may have its scheme and authority", arguments: ["http://billfold.example", "https://x:1"])
    func absoluteForm(origin: String) async throws {
        let harness = GatewayHarness()
        let free = try await harness.send("GET", "\(origin)/v1/usernames?username=zoe")
        #expect((free.status, free.json["username"]) == (200, "zoe"))
        #expect(try await harness.send("GET", origin).status == harness.send("GET", "/").status)
    }

    @Test("a merchant's form says where it is, and the answer whether location took it (001-56, A38)")
    func place() async throws {
        let harness = GatewayHarness()
        let made = try await harness.send("POST", "/v1/merchants", body: FormBody.merchant("new"))
        #expect((made.status, made.json["placed"]) == (201, true))
        #expect(harness.services.asked(Location.PutPlace.self).map(\.latitude) == [35_198_284])
        let off = try await harness.send(
            "POST", "/v1/merchants", body: FormBody.merchant("new", latitude: 95_000_000))
        #expect(off.code == "location.coordinate_invalid")
        #expect(harness.services.asked(Location.PutPlace.self).count == 1)
        harness.services.refuse(Location.PutPlace.type, Fault(.noWorker))
        let elsewhere = try await harness.send("POST", "/v1/merchants", body: FormBody.merchant("other"))
        #expect((elsewhere.status, elsewhere.json["placed"]) == (201, false))
    }

    @Test("who is near comes in pages, of any age where that is asked for (A49)")
    func nearby() async throws {
        let harness = GatewayHarness()
        let path = "/v1/customers/nearby?limit=100&skip=100&freshness=unlimited"
        #expect(try await harness.send("GET", path, as: "merchant").status == 200)
        let asked = try #require(harness.services.asked(Location.FindCustomers.self).last)
        #expect(asked.skip == 100)
        #expect(asked.freshSeconds == 86_400)
        #expect(try await harness.send("GET", "/v1/merchants/nearby?skip=1", as: "customer").status == 200)
        #expect(harness.services.asked(Location.FindMerchants.self).last?.skip == 1)
    }
}
