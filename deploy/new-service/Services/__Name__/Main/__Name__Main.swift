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
        let notes = try NoteStore(path: "\(data)/__name__.sqlite")
        notes.store.publish(to: facts)

        try await host.run(
            ServiceDefinition(
                answers: [AddNoteHandler(store: notes, clock: host.clock, textBytesMax: config.textBytesMax)],
                publishes: PublishedFacts(facts, from: notes.store)))
    }
}
