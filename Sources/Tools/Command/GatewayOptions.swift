import ArgumentParser
import BusZMQ
import Foundation
import ServiceKit

/// Where the gateway is.
struct GatewayOptions: ParsableArguments, Sendable {
    @Option(help: "The gateway's address and port. Default: BILLFOLD_HTTP, or else where the set's gateway listens.")
    var http: String?

    /// The default address: that of a set in containers, whose run directory cannot be seen from here.
    private static let usual = "127.0.0.1:8080"

    /// - Parameter bus: of the set whose gateway is meant.
    func address(of bus: BusAddress) throws -> String {
        if let http { return http }
        let given = ProcessInfo.processInfo.environment["BILLFOLD_HTTP"] ?? ""
        // With port 0 the system chooses another one at each start.
        if !given.isEmpty, !given.hasSuffix(":0") { return HealthProbe.reachable(given) }
        guard case .directory(let run) = bus else { return Self.usual }
        switch GatewayAddress.read(in: run) {
        case .serving(let address, _): return address
        case .ended:
            throw CommandFailure.unreachable("the gateway of the set in \(run) has ended; 'billfold ps' shows the set")
        case .none:
            guard run == HostConfig.runDirectoryUsual, access("\(run)/asks.sock", F_OK) != 0 else {
                throw CommandFailure.unreachable(
                    "no gateway serves in \(run); 'billfold up' starts a set, --run and --http name others")
            }
            return Self.usual
        }
    }
}
