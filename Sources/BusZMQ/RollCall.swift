import Bus
import Contracts
import Primitives
import Wire

/// What one worker on NATS says of itself when it is asked who is there.
struct WorkerPresence: WireMessage, Equatable {
    var worker: Broker.WorkerStats
    var queued: Int
    var queuedBytes: Int
    var asks: Int64
    var answers: Int64
}

/// An operator's ask for the broker, answered on NATS from what the workers say of themselves.
///
/// Nobody knows how many there are: it ends after a while, with those that have answered.
struct RollCall {
    /// Nanoseconds in which the workers may answer.
    static let patience: UInt64 = 150_000_000

    let tag: UInt64
    let ask: Envelope
    /// Monotonic nanoseconds.
    let end: UInt64
    private(set) var present: [WorkerPresence] = []

    /// - Parameters:
    ///   - tag: of the ask.
    ///   - body: its envelope.
    /// - Returns: nil for one that cannot be read.
    init?(_ tag: UInt64, _ body: [UInt8], now: UInt64) {
        guard let ask = try? Envelope(json: body) else { return nil }
        (self.tag, self.ask) = (tag, ask)
        end = now + (Self.needsWorkers(ask.type) ? Self.patience : 0)
    }

    var needsWorkers: Bool { Self.needsWorkers(ask.type) }

    private static func needsWorkers(_ type: String) -> Bool {
        [Broker.ReadQueues.type.name, Broker.ReadWorkers.type.name].contains(type)
    }

    mutating func take(_ body: UnsafeRawBufferPointer) {
        // Another version's, or a stranger's: it counts as not there.
        if let worker = try? WorkerPresence(json: [UInt8](body)) { present.append(worker) }
    }

    /// The answer's envelope.
    func answer(at time: Timestamp, id: String) -> [UInt8] {
        switch ask.type {
        case Broker.ReadQueues.type.name: return reply(queues.json, id, time)
        case Broker.ReadWorkers.type.name:
            let named = (try? Broker.ReadWorkers(json: ask.data))?.service
            return reply(workers(of: named).json, id, time)
        case "\(Broker.service).stats.read.v1":
            // That it is answered says that NATS is there.
            let stats = ServiceStats(service: Broker.service, uptimeMilliseconds: 0, residentKiB: 0, metrics: [])
            return reply(stats.json, id, time)
        case Broker.PauseService.type.name, Broker.ResumeService.type.name:
            let why = BusAddress.noPauseOnNATS
            return answer(".fault", Fault(.unavailable, why, retryAfterSeconds: 3600).json, id, time)
        default: return answer(".fault", Fault(.unknownType, "there is no broker on NATS").json, id, time)
        }
    }

    private func reply(_ data: [UInt8], _ id: String, _ time: Timestamp) -> [UInt8] {
        answer(".reply", data, id, time)
    }

    private func answer(_ ending: String, _ data: [UInt8], _ id: String, _ time: Timestamp) -> [UInt8] {
        Envelope(
            id: id, source: Broker.service, type: ask.type + ending, time: time, correlationID: ask.correlationID,
            causationID: ask.id, traceparent: ask.traceparent, data: data
        ).json
    }

    /// In the place of the broker's own row: NATS itself.
    private var presentAndNATS: [WorkerPresence] {
        let nats = Broker.WorkerStats(
            service: Broker.service, dialect: "nats", credit: 0, inFlight: 0, draining: false,
            connectedMilliseconds: present.map(\.worker.connectedMilliseconds).max() ?? 0, silentMilliseconds: 0,
            processID: nil)
        return present + [WorkerPresence(worker: nats, queued: 0, queuedBytes: 0, asks: 0, answers: 0)]
    }

    private func workers(of service: String?) -> Broker.ReadWorkers.Reply {
        Broker.ReadWorkers.Reply(
            workers: presentAndNATS.map(\.worker).filter { service == nil || $0.service == service }
                .sorted { ($0.service, -$0.connectedMilliseconds) < ($1.service, -$1.connectedMilliseconds) })
    }

    private var queues: Broker.ReadQueues.Reply {
        let services = Dictionary(grouping: presentAndNATS, by: \.worker.service).sorted { $0.key < $1.key }
        return Broker.ReadQueues.Reply(
            instance: "nats", uptimeMilliseconds: present.map(\.worker.connectedMilliseconds).max() ?? 0,
            services: services.map { name, all in
                let serving = all.filter { !$0.worker.draining }
                return Broker.QueueStats(
                    service: name, workers: serving.count, credit: serving.reduce(0) { $0 + $1.worker.credit },
                    queued: all.reduce(0) { $0 + $1.queued }, queuedBytes: all.reduce(0) { $0 + $1.queuedBytes },
                    oldestMilliseconds: 0, inFlight: all.reduce(0) { $0 + $1.worker.inFlight }, paused: false,
                    asks: all.reduce(0) { $0 + $1.asks }, answers: all.reduce(0) { $0 + $1.answers })
            }, drops: [:])
    }
}
