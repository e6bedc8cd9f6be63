import Contracts
import Wire

extension RouteTable {
    /// The routes of the operator's page.
    static let ops = [
        Route(
            .get, "/v1/ops", "readOps", "The running set: queues, counts, latencies and recent refusals",
            for: .administrator, asks: []
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<OpsView> in Given(await call.edge.ops()) },
        Route(
            .get, "/v1/traces/{trace}", "readTrace",
            "What happened under a correlation, such as a refusal's, a trace or a message: requests, asks and facts",
            for: .administrator, asks: TraceReader.asks
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Trace> in
            Given(await TraceReader(call: call).trace(of: call.id()))
        }
    ]
}
