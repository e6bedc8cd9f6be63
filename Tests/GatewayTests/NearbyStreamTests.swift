import Contracts
import GatewayService
import Hummingbird
import NIOCore
import Primitives
import Testing

@Suite("events of who is near (001-3)")
struct NearbyStreamTests {
    private let harness = GatewayHarness()
    private let merchant = Auth.SessionView.sample(.merchant, pin: false, id: 2)

    private func listen(_ query: String = "") async throws -> EdgeResponse {
        let request = IncomingRequest(
            method: .get, target: "/v1/customers/nearby/events" + query,
            headers: ["Authorization": "Bearer merchant"], body: .whole(ByteBuffer()))
        return try await harness.edge.respond(to: request) { nil }
    }

    @Test("the list comes at once, and again when a fence tells that it has changed, or a beat finds it so")
    func changes() async throws {
        try await listen().whileListening { listener in
            let first = try #require(await listener.next())
            #expect(first.hasPrefix("event: nearby\ndata: {\"customers\":[{\"customer\":"))
            #expect(first.contains(#""username":"bob""#))
            harness.services.leave()
            harness.edge.nearby.changed(merchant.account)
            #expect(await listener.next { $0.hasPrefix("event: nearby") }?.contains(#""customers":[]"#) == true)
            harness.services.come()
            harness.advance(.seconds(15))
            harness.edge.nearby.tick()
            #expect(await listener.next { $0.hasPrefix("event: nearby") }?.contains("bob") == true)
        }
    }

    @Test("what has not changed is not told again, and neither is what changed for another merchant")
    func silence() async throws {
        try await listen().whileListening { listener in
            _ = await listener.next()
            harness.edge.nearby.changed(PartyID(high: 1, low: 1))
            harness.edge.nearby.changed(merchant.account)
            #expect(await listener.next() == ":\n\n")
            harness.services.refuse(Location.FindCustomers.type, Fault(.noWorker))
            harness.edge.nearby.changed(merchant.account)
            #expect(await listener.next() == ":\n\n")
        }
        let asked = harness.services.asked(Location.FindCustomers.self)
        #expect(asked.allSatisfy { $0.merchant == merchant.account })
    }

    @Test("end with the session: logged out, or at its time")
    func sessionEnds() async throws {
        try await listen().whileListening { listener in
            _ = await listener.next()
            harness.edge.sessionEnded(SessionID(high: 99, low: 99), of: merchant.account)
            harness.edge.sessionEnded(merchant.session, of: merchant.account)
            #expect(await listener.next { $0.hasPrefix("event: closed") } != nil)
        }
        try await listen().whileListening { listener in
            _ = await listener.next()
            harness.advance(merchant.expires - FakeServices.time)
            harness.edge.nearby.tick()
            #expect(await listener.next { $0.hasPrefix("event: closed") } != nil)
        }
    }

    @Test("a merchant has eight at a time; one that goes makes room")
    func limit() async throws {
        var open: [EdgeResponse] = []
        for _ in 0..<8 { open.append(try await listen()) }
        #expect(try await listen().response.status.code == 429)
        open.removeLast()
        #expect(try await listen().response.status == .ok)
    }

    @Test("another merchant's place is refused before anything is told")
    func place() async throws {
        harness.services.refuse(Location.FindCustomers.type, Fault(.placeNotFound))
        #expect(try await listen("?place=00000000000000050000000000000005").response.status == .notFound)
        #expect(try await listen("?place=5").response.status == .badRequest)
    }

    @Test("all end when the gateway goes, and none begins then")
    func shutdown() async throws {
        try await listen().whileListening { listener in
            _ = await listener.next()
            harness.edge.nearby.closeAll()
            #expect(await listener.next { $0.hasPrefix("event: closed") } != nil)
        }
        #expect(try await listen().response.status.code == 429)
    }
}
