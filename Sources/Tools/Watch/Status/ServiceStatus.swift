import Contracts
import Primitives
import Wire

/// One service between two looks.
package struct ServiceStatus: Sendable, Equatable {
    package enum State: String, Sendable {
        /// Answers.
        case ok
        /// Answers, and says that something is wrong with it.
        case unwell
        /// Has no worker.
        case missing
        /// Its asks wait until it is resumed.
        case paused
        /// Finishes what it has, and takes no more.
        case draining
        /// Has a worker that reports no figures: one in another language, or one that hangs.
        case untold
    }

    package let service: String
    package let state: State
    /// What its processes say is wrong, a sentence each; where it is missing, what is known of the reason.
    package private(set) var troubles: [String]
    package let workers: [WorkerStatus]
    package let versions: [String]
    package let queued: Int
    package let oldestMilliseconds: Int64
    package let inFlight: Int
    package let credit: Int
    /// Asks per second; of the gateway HTTP requests, of the broker all that pass through it.
    package private(set) var rate: Double
    /// Refusals of its own, of the gateway answers of 400 and more. Per second.
    package let faultRate: Double?
    /// Microseconds.
    package let p50, p99: Double?
    package let residentBytes: Int64?
    /// Of the process that runs longest.
    package let uptimeMilliseconds: Int64?

    /// The same, with what is known of why nobody answers for it.
    package func missing(because reasons: [String]) -> ServiceStatus {
        var status = self
        if state == .missing { status.troubles = reasons }
        return status
    }

    fileprivate func passing(_ rate: Double) -> ServiceStatus {
        var status = self
        status.rate = rate
        return status
    }
}

/// One process that answers for a service.
package struct WorkerStatus: Sendable, Equatable {
    /// Its own figures; nil where it reports none.
    package let stats: ServiceStats?
    /// What the broker knows of it.
    package let seen: Broker.WorkerStats?

    package var processID: Int64? { stats?.processID ?? seen?.processID.map { Int64($0) } }
}

extension SetLook {
    /// What has changed since `before`.
    package func status(since before: SetLook) -> [ServiceStatus] {
        // The broker remembers the queues of all who ever served. Of those that do not belong to the set, one that has
        // ended and for which nothing waits is nobody's trouble.
        let present = queues.services.filter { $0.workers > 0 || $0.queued > 0 || $0.paused }.map(\.service)
        let others = Set(present).union(stats.keys).union((workers ?? []).map(\.service))
            .subtracting(Self.expected).sorted()
        let all = (Self.expected + others).map { status(of: $0, since: before) }
        // The broker's own work is what passes through it.
        let passing = all.filter { ![Broker.service, Gateway.service].contains($0.service) }.reduce(0) { $0 + $1.rate }
        return all.map { $0.service == Broker.service ? $0.passing(passing) : $0 }
    }

    private func status(of service: String, since before: SetLook) -> ServiceStatus {
        let seconds = max(Double(nanoseconds - before.nanoseconds) / 1e9, 0.001)
        let queue = queues.services.first { $0.service == service }
        let queueBefore = before.queues.services.first { $0.service == service }
        let stats = stats[service] ?? []
        let work = Work(stats, isGateway: service == Gateway.service)
        let done = work.since(Work(before.stats[service] ?? [], isGateway: service == Gateway.service))
        let workers = self.workers?.filter { $0.service == service } ?? []
        let isDraining = !workers.isEmpty && workers.allSatisfy(\.draining)
        let troubles = Set(stats.flatMap(\.troubles)).sorted()
        let state: ServiceStatus.State =
            if queue?.paused == true { .paused } else if isDraining { .draining } else if !troubles.isEmpty {
                .unwell
            } else if !stats.isEmpty { .ok } else {
                (queue?.workers ?? 0) == 0 && workers.isEmpty ? .missing : .untold
            }
        // Where each of its processes tells, their own count: the broker's has the looks at it too.
        let isTold = stats.count >= queue?.workers ?? 0
        let asks = isTold ? done.latency.count : (queue?.asks ?? 0) - (queueBefore?.asks ?? 0)
        return ServiceStatus(
            service: service, state: state, troubles: troubles,
            workers: Self.joined(stats, workers, count: queue?.workers ?? 0),
            versions: Set(stats.compactMap(\.version)).sorted(), queued: queue?.queued ?? 0,
            oldestMilliseconds: queue?.oldestMilliseconds ?? 0, inFlight: queue?.inFlight ?? 0,
            credit: queue?.credit ?? 0, rate: Double(max(0, asks)) / seconds,
            faultRate: stats.isEmpty ? nil : Double(done.faults) / seconds, p50: done.latency.quantile(0.5),
            p99: done.latency.quantile(0.99),
            residentBytes: stats.isEmpty ? nil : stats.reduce(0) { $0 + $1.residentKiB * 1024 },
            uptimeMilliseconds: stats.map(\.uptimeMilliseconds).max())
    }

    /// Each process once: its own figures beside what the broker knows of it.
    private static func joined(
        _ published: [ServiceStats], _ seen: [Broker.WorkerStats], count: Int
    ) -> [WorkerStatus] {
        var seen = seen
        var joined: [WorkerStatus] = []
        // Processes that tell their numbers choose first.
        for stats in published.filter({ $0.processID != nil }) + published.filter({ $0.processID == nil }) {
            // One of our own is taken for one of our own where the kernel does not tell whose socket it is. NATS has
            // one row, to which what is answered in its name belongs. A foreign one need not tell its process.
            let at =
                seen.firstIndex { $0.processID != nil && $0.processID.map { Int64($0) } == stats.processID }
                ?? seen.firstIndex { $0.processID == nil && ($0.dialect == "billfold" || $0.service == Broker.service) }
                ?? (stats.processID == nil ? seen.indices.first : nil)
            joined.append(WorkerStatus(stats: stats, seen: at.map { seen.remove(at: $0) }))
        }
        joined += seen.map { WorkerStatus(stats: nil, seen: $0) }
        return joined + Array(repeating: WorkerStatus(stats: nil, seen: nil), count: max(0, count - joined.count))
    }
}

/// What the processes of one service have done, by process: one that has started anew began at nothing.
private struct Work {
    var latency = Distribution()
    var faults: Int64 = 0
    private let stats: [ServiceStats]
    private let isGateway: Bool

    private static let looks = [".stats.read.v1", ".spans.read.v1", ".queues.read.v1", ".workers.read.v1"]

    init(_ stats: [ServiceStats], isGateway: Bool) {
        self.stats = stats
        self.isGateway = isGateway
    }

    func since(_ before: Work) -> Work {
        var work = Work([], isGateway: isGateway)
        for now in stats {
            work.add(now, sign: 1)
            guard let then = before.stats.first(where: { $0.instance == now.instance }),
                then.uptimeMilliseconds <= now.uptimeMilliseconds
            else { continue }
            work.add(then, sign: -1)
        }
        return work
    }

    private mutating func add(_ stats: ServiceStats, sign: Int64) {
        for sample in stats.metrics {
            switch sample.name {
            case isGateway ? "http_request_seconds" : "asks_seconds":
                // Being looked at is not what a service is for.
                if let type = sample.labels["type"], Self.looks.contains(where: type.hasSuffix) { continue }
                if sign > 0 { latency.add(sample) } else { latency.remove(sample) }
            case "ask_faults_total" where !isGateway:
                faults += sign * sample.value
            case "http_requests_total" where isGateway:
                if let status = sample.labels["status"], status >= "4" { faults += sign * sample.value }
            default: break
            }
        }
    }
}
