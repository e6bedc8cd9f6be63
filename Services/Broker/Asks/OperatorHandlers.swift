import Bus
import Contracts
import Majordomo

/// Queue depth and age per service, asks in flight, drops by reason.
struct ReadQueuesHandler: Answering {
    /// More would not fit into an answer.
    private static let servicesMax = 200

    let loop: BrokerLoop

    func answer(_ ask: Broker.ReadQueues, in context: AskContext) async throws(Contracts.Fault)
        -> Broker.ReadQueues.Reply
    {
        let stats = await loop.stats()
        // Names that somebody serves or has paused go first: anybody may ask for others.
        let known = stats.services.filter { $0.workers > 0 || $0.paused }
        let others = stats.services.filter { $0.workers == 0 && !$0.paused }
        let shown = (known + others).prefix(Self.servicesMax).sorted { $0.name < $1.name }
        return Broker.ReadQueues.Reply(
            instance: stats.instance, uptimeMilliseconds: stats.uptimeMs,
            services: shown.map { service in
                Broker.QueueStats(
                    service: service.name, workers: service.workers, credit: service.credit, queued: service.queued,
                    queuedBytes: service.queuedBytes, oldestMilliseconds: service.oldestAgeMs,
                    inFlight: service.inFlight, paused: service.paused, asks: Int64(clamping: service.asks),
                    answers: Int64(clamping: service.answers))
            }, drops: stats.drops.mapValues { Int64(clamping: $0) })
    }
}

struct ReadWorkersHandler: Answering {
    /// More would not fit into an answer.
    private static let workersMax = 300

    let loop: BrokerLoop

    func answer(_ ask: Broker.ReadWorkers, in context: AskContext) async throws(Contracts.Fault)
        -> Broker.ReadWorkers.Reply
    {
        let workers = await loop.workers().filter { ask.service == nil || $0.service == ask.service }
        return Broker.ReadWorkers.Reply(
            workers: workers.prefix(Self.workersMax).map { worker in
                Broker.WorkerStats(
                    service: worker.service, dialect: "\(worker.dialect)", credit: worker.credit,
                    inFlight: worker.inFlight, draining: worker.isDraining,
                    connectedMilliseconds: worker.connectedMs, silentMilliseconds: worker.silentMs,
                    processID: worker.processID > 0 ? Int(worker.processID) : nil)
            })
    }
}

struct PauseServiceHandler: Answering {
    let loop: BrokerLoop

    func answer(_ ask: Broker.PauseService, in context: AskContext) async throws(Contracts.Fault) -> Broker.Paused {
        // Its own queue holds the order to resume.
        guard ask.service != Broker.service else { throw Contracts.Fault(.forbidden, "the broker cannot pause itself") }
        guard await loop.pause(ask.service, forMs: ask.forMilliseconds) else {
            throw Contracts.Fault(
                .malformed, "this is no name of a service, or \(loop.limits.pauses) services are paused already")
        }
        return Broker.Paused(service: ask.service, paused: true)
    }
}

struct ResumeServiceHandler: Answering {
    let loop: BrokerLoop

    func answer(_ ask: Broker.ResumeService, in context: AskContext) async throws(Contracts.Fault) -> Broker.Paused {
        _ = await loop.resume(ask.service)
        return Broker.Paused(service: ask.service, paused: false)
    }
}
