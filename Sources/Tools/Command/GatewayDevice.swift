import Foundation
import HTTPClient
import Primitives
import TouchApp
import TouchTerminal
import Wire

/// A device of a running set, over HTTP.
///
/// A touch whose answer got lost is sent again under its id: it is one touch, and one payment at most.
actor GatewayDevice: TouchedDevice {
    /// Whose device it is.
    enum Owner: Sendable {
        /// A new demo customer with the PIN 1234, with a card or without.
        case demo(MemoryBacking.Profile)
        case customer(username: String, password: String)
    }

    /// How long is tried to get an answer to a touch from a gateway that has gone.
    private static let patience = Duration.seconds(15)
    /// How long one answer may take.
    private static let answerMax = Duration.seconds(5)
    private static let pause = Duration.milliseconds(200)

    private let address: String
    private let connection: BusOptions
    private var client: HTTPClient
    private var token = ""
    private var device = ""
    private var shown: Display
    private(set) var silence = ""
    /// A merchant who scans pay codes: made when the first one is scanned.
    private var till: String?

    /// Opens a device. Throws when the gateway cannot be reached or refuses it.
    ///
    /// - Parameter connection: where the operator approves the merchant who scans, if need be.
    init(_ owner: Owner, at address: String, over connection: BusOptions) throws {
        self.address = address
        self.connection = connection
        let client = try HTTPClient(address, patience: Self.answerMax)
        var body: JSONValue = [:]
        var token: String?
        switch owner {
        case .demo(let profile): body = ["profile": .string(profile.rawValue)]
        case .customer(let username, let password):
            let session = try Self.take(
                201,
                try client.request(
                    "POST", "/v1/sessions", body: ["username": .string(username), "password": .string(password)]))
            token = try session.string("token")
        }
        let opened = try Self.take(201, try client.request("POST", "/v1/devices", token: token, body: body))
        guard let display = opened["display"], let shown = try? display.decode(Display.self) else {
            throw HTTPClient.Failure("the gateway's display cannot be read")
        }
        self.client = client
        self.token = try token ?? opened.string("token")
        device = try opened.string("device")
        self.shown = shown
    }

    // MARK: TouchedDevice

    func display() async -> Display {
        // The next look comes within a second.
        let said = await request("GET", "display", within: .zero)
        silence = said.isEmpty ? "" : "what is shown may be out of date: \(said)"
        return shown
    }

    func refresh() async -> String { await request("GET", "display") }

    func send(_ input: Input, as touch: TouchID) async -> String {
        let id: JSONValue = ["touchId": .string(touch.hex)]
        switch input {
        case .touch(let cell):
            let (x, y) = cell.map { ($0.x, $0.y) } ?? (0, 0)
            return await request(
                "POST", "touch", ["x": .integer(Int64(x)), "y": .integer(Int64(y)), "touchId": .string(touch.hex)])
        case .menu(let slot): return await request("POST", "menu/\(slot.rawValue)", id)
        case .topLeft: return await request("POST", "top-left", id)
        case .topRight: return await request("POST", "top-right", id)
        }
    }

    func scan(_ code: String) async -> String {
        do {
            if till == nil { till = try await openTill() }
            // What a touch would pay here; the screen says it.
            let amount = shown.payAmount ?? AppRules.standard.touchAmount
            let paid = try client.request(
                "POST", "/v1/code-payments", token: till, key: UUID().uuidString,
                body: ["code": .string(code), "amount": .encoding(amount)])
            let said = paid.status == 201 ? "paid \(amount.display)" : Self.problem(paid)
            _ = await request("GET", "display")
            return "scanned \(code), \(said)"
        } catch { return "scanned \(code), \(error)" }
    }

    func set(_ condition: MemoryBacking.Condition) -> String { "the services of a running set are not set from here" }

    // MARK: HTTP

    /// Makes one request about the device, until there is an answer to it, and keeps the display that comes back.
    private func request(
        _ method: String, _ path: String, _ body: JSONValue? = nil, within patience: Duration = patience
    ) async -> String {
        let clock = ContinuousClock()
        let end = clock.now + patience
        while true {
            let said: String
            do {
                let answer = try client.request(method, "/v1/devices/\(device)/\(path)", token: token, body: body)
                if answer.status == 200, let display = try? answer.json.decode(Display.self) {
                    shown = display
                    let effect = answer.field("Touch-Effect")
                    return effect.flatMap { $0 == "done" ? nil : $0 } ?? ""
                }
                said = Self.problem(answer)
                guard answer.status >= 500 || answer.status == 429 else { return said }
            } catch {
                said = "\(error)"
                if let fresh = try? HTTPClient(address, patience: Self.answerMax) { client = fresh }
            }
            guard clock.now + Self.pause < end else { return said }
            do { try await clock.sleep(for: Self.pause) } catch { return said }
        }
    }

    private func openTill() async throws -> String {
        let name: JSONValue = .string("till-\(UUID().uuidString.lowercased())")
        let password: JSONValue = .string(UUID().uuidString)
        let account = try Self.take(
            201,
            try client.request(
                "POST", "/v1/merchants",
                body: [
                    "username": name, "password": password, "confirmPassword": password,
                    "email": "till@example.com", "address": "1 Aspen Avenue, Flagstaff", "productTypes": ["coffee"],
                    "latitude": 35_198_284, "longitude": -111_651_302
                ]))
        _ = try await OperatorsApproval.give(toPending: account, over: connection)
        let session = try client.request("POST", "/v1/sessions", body: ["username": name, "password": password])
        return try Self.take(201, session).string("token")
    }

    private static func take(_ status: Int, _ answer: HTTPClient.Response) throws -> JSONValue {
        guard answer.status == status else { throw HTTPClient.Failure(problem(answer)) }
        return answer.json
    }

    /// What a problem document says (RFC 9457).
    private static func problem(_ answer: HTTPClient.Response) -> String {
        guard case .string(let title)? = answer.json["title"] else { return "HTTP status \(answer.status)" }
        guard case .string(let detail)? = answer.json["detail"] else { return title }
        return "\(title): \(detail)"
    }
}

extension JSONValue {
    fileprivate func string(_ name: String) throws -> String {
        guard case .string(let text)? = self[name] else { throw HTTPClient.Failure("the answer has no '\(name)'") }
        return text
    }
}
