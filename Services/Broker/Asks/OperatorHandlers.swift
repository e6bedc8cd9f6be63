import Bus
import Contracts
import Majordomo
import ServiceKit

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
        try await loop.requireKnown(ask.service)
        guard await loop.pause(ask.service, by: ask.by ?? "", forMs: ask.forMilliseconds) else {
            throw Contracts.Fault(
                .malformed,
                "nothing was paused: \(loop.limits.pauses) services are paused already, or this one by many")
        }
        return Broker.Paused(service: ask.service, paused: true)
    }
}

struct ResumeServiceHandler: Answering {
    let loop: BrokerLoop

    func answer(_ ask: Broker.ResumeService, in context: AskContext) async throws(Contracts.Fault) -> Broker.Paused {
        try await loop.requireKnown(ask.service)
        return Broker.Paused(service: ask.service, paused: await loop.resume(ask.service, by: ask.by ?? ""))
    }
}

extension BrokerLoop {
    /// - Throws: for a name that no service of the set has, and no worker: a misspelt pause would stop nothing.
    fileprivate func requireKnown(_ service: String) async throws(Contracts.Fault) {
        guard Catalogue.service(service) == nil else { return }
        let stats = await stats()
        let served = stats.services.filter { $0.workers > 0 || $0.draining > 0 || $0.paused }.map(\.name)
        guard !served.contains(service) else { return }
        let nearest = NearestName.nearest(to: service, among: Catalogue.services.map { $0.service } + served)
        throw Contracts.Fault(
            .malformed,
            "nothing was changed: there is no service '\(service)'" + (nearest.map { "; is '\($0)' meant?" } ?? ""))
    }
}
