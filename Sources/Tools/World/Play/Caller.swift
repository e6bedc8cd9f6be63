import Bus
import Glibc
import HTTPClient
import Wire

/// Requests to the gateway, one after another and no faster than the town may be.
final class Caller {
    /// At most so many requests a second: bounds what the town costs, also after a break.
    static let perSecondMax = 50.0
    private static let pauseMax: UInt32 = 30

    /// Another town, which is played beside this one, asks the same at this moment.
    private static let inFlight: JSONValue = "gateway.key_in_flight"

    private let address: String
    private var client: HTTPClient
    private var last = 0.0
    private var pause: UInt32 = 1
    /// Answers that said no, by their code.
    private var refusals: [String: Int] = [:]

    init(_ address: String) throws {
        self.address = address
        client = try HTTPClient(address)
    }

    /// - Throws: `HTTPClient.Unreachable` if no gateway answers.
    func greet() throws { _ = try client.request("GET", "/health") }

    /// The answer to one request. A gateway that is away, busy or asks for patience is asked again, under the same key.
    func call(
        _ method: String, _ path: String, as token: String? = nil, key: String? = nil, body: JSONValue? = nil
    ) throws -> HTTPClient.Response {
        while true {
            keepPace()
            do {
                let response = try client.request(method, path, token: token, key: key, body: body)
                pause = 1
                guard response.status == 429 || response.status == 503 || response.json["code"] == Self.inFlight else {
                    return response
                }
                let seconds = response.field("Retry-After").flatMap { UInt32($0) } ?? 1
                Glibc.sleep(min(max(1, seconds), Self.pauseMax))
            } catch is HTTPClient.Unreachable {
                Glibc.sleep(pause)
                pause = min(pause * 2, Self.pauseMax)
                client = try HTTPClient(address)
            }
        }
    }

    /// Counts an answer that is not the wanted one.
    func note(_ response: HTTPClient.Response) {
        let code: String =
            if case .string(let code)? = response.json["code"] { code } else { "HTTP \(response.status)" }
        refusals[code, default: 0] += 1
    }

    /// Refusals since this was asked last, with their numbers, most first; nil where there were none.
    func takeRefusals() -> String? {
        defer { refusals = [:] }
        let counted = refusals.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) \($0.value)" }
        return counted.isEmpty ? nil : counted.joined(separator: ", ")
    }

    private func keepPace() {
        let gap = 1 / Self.perSecondMax
        let wait = last + gap - seconds()
        if wait > 0 { usleep(UInt32(wait * 1e6)) }
        last = seconds()
    }
}

/// Seconds of a clock that nobody sets.
func seconds() -> Double { Double(monotonicNanoseconds()) / 1e9 }

/// Milliseconds since 1970.
func wallMilliseconds() -> Int64 { WallClock.system.now().milliseconds }
