import Contracts
import GatewayService
import Hummingbird
import NIOCore
import NIOHTTP1
import Primitives
import Synchronization
import Testing
import Wire

@Suite("events of devices")
struct DeviceEventTests {
    private let harness = GatewayHarness()
    private let customer = Auth.SessionView.sample(.customer, pin: true, id: 1).account

    private func open() async throws -> String {
        let opened = try await harness.send("POST", "/v1/devices", as: "customer-pin", key: "phone", body: "{}")
        return try #require(opened.json["device"]?.string)
    }

    private func touch(_ device: String, _ x: Int, _ y: Int) async throws {
        _ = try await harness.send(
            "POST", "/v1/devices/\(device)/touch", as: "customer-pin", body: #"{"x":\#(x),"y":\#(y)}"#)
    }

    private func listen(to device: String) async throws -> EdgeResponse {
        let request = IncomingRequest(
            method: .get, target: "/v1/devices/\(device)/events",
            headers: ["Authorization": "Bearer customer-pin"], body: .whole(ByteBuffer()))
        return try await harness.edge.respond(to: request) { nil }
    }

    private func whileListening(to device: String, _ body: (Listener) async throws -> Void) async throws {
        try await listen(to: device).whileListening(body)
    }

    @Test("the first one comes at once, the next with each change, the last when the device is closed")
    func changes() async throws {
        let device = try await open()
        try await whileListening(to: device) { listener in
            let first = try #require(await listener.next())
            #expect(first.hasPrefix("id: 1\nevent: display\ndata: {\"screen\":\"Pin Screen\""))
            #expect(first.hasSuffix("}\n\n"))
            try await touch(device, 1, 5)
            #expect(await listener.next { $0.contains(#""passcode":1"#) }?.hasPrefix("id: 2\n") == true)
            _ = try await harness.send("DELETE", "/v1/devices/\(device)", as: "customer-pin")
            #expect(await listener.next { $0.hasPrefix("event: closed") } != nil)
        }
    }

    @Test("what changed elsewhere is looked at for who listens")
    func pushed() async throws {
        let device = try await open()
        for (x, y) in [(1, 5), (2, 5), (3, 5), (1, 6)] { try await touch(device, x, y) }
        try await whileListening(to: device) { listener in
            _ = await listener.next { $0.contains("My Cards - Main") }
            harness.services.refuse(Wallet.ReadCard.type, Fault(.noCard))
            harness.edge.devices.changed(customer)
            #expect(await listener.next { $0.contains("$0.00") } != nil)
        }
    }

    @Test("on the pay screen a look brings a new code, and leaves the app where it is, as long as the PIN counts")
    func pushedAtPay() async throws {
        let device = try await harness.deviceAtPay(as: "customer-pin")
        try await whileListening(to: device) { listener in
            #expect(await listener.next { $0.contains("BF1.code1") } != nil)
            harness.edge.devices.changed(customer)
            #expect(await listener.next { $0.contains("BF1.code2") }?.contains("My Cards - Pay") == true)
            harness.advance(.seconds(901))
            harness.edge.devices.changed(customer)
            #expect(await listener.next { $0.contains("Pin Screen") }?.contains("Enter the Pin again") == true)
        }
    }

    @Test("end when a look finds that the session has ended")
    func sessionGone() async throws {
        let device = try await open()
        try await whileListening(to: device) { listener in
            _ = await listener.next()
            harness.services.remove(digest: GatewayHarness.digest("customer-pin"))
            harness.advance(.seconds(6))
            harness.edge.devices.changed(customer)
            #expect(await listener.next { $0.hasPrefix("event: closed") } != nil)
        }
    }

    @Test("beats come where nothing changes, and what may have been missed is looked at again")
    func beats() async throws {
        let device = try await open()
        try await whileListening(to: device) { listener in
            _ = await listener.next()
            harness.advance(.seconds(14))
            harness.edge.devices.tick()
            harness.advance(.seconds(1))
            harness.edge.devices.tick()
            #expect(await listener.next() == ":\n\n")
        }
    }

    @Test("eight listen to one device, and a place is free again when one goes")
    func listeners() async throws {
        let device = try await open()
        var responses: [EdgeResponse] = []
        for _ in 0..<8 { responses.append(try await listen(to: device)) }
        #expect(try await listen(to: device).response.status == .tooManyRequests)
        responses.removeLast()
        #expect(try await listen(to: device).response.status == .ok)
    }
}
