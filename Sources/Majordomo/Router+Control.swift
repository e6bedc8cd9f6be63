/// What people may ask of the broker itself.
extension Router {
    /// Keeps the service's asks in their queue from now on; those already given to workers go on.
    ///
    /// - Returns: `false` when the name is no service name or the table of services is full.
    package mutating func pause(_ name: UnsafeRawBufferPointer) -> Bool {
        guard (1...limits.foreignNameBytes).contains(name.count),
            let service = services.intern(name, max: limits.services)
        else { return false }
        services[service].isPaused = true
        return true
    }

    /// Lets the service's queue flow again.
    ///
    /// - Returns: `false` when the service is not known.
    package mutating func resume(_ name: UnsafeRawBufferPointer, at now: Instant) -> Bool {
        guard let service = services.find(name) else { return false }
        self.now = now
        services[service].isPaused = false
        dispatch(service)
        services.forgetIfUnused(service)
        return true
    }

    package func stats(at now: Instant) -> BrokerStats {
        let known = services.services.filter { !$0.name.isEmpty }
        return BrokerStats(
            services: known.map { stats(of: $0, at: now) }.sorted { $0.name < $1.name },
            drops: Dictionary(
                uniqueKeysWithValues: Drop.allCases.filter { counters[$0] > 0 }.map { ($0.name, counters[$0]) }),
            asks: counters.asks,
            answers: counters.answers,
            held: slots.count - freeSlots.count,
            heldBytes: heldBytes,
            workers: workerOf.count,
            uptimeMs: now.monotonicMs - startedMs,
            instance: String(instance, radix: 16))
    }

    private func stats(of service: Service, at now: Instant) -> BrokerStats.Service {
        BrokerStats.Service(
            name: String(decoding: service.name, as: UTF8.self),
            queued: service.queue.count,
            queuedBytes: service.queuedBytes,
            oldestAgeMs: service.queue.isEmpty
                ? 0 : now.monotonicMs - slots[Int(service.queue.first)].arrivedMs,
            inFlight: service.inFlight,
            workers: service.workers,
            draining: service.members - service.workers,
            credit: service.credit,
            paused: service.isPaused,
            asks: service.asks,
            answers: service.answers)
    }
}
