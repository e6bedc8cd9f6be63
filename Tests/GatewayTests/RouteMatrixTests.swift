import Contracts
import GatewayService
import Primitives
import Testing
import Wire

/// Made once for all of these tests.
private let theDocument = RouteTable.document.value

extension Route: CustomTestStringConvertible {
    public var testDescription: String { "\(method.rawValue) \(path.text)" }

    /// The path with the document's example in it.
    var examplePath: String {
        let required = query.filter(\.isRequired).map { "\($0.name)=\($0.example.string ?? $0.example.text)" }
        return path.prefix + (path.parameter == nil ? "" : PartyID.sample(.customer).hex) + path.suffix
            + (required.isEmpty ? "" : "?" + required.joined(separator: "&"))
    }

    /// The document's example of a body.
    var exampleBody: String? {
        guard takesBody else { return nil }
        let document = theDocument
        return document["paths", path.text, method.rawValue.lowercased()]?["requestBody", "content"]?[
            "application/json", "example"]?.text
    }

    var roles: Set<Auth.Role> {
        switch access {
        case .everyone: []
        case .roles(let roles), .open(let roles): roles
        }
    }

    /// Whether it is about one device, whose own refusals stand on its display.
    var isOfDevice: Bool { path.parameter == "device" }
}

/// Rules that hold for every route, checked over the table itself: a new route is tested by being listed.
@Suite("every route")
struct RouteMatrixTests {
    private func send(
        _ harness: GatewayHarness, _ route: Route, as token: String?, key: String? = "key", body: String? = nil,
        type: String = "application/json"
    ) async throws -> GatewayHarness.Answered {
        try await harness.send(
            route.method.rawValue, try await path(harness, route, token), as: token, key: key,
            body: body ?? route.exampleBody, type: type)
    }

    /// The example's path; where it is about a device, one that is open and shows a pay code.
    private func path(_ harness: GatewayHarness, _ route: Route, _ token: String?) async throws -> String {
        guard route.isOfDevice, token?.hasPrefix("customer") == true else { return route.examplePath }
        return route.path.prefix + (try await harness.deviceAtPay(as: token)) + route.path.suffix
    }

    private var token: (Route) -> String? {
        { $0.roles.sorted { $0.rawValue < $1.rawValue }.first.map { "\($0.rawValue)-pin" } }
    }

    @Test(
        "answers its own example, for each role it is for, having asked what it says it asks", arguments: RouteTable.all
    )
    func happy(route: Route) async throws {
        let tokens: [String?] = route.access == .everyone ? [nil] : route.roles.map { "\($0.rawValue)-pin" }
        for token in tokens {
            let harness = GatewayHarness()
            // The one body whose example is for customers only.
            let body =
                route.name == "createTransfer"
                ? #"{"to":{"username":"bob"},"amount":{"amount":1,"currency":"USD"}}"# : nil
            let answer = try await send(harness, route, as: token, body: body)
            #expect(answer.status == route.status, "\(answer.text)")
            #expect(answer.headers[.cacheControl] == "no-store")
            #expect(answer.headers[.xContentTypeOptions] == "nosniff")
            #expect(answer.headers[.correlationID]?.count == 32)
            let asked = harness.services.asked.filter { $0.type != Auth.ReadSession.type }
            let declared = route.asks.map { $0.type }
            #expect(route.isOfDevice || asked.allSatisfy { declared.contains($0.type) })
            // A trace is read without those who do not answer soon, and some responses are of use without an answer.
            let seconds = { (type: MessageType) -> Set<Int64> in
                type.name.hasSuffix(".spans.read.v1") ? [1] : type.name.hasSuffix(".facts.read.v1") ? [5] : [10, 2]
            }
            #expect(
                asked.allSatisfy { one in
                    seconds(one.type).contains { one.context.deadline == FakeServices.time + .seconds($0) }
                })
            // The answer that a response needs has the whole time.
            #expect(asked.first.map { $0.context.deadline != FakeServices.time + .seconds(2) } ?? true)
            #expect(asked.allSatisfy { $0.context.correlationID == answer.headers[.correlationID] })
            // The gateway asks for itself where it makes a customer, and where an administrator sees a merchant's
            // places.
            if token != nil, !["openDevice", "readMerchantPlaces"].contains(route.name) {
                #expect(asked.allSatisfy { $0.context.actor?.party.low ?? 0 < 4 && $0.context.actor != nil })
            }
            switch route.reply {
            case .nothing:
                #expect(answer.text.isEmpty)
                #expect(answer.headers[.contentLength] == nil)
            case .json(let type), .jsonOrText(let type): #expect(throws: Never.self) { try decode(type, answer.json) }
            case .other: #expect(!answer.text.isEmpty)
            }
        }
    }

    private func decode<M: WireMessage>(_ type: M.Type, _ json: JSONValue) throws { _ = try json.decode(type) }

    @Test("refuses whoever has no token, a wrong one or the wrong role", arguments: RouteTable.all)
    func access(route: Route) async throws {
        guard route.access != .everyone else { return }
        // Where one may come without a token, the example is of someone who does.
        let body = route.name == "openDevice" ? "{}" : nil
        let missing = try await send(GatewayHarness(), route, as: nil, body: body)
        if case .open = route.access, route.name != "openDevice" {
            #expect(missing.status == route.status)
        } else {
            #expect(missing.status == 401)
            #expect(missing.code == "gateway.token_missing")
            #expect(missing.headers[.wwwAuthenticate]?.hasPrefix("Bearer") == true)
        }
        let harness = GatewayHarness()
        let unknown = try await send(harness, route, as: "unknown")
        #expect(unknown.status == 401)
        #expect(unknown.code == "auth.session_not_found")
        for role in Auth.Role.allCases where !route.roles.contains(role) {
            let answer = try await send(harness, route, as: "\(role.rawValue)-pin")
            #expect(answer.status == 403)
            #expect(answer.code == "bus.forbidden")
        }
        #expect(harness.services.asked.allSatisfy { $0.type == Auth.ReadSession.type })
    }

    @Test("wants the PIN exactly where it says so", arguments: RouteTable.all)
    func pin(route: Route) async throws {
        guard let role = route.roles.first else { return }
        let harness = GatewayHarness()
        let answer = try await send(harness, route, as: role.rawValue)
        // Of some routes only a part needs it: their example does.
        let needsPIN = route.needsPIN || route.ownFaults.contains(.pinRequired)
        #expect((answer.code == "auth.pin_required") == needsPIN)
        guard needsPIN else { return }
        #expect(answer.status == 403)
        harness.advance(.seconds(901))
        let late = try await send(harness, route, as: "\(role.rawValue)-pin")
        #expect(late.code == "auth.pin_required")
    }

    @Test("wants a key exactly where it says so, and a valid one", arguments: RouteTable.all)
    func key(route: Route) async throws {
        let harness = GatewayHarness()
        let missing = try await send(harness, route, as: token(route), key: nil)
        #expect((missing.code == "gateway.key_missing") == (route.key == .required))
        let invalid = try await send(harness, route, as: token(route), key: "two words")
        #expect((invalid.code == "gateway.key_invalid") == (route.key != .none))
    }

    @Test("takes JSON of its own fields only, and not too much", arguments: RouteTable.all.filter(\.takesBody))
    func body(route: Route) async throws {
        let harness = GatewayHarness()
        let text = try await send(harness, route, as: token(route), type: "text/plain")
        #expect(text.status == 415)
        #expect(text.code == "gateway.media_type_unsupported")
        let example = try #require(route.exampleBody)
        let comma = example == "{}" ? "" : ","
        let stray = try await send(harness, route, as: token(route), body: example.dropLast() + comma + "\"stray\":1}")
        #expect(stray.status == 400)
        #expect(stray.detail?.contains("'stray'") == true)
        let broken = try await send(harness, route, as: token(route), body: String(example.dropLast()))
        #expect(broken.code == "bus.malformed")
        let list = try await send(harness, route, as: token(route), body: "[]")
        #expect(list.code == "bus.malformed")
        let padded = example + String(repeating: " ", count: Edge.bodyBytesMax)
        let large = try await send(harness, route, as: token(route), body: padded)
        #expect(large.status == 413)
        let charset = try await send(harness, route, as: token(route), type: "Application/JSON; charset=utf-8")
        #expect(charset.status == route.status)
        let none = try await harness.send(
            route.method.rawValue, try await path(harness, route, token(route)), as: token(route), key: "key")
        if case .optional = route.body { #expect(none.status == route.status) } else { #expect(none.status == 415) }
    }

    @Test("refuses ids that are none, and parameters that it does not take", arguments: RouteTable.all)
    func addresses(route: Route) async throws {
        let harness = GatewayHarness()
        if let parameter = route.path.parameter {
            for id in ["1", "00000000000000070000000000000abG", "0192A3F7C0DE00018C2D5E6F7A8192B3", "%30"] {
                let path = route.path.prefix + id + route.path.suffix
                let answer = try await harness.send(
                    route.method.rawValue, path, as: token(route), key: "key", body: route.exampleBody)
                #expect(answer.status == 400)
                #expect(answer.detail?.contains("'\(parameter)'") == true)
            }
        }
        let path = try await path(harness, route, token(route))
        let stray = try await harness.send(
            route.method.rawValue, path + (path.contains("?") ? "&" : "?") + "stray=1", as: token(route), key: "key",
            body: route.exampleBody)
        #expect(stray.code == "bus.malformed")
    }

    @Test("passes refusals on, and gives no status that is not in its document", arguments: RouteTable.all)
    func faults(route: Route) async throws {
        let document = theDocument
        let responses = try #require(
            document["paths", route.path.text, route.method.rawValue.lowercased()]?["responses"])
        for ask in route.asks {
            for code in ask.faults + FaultCode.common {
                let harness = GatewayHarness()
                harness.services.refuse(ask.type, Fault(code, retryAfterSeconds: 7))
                let answer = try await send(harness, route, as: token(route))
                if answer.status == route.status { continue }  // not asked, or best effort
                #expect(answer.headers[.contentType] == "application/problem+json")
                let schema = responses["\(answer.status)", "content"]?["application/problem+json", "schema"]
                let codes = schema?["allOf"]?.elements.last?["properties", "code", "enum"]?.elements ?? []
                #expect(codes.contains(.string(answer.code ?? "")), "\(answer.text)")
                #expect(answer.json["status"] == .integer(Int64(answer.status)))
                if code != .unknownType, answer.code == code.code { #expect(answer.headers[.retryAfter] == "7") }
            }
        }
    }

    @Test(
        "refuses other methods and names those that there are", arguments: Set(RouteTable.all.map(\.path.text)).sorted()
    )
    func methods(path: String) async throws {
        let harness = GatewayHarness()
        let routes = RouteTable.all.filter { $0.path.text == path }
        let known = Set(routes.map(\.method.rawValue))
        for method in ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "HEAD", "QUERY"]
        where !known.contains(method) {
            let answer = try await harness.send(method, routes[0].examplePath, as: "customer-pin")
            #expect(answer.status == 405)
            #expect(answer.headers[.allow] == known.sorted().joined(separator: ", "))
            #expect(method == "HEAD" ? answer.text.isEmpty : answer.code == "gateway.method_not_allowed")
        }
    }
}
