import Bus
import Contracts
import Majordomo

/// Queue depth and age per service, asks in flight, drops by reason.
struct ReadQueuesHandler: Answering {
    let loop: BrokerLoop

    func answer(_ ask: Broker.ReadQueues, in context: AskContext) async throws(Contracts.Fault)
        -> Broker.ReadQueues.Reply
    {
        let stats = await loop.stats()
        return Broker.ReadQueues.Reply(
            instance: stats.instance, uptimeMilliseconds: stats.uptimeMs,
            services: stats.services.map { service in
                Broker.QueueStats(
                    service: service.name, workers: service.workers, credit: service.credit, queued: service.queued,
                    queuedBytes: service.queuedBytes, oldestMilliseconds: service.oldestAgeMs,
                    inFlight: service.inFlight, paused: service.paused, asks: Int64(clamping: service.asks),
                    answers: Int64(clamping: service.answers))
            }, drops: stats.drops.mapValues { Int64(clamping: $0) })
    }
}

struct PauseServiceHandler: Answering {
    let loop: BrokerLoop

    func answer(_ ask: Broker.PauseService, in context: AskContext) async throws(Contracts.Fault) -> Broker.Paused {
        // Its own queue holds the order to resume.
        guard ask.service != Broker.service else { throw Contracts.Fault(.forbidden, "the broker cannot pause itself") }
        guard await loop.pause(ask.service) else { throw Contracts.Fault(.malformed, "this is no name of a service") }
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
