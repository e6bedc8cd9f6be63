import Bus
import Contracts
import RoutinesService
import ServiceKit

@main
struct RoutinesMain {
    static func main() async { await ServiceHost.main("routines", serve) }

    private static func serve() async throws {
        let config = try RoutinesConfig.fromEnvironment()
        let host = try ServiceHost(Routines.service, config: config.host)
        let file = "\(try config.host.dataDirectory(of: Routines.service))/routines.sqlite"
        let facts = FactPublisher(Routines.self, on: host.bus)
        let notes = try NoteStore(path: file)
        notes.store.publish(to: facts)

        try await host.run(
            ServiceDefinition(
                answers: [AddNoteHandler(store: notes, clock: host.clock, textBytesMax: config.textBytesMax)],
                publishes: PublishedFacts(facts, from: notes.store),
                keeps: ServiceData(Routines.self, file: file, copy: { try await notes.store.copy(to: $0) })))
    }
}
