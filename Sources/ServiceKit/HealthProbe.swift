import Bus
import BusZMQ
import Contracts
import Foundation
import HTTPClient
import Primitives
import Sodium

/// Whether a process does its work, found out from outside: `billfold-<service> --health`.
///
/// What a container's health check and a supervisor ask of one process. Whether the set is whole is another question,
/// which the gateway's `/health` answers.
package enum HealthProbe: Sendable {
    /// The service answers over the bus.
    case bus
    /// The process answers `/health` over HTTP, whatever it says of the others.
    case http

    /// How long an answer may take.
    package static let patience = Duration.seconds(2)

    /// Nil when the process answered; otherwise why not, in one line.
    func run(_ service: String) async -> String? {
        // Neither a hanging broker nor a hanging gateway may hang whoever looks.
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience.seconds + 0.1) {
            ServiceHost.end(service, "no answer within 2 s")
        }
        do {
            let config = try HostConfig.fromEnvironment()
            switch self {
            case .bus:
                if case .directory(let directory) = config.bus { try RunDirectoryCheck.verify(directory) }
                let reactor = try Reactor(Reactor.Settings(bus: config.bus))
                reactor.start()
                let isThere = await Self.isAnswering(service, on: reactor, by: WallClock.system.now() + Self.patience)
                return isThere ? nil : "no answer within 2 s on the bus \(config.bus)"
            case .http:
                let address = config.reader.string(forKey: "billfold.http", default: "127.0.0.1:8080")
                _ = try HTTPClient(Self.reachable(address)).request("GET", "/health")
                return nil
            }
        } catch { return "\(error)" }
    }

    /// Whether the service answers, be it with a refusal. An ask waits for a service that is only starting.
    ///
    /// - Parameter isTrial: whether also a service whose queue is paused is to answer.
    package static func isAnswering(
        _ service: String, on transport: any Transport, by deadline: Timestamp, isTrial: Bool = false
    ) async -> Bool {
        let now = WallClock.system.now()
        let id: MessageID = Randomness.shared.identifier(at: now)
        let type = MessageType("\(service).stats.read.v1")
        let ask = Envelope(
            id: id.hex, source: "health", type: type.name, time: now, correlationID: id.hex, expiryTime: deadline,
            data: Array("{}".utf8))
        switch await transport.ask(
            service: isTrial ? TrialName.of(service) : service, retry: .idempotent, deadline: deadline, body: ask.json)
        {
        case .envelope: return true
        case .refused: return false
        }
    }

    /// Where a server can be reached that listens on `address`: one that listens everywhere is on loopback too.
    package static func reachable(_ address: String) -> String {
        guard let colon = address.lastIndex(of: ":") else { return address }
        let host = String(address[..<colon])
        let isEverywhere = ["", "0.0.0.0", "[::]", "localhost"].contains(host)
        return "\(isEverywhere ? "127.0.0.1" : host)\(address[colon...])"
    }
}

extension Duration {
    fileprivate var seconds: Double { self / .seconds(1) }
}
