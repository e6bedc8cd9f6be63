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
        let file = "\(try config.host.dataDirectory(of: __Name__.service))/__name__.sqlite"
        let facts = FactPublisher(__Name__.self, on: host.bus)
        _ = try await host.takeOver(__Name__.self, file: file) { try NoteStore(path: $0).store }
        let notes = try NoteStore(path: file)
        notes.store.publish(to: facts)

        try await host.run(
            ServiceDefinition(
                answers: [AddNoteHandler(store: notes, clock: host.clock, textBytesMax: config.textBytesMax)],
                publishes: PublishedFacts(facts, from: notes.store),
                keeps: ServiceData(__Name__.self, file: file, copy: { try await notes.store.copy(to: $0) })
                    .handedOver(of: __Name__.self, by: notes.store.handOver)))
    }
}
