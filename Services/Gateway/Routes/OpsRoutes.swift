import Contracts
import Wire

extension RouteTable {
    /// What the operator's page draws.
    static let ops = [
        Route(
            .get, "/v1/ops", "readOps", "The running set: queues, counts, latencies and recent refusals",
            for: .administrator, asks: []
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<OpsView> in Given(await call.edge.ops()) }
    ]
}
