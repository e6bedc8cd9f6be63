import Contracts
import GatewayService
import Testing

@Suite("routing")
struct RoutingTests {
    @Test(
        "unknown paths are problems too",
        arguments: [
            "/v1", "/v1/payments/", "/v1/cards//entries", "/v1/cards/a/b/entries", "/v2/payments", "//", "/V1/cards"
        ])
    func unknown(path: String) async throws {
        let answer = try await GatewayHarness().send("GET", path, as: "customer")
        #expect(answer.status == 404)
        #expect(answer.code == "gateway.not_found")
        #expect(answer.headers[.contentType] == "application/problem+json")
    }

    @Test("health names what is missing")
    func health() async throws {
        let edge = GatewayHarness()
        let well = try await edge.send("GET", "/health")
        #expect(well.text == #"{"status":"ok","services":{"auth":true,"payments":true,"wallet":true}}"#)
    }

    @Test(
        "pages are 1 to 100 entries, 20 unless told", arguments: ["/v1/history", "/v1/charges", "/v1/account/entries"])
    func pages(path: String) async throws {
        let harness = GatewayHarness()
        for query in [
            "limit=0", "limit=101", "limit=x", "limit=", "limit=+5", "before=-1", "limit=1&limit=2", "before=%zz"
        ] {
            let answer = try await harness.send("GET", "\(path)?\(query)", as: "merchant")
            #expect(answer.code == "bus.malformed", "\(query)")
        }
        #expect(try await harness.send("GET", "\(path)?limit=%31%30%30&before=12", as: "merchant").status == 200)
        #expect(try await harness.send("GET", path, as: "merchant").status == 200)
        let limits = harness.services.asked.compactMap {
            ($0.ask as? Payments.ReadCharges)?.limit ?? ($0.ask as? Wallet.ReadEntries)?.limit
        }
        #expect(limits == [100, 20])
    }

    @Test("charges are filtered by state; the history is what was captured")
    func states() async throws {
        let harness = GatewayHarness()
        #expect(try await harness.send("GET", "/v1/charges?state=declined", as: "customer").status == 200)
        #expect(try await harness.send("GET", "/v1/charges", as: "customer").status == 200)
        #expect(try await harness.send("GET", "/v1/history", as: "customer").status == 200)
        #expect(try await harness.send("GET", "/v1/charges?state=lost", as: "customer").code == "bus.malformed")
        #expect(harness.services.asked(Payments.ReadCharges.self).map(\.state) == [.declined, nil, .captured])
    }

    @Test("requests are counted by route and status")
    func figures() async throws {
        let harness = GatewayHarness()
        _ = try await harness.pay()
        _ = try await harness.pay(key: nil)
        _ = try await harness.send("GET", "/nowhere")
        let counts = harness.edge.figures.samples.filter { $0.kind == "counter" }
        #expect(
            counts.map(\.labels) == [
                ["route": "createPayment", "status": "2xx"], ["route": "createPayment", "status": "4xx"],
                ["route": "none", "status": "4xx"]
            ])
    }
}
