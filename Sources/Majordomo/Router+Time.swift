/// What happens because time passes.
extension Router {
    /// Refuses asks whose time is up, drops silent workers and sends heartbeats.
    package mutating func tick(at now: Instant) {
        self.now = now
        for index in expiries.indices where expiries[index] <= now.monotonicMs { expire(index) }
        for worker in workers.indices where workers[worker].isRegistered { watch(worker) }
        for (service, held) in pauses where held.contains(where: { $0.endsMs <= now.monotonicMs }) {
            endPauses(of: service) { $0.endsMs <= now.monotonicMs }
        }
        removeTaps { $0.untilMs <= now.monotonicMs }
    }

    /// Refuses all asks that no worker was given: nothing of them was done. Nothing may come in afterwards.
    package mutating func refuseQueued(at now: Instant) {
        self.now = now
        for index in heldAsks.indices where heldAsks[index].state == .queued {
            refuseQueued(index, .noWorker)
        }
    }

    private mutating func refuseQueued(_ index: Int, _ fault: Fault) {
        unqueue(index, Int(heldAsks[index].service))
        heldAsks[index].state = .closing
        refuse(index, fault)
    }

    private mutating func expire(_ index: Int) {
        switch heldAsks[index].state {
        case .queued:
            let service = Int(heldAsks[index].service)
            refuseQueued(index, services[service].workers > 0 ? .deadlineExceeded : .noWorker)
        case .inFlight:
            // The worker still has it and its credit stays spent, else it would be given more than it takes.
            heldAsks[index].state = .abandoned
            refuse(index, .outcomeUnknown)
        case .free, .abandoned, .closing:
            expiries[index] = .max
        }
    }

    private mutating func watch(_ worker: Int) {
        let silentMs = now.monotonicMs - workers[worker].receivedMs
        if silentMs >= silenceMax(workers[worker]) {
            lose(worker, notifying: true)
            return
        }
        makeReady(worker)  // one that was held up
        // A scan early, so that two heartbeats are never further apart than the interval.
        if now.monotonicMs - workers[worker].sentMs >= limits.heartbeatEveryMs - limits.scanEveryMs {
            workers[worker].sentMs = now.monotonicMs
            orders.append(.notify(workers[worker].peer, workers[worker].dialect, .heartbeat))
        }
    }

    private func silenceMax(_ worker: Worker) -> Int64 {
        if worker.dialect == .billfold { return limits.workerSilenceMs }
        return worker.asks.isEmpty ? limits.foreignIdleSilenceMs : limits.foreignBusySilenceMs
    }
}
