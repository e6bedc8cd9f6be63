import BusZMQ
import Contracts
import ServiceKit

/// Holds the run directory, serves asks on one thread and facts on another, and answers operators as an ordinary worker
/// on its own bus.
@main
struct BrokerMain {
    static func main() async { await ServiceHost.main("broker", serve) }

    private static func serve() async throws {
        var config = try HostConfig.fromEnvironment()
        ConnectionGuard.establish()
        let configuration = try BrokerConfiguration.from(config)
        let directory = try RunDirectory(configuration.runDirectory)
        defer { directory.removeSockets() }
        let context = try ZMQContext()
        let remote = try configuration.remote.map {
            try RemotePeers(listen: $0.listen, keys: $0.keys, context: context)
        }
        // Before the first socket is bound, so that no peer comes in unchecked.
        let gate = remote.map { OSThread($0.run) }
        let asks = try BrokerLoop(configuration: configuration, directory: directory, context: context, remote: remote)
        let facts = try FactsRelay(configuration: configuration, directory: directory, context: context, remote: remote)
        let threads = [OSThread(asks.run), OSThread(facts.run)]

        // Its own asks come in by the Unix socket, also where BILLFOLD_BUS is set for all.
        config.bus = .directory(config.runDirectory)
        let host = try ServiceHost(Broker.service, config: config)
        let memoryMiB = configuration.memory.process >> 20
        host.logger.info(
            "serving",
            metadata: ["asks": "\(asks.endpoints.joined(separator: " "))", "memory": "\(memoryMiB) MiB"])
        remote?.strangerCame.set { [logger = host.logger] address in
            logger.warning("a peer without a known key was turned away", metadata: ["address": "\(address)"])
        }

        try await host.run(
            ServiceDefinition(
                answers: [
                    ReadQueuesHandler(loop: asks), ReadWorkersHandler(loop: asks),
                    PauseServiceHandler(loop: asks), ResumeServiceHandler(loop: asks)
                ],
                metrics: { [memory = configuration.memory] in
                    await asks.samples + memory.samples + facts.samples
                },
                ending: {
                    asks.stop()
                    facts.stop()
                    remote?.stop()
                }))
        for thread in threads { thread.join() }
        gate?.join()
    }
}
