import Contracts
import Majordomo

extension BrokerStats {
    /// Services with samples of their own, as not all that may be named fit into an answer.
    private static let namesMax = 32

    /// Those that are served or paused first, then those for which most asks wait; the others together, as `other`.
    private var named: [Service] {
        guard services.count > Self.namesMax else { return services }
        func rank(_ service: Service) -> (Int, Int) {
            (service.workers > 0 || service.paused ? 1 : 0, service.queued)
        }
        let sorted = services.sorted { rank($0) > rank($1) }
        var other = sorted[Self.namesMax - 1]
        other.name = "other"
        for service in sorted[Self.namesMax...] { other.add(service) }
        return sorted.prefix(Self.namesMax - 1) + [other]
    }

    /// What the broker tells of itself beside what every process does. `service` is the one that is asked.
    var samples: [ServiceStats.Sample] {
        named.flatMap { service -> [ServiceStats.Sample] in
            func sample(_ name: String, _ kind: String, _ value: Int64) -> ServiceStats.Sample {
                .init(name: name, kind: kind, labels: ["service": service.name], value: value)
            }
            return [
                sample("queue_asks", "gauge", Int64(service.queued)),
                sample("queue_bytes", "gauge", Int64(service.queuedBytes)),
                sample("queue_oldest_seconds", "gauge", service.oldestAgeMs * 1000),
                sample("queue_in_flight", "gauge", Int64(service.inFlight)),
                sample("queue_credit", "gauge", Int64(service.credit)),
                sample("queue_workers", "gauge", Int64(service.workers)),
                sample("queue_paused", "gauge", service.paused ? 1 : 0),
                sample("queue_asks_total", "counter", Int64(clamping: service.asks)),
                sample("queue_answers_total", "counter", Int64(clamping: service.answers))
            ]
        }
            + drops.map {
                .init(
                    name: "broker_drops_total", kind: "counter", labels: ["reason": $0.key],
                    value: Int64(clamping: $0.value))
            } + [.init(name: "broker_held_bytes", kind: "gauge", labels: [:], value: Int64(heldBytes))]
    }
}

extension BrokerStats.Service {
    fileprivate mutating func add(_ other: Self) {
        queued += other.queued
        queuedBytes += other.queuedBytes
        oldestAgeMs = max(oldestAgeMs, other.oldestAgeMs)
        inFlight += other.inFlight
        workers += other.workers
        credit += other.credit
        paused = paused || other.paused
        asks += other.asks
        answers += other.answers
    }
}

extension BrokerLoop {
    var samples: [ServiceStats.Sample] {
        get async {
            await stats().samples + [
                .init(name: "broker_connection_bytes", kind: "gauge", labels: [:], value: Int64(connectionBytes))
            ]
        }
    }
}

extension MemoryBudget {
    /// The bounds of `broker_held_bytes`, `broker_connection_bytes` and `broker_facts_bytes`.
    var samples: [ServiceStats.Sample] {
        [("asks", asks), ("connections", connections), ("facts", facts)].map { name, bytes in
            .init(name: "broker_memory_limit_bytes", kind: "gauge", labels: ["of": name], value: Int64(bytes))
        }
    }
}

extension FactsRelay {
    var samples: [ServiceStats.Sample] {
        [
            .init(name: "broker_facts_bytes", kind: "gauge", labels: [:], value: Int64(unsentBytes)),
            .init(name: "broker_facts_dropped_total", kind: "counter", labels: [:], value: dropped)
        ]
    }
}
