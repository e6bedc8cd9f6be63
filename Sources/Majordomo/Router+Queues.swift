/// From queue to worker.
extension Router {
    mutating func enqueue(_ slot: Int, _ service: Int) {
        slots[slot].isCounted = !services[service].isFlowing
        if slots[slot].isCounted {
            waitingOf[slots[slot].client, default: Waiting()].asks += 1
            waitingOf[slots[slot].client]!.bytes += Int(slots[slot].cost)
        }
        if slots[slot].isTrial {
            services[service].trials.append(slot, in: &slots)
        } else {
            services[service].queue.append(slot, in: &slots)
        }
        services[service].queuedBytes += Int(slots[slot].cost)
        heldBytes += Int(slots[slot].cost)
        if services[service].workers == 0 { waitingForNobody += 1 }
    }

    /// Back to the head of its queue: for an ask that was decided for a worker and never left.
    private mutating func requeue(_ slot: Int, _ service: Int) {
        slots[slot].state = .queued
        slots[slot].worker = -1
        slots[slot].token = .none
        if slots[slot].deadlineMs == 0 { expiries[slot] = slots[slot].arrivedMs + limits.queueTimeMs }
        if slots[slot].isTrial {
            services[service].trials.prepend(slot, in: &slots)
        } else {
            services[service].queue.prepend(slot, in: &slots)
        }
        services[service].queuedBytes += Int(slots[slot].cost)
        heldBytes += Int(slots[slot].cost)
        if services[service].workers == 0 { waitingForNobody += 1 }
    }

    mutating func unqueue(_ slot: Int, _ service: Int) {
        if slots[slot].isCounted { countOut(slot) }
        if slots[slot].isTrial {
            services[service].trials.remove(slot, in: &slots)
        } else {
            services[service].queue.remove(slot, in: &slots)
        }
        services[service].queuedBytes -= Int(slots[slot].cost)
        heldBytes -= Int(slots[slot].cost)
        if services[service].workers == 0 { waitingForNobody -= 1 }
    }

    private mutating func countOut(_ slot: Int) {
        slots[slot].isCounted = false
        guard var left = waitingOf[slots[slot].client] else { return }
        left.asks -= 1
        left.bytes -= Int(slots[slot].cost)
        waitingOf[slots[slot].client] = left.asks > 0 ? left : nil
    }

    /// Gives the service's queue to its workers, least recently used first, as far as their credit goes.
    mutating func dispatch(_ service: Int) {
        while services[service].ready.first >= 0, services[service].next >= 0 {
            give(Int(services[service].next), to: Int(services[service].ready.first), service)
        }
    }

    private mutating func give(_ slot: Int, to worker: Int, _ service: Int) {
        unqueue(slot, service)
        services[service].inFlight += 1
        slots[slot].state = .inFlight
        slots[slot].isSent = false
        slots[slot].worker = Int32(worker)
        slots[slot].token = Token(slot: slot, random: &random)
        if slots[slot].deadlineMs == 0 { expiries[slot] = now.monotonicMs + limits.deadlineMaxMs }
        workers[worker].asks.append(slot, in: &slots)
        workers[worker].givenBytes += Int(slots[slot].cost)
        workers[worker].sentMs = now.monotonicMs
        services[service].ready.remove(worker, in: &workers)
        if canTakeMore(worker) { services[service].ready.append(worker, in: &workers) }
        orders.append(.dispatch(slot: slot))
    }

    /// Whether the worker has credit left, and what it was given is less than any may have.
    func canTakeMore(_ worker: Int) -> Bool {
        workers[worker].asks.count < workers[worker].credit && workers[worker].givenBytes < limits.givenBytesPerWorker
    }

    /// The worker a dispatch order is for; `nil` when events since have overtaken the order.
    package mutating func takeOff(_ slot: Int) -> Peer? {
        guard slots[slot].state == .inFlight, !slots[slot].isSent else { return nil }
        slots[slot].isSent = true
        return workers[Int(slots[slot].worker)].peer
    }

    /// The worker of a dispatch could not be reached: it is gone, and the ask, which never left, waits again.
    package mutating func undelivered(_ slot: Int) {
        slots[slot].isSent = false
        lose(Int(slots[slot].worker), notifying: false)
    }

    /// The worker of a dispatch does not read as fast as it is given: all that never left for it waits again, in its
    /// order, and the worker gets no more until the next ``tick(at:)``.
    package mutating func heldUp(_ slot: Int) {
        let worker = Int(slots[slot].worker)
        let service = Int(workers[worker].service)
        slots[slot].isSent = false
        if workers[worker].isReady { services[service].ready.remove(worker, in: &workers) }
        takeBackUnsent(from: worker, service)
        dispatch(service)
    }

    /// A notice could not be sent: if the peer is a worker, it is gone.
    package mutating func unreachable(_ peer: Peer) {
        if let worker = workerOf[peer] { lose(worker, notifying: false) }
    }

    /// Takes a worker out. Asks it has are answered, outcome unknown; those that never left wait again.
    mutating func lose(_ worker: Int, notifying: Bool) {
        let gone = workers[worker]
        let service = Int(gone.service)
        if notifying { orders.append(.notify(gone.peer, gone.dialect, .disconnect)) }
        if gone.isReady { services[service].ready.remove(worker, in: &workers) }
        leave(service, gone)
        takeBackUnsent(from: worker, service)
        refuseSent(of: worker, service)
        workerOf[gone.peer] = nil
        peers.release(gone.peer)
        workers[worker] = Worker()
        freeWorkers.append(worker)
        services[service].members -= 1
        dispatch(service)
        services.forgetIfUnused(service)
    }

    /// Newest first, each to the head of the queue: the order they came in is kept.
    private mutating func takeBackUnsent(from worker: Int, _ service: Int) {
        while workers[worker].asks.last >= 0, !slots[Int(workers[worker].asks.last)].isSent {
            let slot = Int(workers[worker].asks.last)
            workers[worker].asks.remove(slot, in: &slots)
            workers[worker].givenBytes -= Int(slots[slot].cost)
            services[service].inFlight -= 1
            requeue(slot, service)
        }
    }

    private mutating func refuseSent(of worker: Int, _ service: Int) {
        while workers[worker].asks.first >= 0 {
            let slot = Int(workers[worker].asks.first)
            workers[worker].asks.remove(slot, in: &slots)
            services[service].inFlight -= 1
            let hasAnswer = slots[slot].state == .abandoned
            slots[slot].state = .closing
            if !hasAnswer {
                refuse(slot, .workerLost)
            } else if !slots[slot].isRefusalDue {
                free(slot)
            }
        }
    }

    /// The worker counts for its service no longer. Asks that wait may now wait for nobody.
    mutating func leave(_ service: Int, _ worker: Worker) {
        guard !worker.isDraining else { return }
        services[service].workers -= 1
        services[service].credit -= Int(worker.credit)
        if services[service].workers == 0 { waitingForNobody += services[service].waiting }
    }

    mutating func join(_ service: Int, _ worker: Worker) {
        if services[service].workers == 0 { waitingForNobody -= services[service].waiting }
        services[service].workers += 1
        services[service].members += 1
        services[service].credit += Int(worker.credit)
    }
}
