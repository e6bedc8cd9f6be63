import Bus
import Contracts
import ServiceKit
import __Name__Service

@main
struct __Name__Main {
    static func main() async { await ServiceHost.main("__name__", serve) }

    private static func serve() async throws {
        let config = try __Name__Config.fromEnvironment()
        let host = try ServiceHost(__Name__.service, config: config.host)
        let data = try config.host.dataDirectory(of: __Name__.service)
        let facts = FactPublisher(__Name__.self, on: host.bus)
        let store = try SQLiteNoteStore(
            path: "\(data)/__name__.sqlite", factsCommitted: { facts.committed() },
            trouble: host.reportingErrors(as: "a write failed"))

        try await host.run(
            ServiceDefinition(
                answers: [AddNoteHandler(store: store, clock: host.clock, textBytesMax: config.textBytesMax)],
                publishes: PublishedFacts(facts, from: store)))
    }
}
