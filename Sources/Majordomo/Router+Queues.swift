/// From queue to worker.
extension Router {
    mutating func enqueue(_ index: Int, _ service: Int) {
        heldAsks[index].isCounted = !services[service].isFlowing
        if heldAsks[index].isCounted {
            waitingOf[heldAsks[index].client, default: Waiting()].asks += 1
            waitingOf[heldAsks[index].client]!.bytes += Int(heldAsks[index].cost)
        }
        if heldAsks[index].isTrial {
            services[service].trials.append(index, in: &heldAsks)
        } else {
            services[service].queue.append(index, in: &heldAsks)
        }
        services[service].queuedBytes += Int(heldAsks[index].cost)
        heldBytes += Int(heldAsks[index].cost)
        if services[service].workers == 0 { waitingForNobody += 1 }
    }

    /// Back to the head of its queue: for an ask that was decided for a worker and never left.
    private mutating func requeue(_ index: Int, _ service: Int) {
        heldAsks[index].state = .queued
        heldAsks[index].worker = -1
        heldAsks[index].token = .none
        if heldAsks[index].deadlineMs == 0 { expiries[index] = heldAsks[index].arrivedMs + limits.queueTimeMs }
        if heldAsks[index].isTrial {
            services[service].trials.prepend(index, in: &heldAsks)
        } else {
            services[service].queue.prepend(index, in: &heldAsks)
        }
        services[service].queuedBytes += Int(heldAsks[index].cost)
        heldBytes += Int(heldAsks[index].cost)
        if services[service].workers == 0 { waitingForNobody += 1 }
    }

    mutating func unqueue(_ index: Int, _ service: Int) {
        if heldAsks[index].isCounted { countOut(index) }
        if heldAsks[index].isTrial {
            services[service].trials.remove(index, in: &heldAsks)
        } else {
            services[service].queue.remove(index, in: &heldAsks)
        }
        services[service].queuedBytes -= Int(heldAsks[index].cost)
        heldBytes -= Int(heldAsks[index].cost)
        if services[service].workers == 0 { waitingForNobody -= 1 }
    }

    private mutating func countOut(_ index: Int) {
        heldAsks[index].isCounted = false
        guard var left = waitingOf[heldAsks[index].client] else { return }
        left.asks -= 1
        left.bytes -= Int(heldAsks[index].cost)
        waitingOf[heldAsks[index].client] = left.asks > 0 ? left : nil
    }

    /// Gives the service's queue to its workers, least recently used first, as far as their credit goes.
    mutating func dispatch(_ service: Int) {
        while services[service].ready.first >= 0, services[service].next >= 0 {
            give(Int(services[service].next), to: Int(services[service].ready.first), service)
        }
    }

    private mutating func give(_ index: Int, to worker: Int, _ service: Int) {
        unqueue(index, service)
        services[service].inFlight += 1
        heldAsks[index].state = .inFlight
        heldAsks[index].isSent = false
        heldAsks[index].worker = Int32(worker)
        heldAsks[index].token = Token(index: index, random: &random)
        if heldAsks[index].deadlineMs == 0 { expiries[index] = now.monotonicMs + limits.deadlineMaxMs }
        workers[worker].asks.append(index, in: &heldAsks)
        workers[worker].givenBytes += Int(heldAsks[index].cost)
        workers[worker].sentMs = now.monotonicMs
        services[service].ready.remove(worker, in: &workers)
        if canTakeMore(worker) { services[service].ready.append(worker, in: &workers) }
        orders.append(.dispatch(index: index))
    }

    /// Whether the worker has credit left, and what it was given is less than any may have.
    func canTakeMore(_ worker: Int) -> Bool {
        workers[worker].asks.count < workers[worker].credit && workers[worker].givenBytes < limits.givenBytesPerWorker
    }

    /// The worker a dispatch order is for; `nil` when events since have overtaken the order.
    package mutating func takeOff(_ index: Int) -> Peer? {
        guard heldAsks[index].state == .inFlight, !heldAsks[index].isSent else { return nil }
        heldAsks[index].isSent = true
        return workers[Int(heldAsks[index].worker)].peer
    }

    /// The worker of a dispatch could not be reached: it is gone, and the ask, which never left, waits again.
    package mutating func undelivered(_ index: Int) {
        heldAsks[index].isSent = false
        lose(Int(heldAsks[index].worker), notifying: false)
    }

    /// The worker of a dispatch does not read as fast as it is given: all that never left for it waits again, in its
    /// order, and the worker gets no more until the next ``tick(at:)``.
    package mutating func heldUp(_ index: Int) {
        let worker = Int(heldAsks[index].worker)
        let service = Int(workers[worker].service)
        heldAsks[index].isSent = false
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
        while workers[worker].asks.last >= 0, !heldAsks[Int(workers[worker].asks.last)].isSent {
            let index = Int(workers[worker].asks.last)
            workers[worker].asks.remove(index, in: &heldAsks)
            workers[worker].givenBytes -= Int(heldAsks[index].cost)
            services[service].inFlight -= 1
            requeue(index, service)
        }
    }

    private mutating func refuseSent(of worker: Int, _ service: Int) {
        while workers[worker].asks.first >= 0 {
            let index = Int(workers[worker].asks.first)
            workers[worker].asks.remove(index, in: &heldAsks)
            services[service].inFlight -= 1
            let hasAnswer = heldAsks[index].state == .abandoned
            heldAsks[index].state = .closing
            if !hasAnswer {
                refuse(index, .workerLost)
            } else if !heldAsks[index].isRefusalDue {
                free(index)
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
