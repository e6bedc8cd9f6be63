/// Somebody holds a service's queue back.
struct Pause {
    /// Holders that one service may have.
    static let holdersMax = 8

    let holder: String
    /// On the monotonic clock.
    let endsMs: Int64
}

/// What people may ask of the broker itself.
extension Router {
    /// Keeps the service's asks in their queue from now on; those already given to workers go on.
    ///
    /// - Parameters:
    ///   - holder: whose pause it is. Another one of the same holder replaces it.
    ///   - untilMs: when the pause ends by itself, on the monotonic clock; `nil`: when it is resumed.
    /// - Returns: `false` when the name is no service name, or too many services are paused or known, or by too many.
    package mutating func pause(_ name: UnsafeRawBufferPointer, by holder: String = "", untilMs: Int64? = nil) -> Bool {
        let isPaused = services.find(name).map { services[$0].isPaused } ?? false
        guard (1...limits.foreignNameBytes).contains(name.count),
            isPaused || services.services.count(where: \.isPaused) < limits.pauses,
            let service = services.intern(name, max: limits.services)
        else { return false }
        var held = pauses[service, default: []].filter { $0.holder != holder }
        guard held.count < Pause.holdersMax else { return false }
        held.append(Pause(holder: holder, endsMs: untilMs ?? .max))
        pauses[service] = held
        services[service].isPaused = true
        return true
    }

    /// Ends a holder's pause of the service. Its queue flows again once it was the last one.
    ///
    /// - Returns: whether the queue is still held back; `nil` when the service is not known.
    package mutating func resume(_ name: UnsafeRawBufferPointer, by holder: String = "", at now: Instant) -> Bool? {
        guard let service = services.find(name) else { return nil }
        self.now = now
        endPauses(of: service) { $0.holder == holder }
        return services[service].isPaused
    }

    mutating func endPauses(of service: Int, where isOver: (Pause) -> Bool) {
        let held = (pauses[service] ?? []).filter { !isOver($0) }
        pauses[service] = held.isEmpty ? nil : held
        guard held.isEmpty else { return }
        services[service].isPaused = false
        dispatch(service)
        services.forgetIfUnused(service)
    }

    /// Every registered worker, those of one service together, as they came.
    package func workersNow(at now: Instant) -> [BrokerStats.Worker] {
        workers.filter(\.isRegistered).map { worker in
            BrokerStats.Worker(
                service: String(decoding: services[Int(worker.service)].name, as: UTF8.self), dialect: worker.dialect,
                credit: Int(worker.credit), inFlight: worker.asks.count, isDraining: worker.isDraining,
                connectedMs: now.monotonicMs - worker.registeredMs, silentMs: now.monotonicMs - worker.receivedMs,
                processID: worker.processID)
        }.sorted { ($0.service, -$0.connectedMs) < ($1.service, -$1.connectedMs) }
    }

    /// The process on the other end of the worker's connection, as the kernel knows it.
    package mutating func setProcess(_ processID: Int32, of peer: Peer) {
        if let worker = workerOf[peer] { workers[worker].processID = processID }
    }

    package func stats(at now: Instant) -> BrokerStats {
        let known = services.services.filter { !$0.name.isEmpty }
        return BrokerStats(
            services: known.map { stats(of: $0, at: now) }.sorted { $0.name < $1.name },
            drops: Dictionary(
                uniqueKeysWithValues: Drop.allCases.filter { counters[$0] > 0 }.map { ($0.name, counters[$0]) }),
            asks: counters.asks,
            answers: counters.answers,
            held: heldAsks.count - freeIndexes.count,
            heldBytes: heldBytes,
            workers: workerOf.count,
            uptimeMs: now.monotonicMs - startedMs,
            instance: String(instance, radix: 16))
    }

    private func stats(of service: Service, at now: Instant) -> BrokerStats.Service {
        BrokerStats.Service(
            name: String(decoding: service.name, as: UTF8.self),
            queued: service.waiting,
            queuedBytes: service.queuedBytes,
            oldestAgeMs: [service.queue.first, service.trials.first].filter { $0 >= 0 }
                .map { now.monotonicMs - heldAsks[Int($0)].arrivedMs }.max() ?? 0,
            inFlight: service.inFlight,
            workers: service.workers,
            draining: service.members - service.workers,
            credit: service.credit,
            paused: service.isPaused,
            asks: service.asks,
            answers: service.answers)
    }
}
