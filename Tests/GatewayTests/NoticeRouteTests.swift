import Contracts
import GatewayService
import HTTPTypes
import Primitives
import Testing

@Suite("notices over HTTP")
struct NoticeRouteTests {
    private let harness = GatewayHarness()

    private func create(_ body: String, as token: String = "merchant") async throws -> GatewayHarness.Answered {
        try await harness.send("POST", "/v1/endpoints", as: token, key: "key", body: body)
    }

    @Test("an inbox is that of whoever asks, with what the query says")
    func inbox() async throws {
        let answer = try await harness.send("GET", "/v1/notices?unread=true&before=9&limit=5", as: "merchant")
        #expect(answer.status == 200)
        #expect(
            harness.services.asked(Notifications.ReadInbox.self) == [
                .init(account: .sample(.merchant), before: 9, unread: true, limit: 5)
            ])
        for query in ["unread=yes", "limit=0", "before=x", "after=1"] {
            #expect(try await harness.send("GET", "/v1/notices?\(query)", as: "merchant").status == 400)
        }
    }

    @Test("each type of endpoint has its own address, and no other's")
    func endpoints() async throws {
        let hook = try await create(#"{"type":4,"url":"https://shop.example.com/hook"}"#)
        #expect(hook.status == 201 && hook.json["secret"]?.string?.hasPrefix("whsec_") == true)
        let site =
            #"{"endpoint":"https://push.example.com/1","expirationTime":null,"keys":{"p256dh":"BA","auth":"AA"}}"#
        #expect(try await create(#"{"type":3,"subscription":\#(site)}"#).status == 201)
        let asked = harness.services.asked(Notifications.AddEndpoint.self)
        #expect(asked.map(\.address) == ["https://shop.example.com/hook", "https://push.example.com/1"])
        #expect(asked[1].p256dh == "BA" && asked[1].auth == "AA" && asked[1].account == .sample(.merchant))
        for body in [
            #"{"type":1}"#, #"{"type":1,"url":"https://x.example.com"}"#, #"{"type":4,"registrationId":"x"}"#,
            #"{"type":3,"registrationId":"x"}"#, #"{"type":1,"registrationId":"x","url":"https://x.example.com"}"#
        ] {
            #expect(try await create(body).code == "bus.malformed", "\(body)")
        }
    }

    @Test("a web hook is tested once for a key, and shows what was sent to it")
    func tests() async throws {
        let path = "/v1/endpoints/\(EndpointID(high: 1, low: 2).hex)"
        for _ in 0..<2 {
            let test = try await harness.send("POST", path + "/tests", as: "merchant", key: "once")
            #expect(test.status == 201 && test.json["state"] == "delivered")
        }
        let tests = harness.services.asked(Notifications.TestEndpoint.self)
        #expect(tests[0] == tests[1] && tests[0].account == .sample(.merchant))
        let sent = try await harness.send("GET", path + "/deliveries?limit=5&before=9", as: "merchant")
        #expect(sent.json["next"] == 7)
        #expect(
            harness.services.asked(Notifications.ReadDeliveries.self) == [
                .init(account: .sample(.merchant), endpoint: EndpointID(high: 1, low: 2), before: 9, limit: 5)
            ])
    }

    @Test("a stream goes on behind the number that the client has, or behind all that there is")
    func streams() async throws {
        func open(_ path: String, _ headers: HTTPFields = [:]) async throws -> Int64? {
            harness.services.forget()
            let answer = try await harness.send("GET", "/v1/notices/events" + path, as: "customer", headers: headers)
            #expect(answer.status == 200 && answer.headers[.contentType] == "text/event-stream", "\(answer.text)")
            return harness.services.asked(Notifications.ReadInbox.self).first?.after
        }
        let last = try #require(HTTPField.Name("Last-Event-ID"))
        #expect(try await open("") == .max)
        #expect(try await open("?after=7") == 7)
        #expect(try await open("?after=7", [last: "9"]) == 9)
        let wrong = try await harness.send("GET", "/v1/notices/events", as: "customer", headers: [last: "-1"])
        #expect(wrong.code == "bus.malformed")
    }

    @Test("so many streams an account, each given back when its client has gone")
    func bounded() async throws {
        // Far more than there may be at once: none of them stays.
        for _ in 0..<20 {
            #expect(try await harness.send("GET", "/v1/notices/events", as: "customer").status == 200)
        }
        harness.services.refuse(Notifications.ReadInbox.type, Fault(.noWorker))
        for _ in 0..<20 {
            #expect(try await harness.send("GET", "/v1/notices/events", as: "customer").code == "bus.no_worker")
        }
        let gauge = harness.edge.notices.samples(of: "notices").first { $0.name == "event_streams" }
        #expect(gauge?.value == 0)
    }
}
