import Bus
import Contracts
import GatewayService
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import Primitives
import Synchronization
import TestKit
import Testing
import Wire

/// An edge over fake services, with a clock that stands still until it is moved.
final class GatewayHarness: Sendable {
    let services = FakeServices()
    let edge: Edge
    private let clock = ManualClock(FakeServices.time)

    init(_ configuration: Edge.Configuration = .lenient, pages: Pages = Pages([:])) {
        edge = Edge(
            asking: services, clock: clock.wall, configuration: configuration, pages: pages,
            health: { ["auth": true, "wallet": true, "payments": true] }, metrics: { "up 1\n" },
            ops: { OpsView(time: FakeServices.time, services: [], faults: [], drops: nil) })
        for role in Auth.Role.allCases {
            services.put(.sample(role, pin: true, id: 1), digest: Self.digest("\(role.rawValue)-pin"))
            services.put(.sample(role, pin: false, id: 2), digest: Self.digest(role.rawValue))
        }
    }

    static func digest(_ token: String) -> String { TokenDigest(of: Array(token.utf8)).hex }

    func advance(_ span: Duration) { clock.advance(span) }

    // MARK: Requests

    struct Answered: Sendable {
        let status: Int
        let headers: HTTPFields
        let text: String

        var json: JSONValue { (try? JSONValue(parsing: Array(text.utf8))) ?? .null }
        var code: String? { if case .string(let code)? = json["code"] { code } else { nil } }
        var detail: String? { if case .string(let detail)? = json["detail"] { detail } else { nil } }
    }

    /// Makes one request as `token` (`customer`, `customer-pin`, `merchant`, …).
    func send(
        _ method: String, _ path: String, as token: String? = nil, key: String? = nil, body: String? = nil,
        type: String? = "application/json", headers: HTTPFields = [:], from address: String = "127.0.0.1"
    ) async throws -> Answered {
        var headers = headers
        if let token { headers[.authorization] = "Bearer \(token)" }
        if let key { headers[.idempotencyKey] = key }
        if body != nil, let type { headers[.contentType] = type }
        guard let verb = HTTPRequest.Method(method) else { fatalError("\(method) is no method") }
        let content = body.map { ByteBuffer(string: $0) } ?? ByteBuffer()
        let fields = [("Host", "billfold.example")] + headers.map { ($0.name.rawName, $0.value) }
        let request = IncomingRequest(
            method: verb, target: path, headers: HTTPHeaders(fields), body: .whole(content))
        let answer = try await edge.respond(to: request) { IPAddress(address) }
        let writer = CollectingWriter(eventsMax: answer.events != nil ? 1 : nil)
        do { try await answer.write(to: writer) } catch is CollectingWriter.Closed {}
        return Answered(
            status: answer.response.status.code, headers: answer.response.headers,
            text: writer.collected.withLock { String(buffer: $0) })
    }

    /// Lets another customer log in, as `stranger`.
    func putStranger() {
        services.put(
            Auth.SessionView(
                session: SessionID(high: 7, low: 7), account: PartyID(high: 7, low: 7), role: .customer,
                expires: FakeServices.time + .seconds(3600), pinVerifiedUntil: nil),
            digest: Self.digest("stranger"))
    }

    /// A customer's device with the Pay screen shown; forgets what was asked on the way there.
    func deviceAtPay(as token: String?) async throws -> String {
        let opened = try await send("POST", "/v1/devices", as: token, key: "device", body: "{}")
        let device = try #require(opened.json["device"]?.string, "\(opened.text)")
        for (x, y) in [(1, 5), (2, 5), (3, 5), (1, 6), (3, 3)] {
            _ = try await send("POST", "/v1/devices/\(device)/touch", as: token, body: #"{"x":\#(x),"y":\#(y)}"#)
        }
        services.forget()
        return device
    }

    static let payment = #"{"merchant":"00000000000000070000000000000007","amount":{"amount":150,"currency":"USD"}}"#

    func pay(_ body: String = payment, key: String? = "key-1", as token: String = "customer-pin") async throws
        -> Answered
    {
        try await send("POST", "/v1/payments", as: token, key: key, body: body)
    }
}

/// Takes a response's body where a connection would.
private final class CollectingWriter: ResponseBodyWriter, Sendable {
    /// The client has gone.
    struct Closed: Error {}

    let collected = Mutex(ByteBuffer())
    private let writes = Mutex(0)
    /// A stream has no end: its client goes after so many events.
    private let eventsMax: Int?

    init(eventsMax: Int?) { self.eventsMax = eventsMax }

    func write(_ buffer: ByteBuffer) async throws {
        collected.withLock { _ = $0.writeImmutableBuffer(buffer) }
        let count = writes.withLock { writes in
            writes += 1
            return writes
        }
        if count == eventsMax { throw Closed() }
    }
    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

extension Edge.Configuration {
    /// Limits that no test meets by accident.
    static let lenient = Edge.Configuration(
        rates: RateLimiter.Policies(
            perAddress: RatePolicy(calls: 10_000, per: .seconds(60)),
            perSubject: RatePolicy(calls: 10_000, per: .seconds(60))))
}

extension JSONValue {
    subscript(_ path: String...) -> JSONValue? { path.reduce(self) { value, key in value?[key] } }

    var members: [Member] { if case .object(let members) = self { members } else { [] } }
    var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
    var string: String? { if case .string(let text) = self { text } else { nil } }
}

extension AccountStreams {
    /// Ticks every part once.
    func tick() { for _ in 0..<Self.partCount { tickPart() } }
}
