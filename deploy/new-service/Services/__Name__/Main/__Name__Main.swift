import Bus
import Contracts
import Primitives
import ServiceKit
import __Name__Service

@main
struct __Name__Main {
    static func main() async { await ServiceHost.main("__name__", serve) }

    private static func serve() async throws {
        let config = try __Name__Config.fromEnvironment()
        let host = try ServiceHost(__Name__.service, config: config.host)
        let data = try config.host.dataDirectory(of: __Name__.service)
        let notes = try NoteStore(path: "\(data)/__name__.sqlite")
        notes.store.publish(to: host.publish(__Name__.self, from: notes.store))
        host.answer(with: AddNoteHandler(store: notes, clock: host.clock, textBytesMax: config.textBytesMax))
        host.take(atMost: 256)
        try await host.run()
    }
}
