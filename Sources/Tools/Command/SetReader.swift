import Bus
import Contracts
import Primitives
import Watch
import Wire

/// Looks at a running set: asks the broker and every process behind it what they know of themselves.
struct SetReader {
    let bus: Bus

    /// How long a process may take to report its figures. A hanging process must not delay the others for long.
    private static let patience = Duration.milliseconds(1000)
    /// Processes of one service that are asked.
    private static let instancesMax = 32
    /// How often they are asked where not each of them has answered.
    private static let roundsMax = 4

    /// - Throws: `bus.no_worker` where the bus does not answer.
    func look() async throws(Fault) -> SetLook {
        let queues = try await bus.queues()
        let context = AskContext(deadline: bus.clock.now() + Self.patience)
        // An older broker, or one of others, does not know it.
        let workers = try? await bus.ask(Broker.ReadWorkers(), in: context).workers
        let live = queues.services.filter { $0.workers > 0 }
        let stats = await withTaskGroup(of: (String, [ServiceStats]).self) { group in
            for service in live { group.addTask { (service.service, await figures(service)) } }
            var stats: [String: [ServiceStats]] = [:]
            for await (service, found) in group where !found.isEmpty { stats[service] = found }
            return stats
        }
        return SetLook(
            nanoseconds: monotonicNanoseconds(), time: bus.clock.now(), queues: queues, stats: stats, workers: workers)
    }

    /// Of each process of a service: the broker gives as many asks as there are workers to one after the other. NATS
    /// chooses at random, so that those that are missing are asked again.
    private func figures(_ service: Broker.QueueStats) async -> [ServiceStats] {
        let type = MessageType("\(service.service).stats.read.v1")
        // A paused service answers what passes by its queue.
        let name = service.paused ? TrialName.of(service.service) : service.service
        let workers = min(service.workers, Self.instancesMax)
        var found: [ServiceStats] = []
        for _ in 0..<(workers > 1 ? Self.roundsMax : 1) {
            for stats in await figures(type, of: name, times: workers)
            where !found.contains(where: { $0.instance == stats.instance }) { found.append(stats) }
            if found.count >= workers { break }
        }
        return found.sorted { ($0.startedAt?.milliseconds ?? 0) < ($1.startedAt?.milliseconds ?? 0) }
    }

    private func figures(_ type: MessageType, of name: String, times: Int) async -> [ServiceStats] {
        await withTaskGroup(of: ServiceStats?.self) { group in
            for _ in 0..<times {
                group.addTask {
                    let context = AskContext(deadline: bus.clock.now() + Self.patience)
                    // Whatever the reason: one that does not answer tells nothing.
                    let data = try? await bus.ask(
                        type, data: Array("{}".utf8), retry: .idempotent, of: name, in: context)
                    return data.flatMap { try? ServiceStats(json: $0) }
                }
            }
            var found: [ServiceStats] = []
            for await stats in group { if let stats { found.append(stats) } }
            return found
        }
    }
}
