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
        let logger = host.logger
        let publisher = SetOnce<FactPublisher<__Name__>>()
        let store = try SQLiteNoteStore(
            path: "\(data)/__name__.sqlite", factsCommitted: { publisher.value?.committed() },
            trouble: { logger.error("a write failed", metadata: ["error": "\($0)"]) })
        publisher.set(host.publish(__Name__.self, from: store))
        host.answer(with: AddNoteHandler(store: store, clock: host.clock, textBytesMax: config.textBytesMax))
        host.take(atMost: 256)
        try await host.run()
    }
}
