import BusZMQ
import Contracts
import ServiceKit

/// Holds the run directory, serves asks on one thread and facts on another, and answers what operators ask of it as an
/// ordinary worker on its own bus.
@main
struct BrokerMain {
    static func main() async { await ServiceHost.main("broker", serve) }

    private static func serve() async throws {
        let config = try HostConfig.fromEnvironment()
        ConnectionGuard.establish()
        let configuration = try BrokerConfiguration.from(config)
        let directory = try RunDirectory(configuration.runDirectory)
        defer { directory.removeSockets() }
        let context = try ZMQContext()
        let asks = try BrokerLoop(configuration: configuration, directory: directory, context: context)
        let facts = try FactsRelay(configuration: configuration, directory: directory, context: context)
        let threads = [OSThread(asks.run), OSThread(facts.run)]

        let host = try ServiceHost(Broker.service, config: config)
        host.answer(with: ReadQueuesHandler(loop: asks))
        host.answer(with: PauseServiceHandler(loop: asks))
        host.answer(with: ResumeServiceHandler(loop: asks))
        host.measure { await asks.stats().samples }
        host.logger.info("serving", metadata: ["asks": "\(asks.endpoints.joined(separator: " "))"])
        host.atEnd {
            asks.stop()
            facts.stop()
        }
        try await host.run()
        for thread in threads { thread.join() }
    }
}
