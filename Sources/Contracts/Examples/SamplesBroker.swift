import Primitives

extension Samples {
    package static let workers = Broker.ReadWorkers.Reply(
        workers: [
            Broker.WorkerStats(
                service: "wallet", dialect: "billfold", credit: 512, inFlight: 6, draining: false,
                connectedMilliseconds: 3_600_000, silentMilliseconds: 12, processID: 4711)
        ])
    package static let foreignWorker = Broker.WorkerStats(
        service: "offers", dialect: "mdp02", credit: 1, inFlight: 0, draining: false, connectedMilliseconds: 2_000,
        silentMilliseconds: 900, processID: nil)
    package static let queues = Broker.ReadQueues.Reply(
        instance: "9f2c61d0a7b3e845", uptimeMilliseconds: 3_600_000,
        services: [
            Broker.QueueStats(
                service: "wallet", workers: 1, credit: 250, queued: 3, queuedBytes: 1500, oldestMilliseconds: 12,
                inFlight: 6, paused: false, asks: 1009, answers: 1000)
        ],
        drops: ["unknown_token": 1])
}
