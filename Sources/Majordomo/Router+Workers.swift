/// What workers say.
extension Router {
    /// READY: registers the worker and gives it what waits.
    ///
    /// 18/MDP: a further READY is unexpected, and answered with DISCONNECT. 8/MMI: so is one for "mmi.…", and one for
    /// "try.…", where nobody can serve.
    ///
    /// - Returns: whether the peer is a worker now.
    mutating func register(_ message: Incoming, from peer: Peer) -> Bool {
        if let known = workerOf[peer] {
            if renew(known, message) { return true }
            counters.count(.unexpected)
            expel(peer, message.dialect)
            return false
        }
        guard !message.service.starts(with: "mmi."), !message.service.starts(with: Trial.prefix),
            workerOf.count < limits.workers,
            let service = services.intern(message.service, max: limits.services)
        else {
            counters.count(.registrationRefused)
            expel(peer, message.dialect)
            return false
        }
        var worker = Worker()
        worker.isRegistered = true
        worker.dialect = message.dialect
        worker.peer = peer
        worker.service = Int32(service)
        worker.credit = Int32(message.credit)
        worker.receivedMs = now.monotonicMs
        worker.sentMs = now.monotonicMs
        worker.registeredMs = now.monotonicMs
        let index = freeWorkers.popLast() ?? workers.count
        if index == workers.count { workers.append(worker) } else { workers[index] = worker }
        workerOf[peer] = index
        peers.retain(peer)
        join(service, worker)
        services[service].ready.append(index, in: &workers)
        dispatch(service)
        return true
    }

    /// READY of a worker of our own dialect that is registered for the same service: it sets its credit.
    ///
    /// A worker that was lost is told DISCONNECT for each message that comes from it, and says READY as often. It keeps
    /// what it was given since the first one.
    private mutating func renew(_ worker: Int, _ message: Incoming) -> Bool {
        let service = Int(workers[worker].service)
        guard message.dialect == .billfold, workers[worker].dialect == .billfold, !workers[worker].isDraining,
            services.find(message.service) == service
        else { return false }
        workers[worker].receivedMs = now.monotonicMs
        let credit = max(Int(message.credit), workers[worker].asks.count)
        services[service].credit += credit - Int(workers[worker].credit)
        workers[worker].credit = Int32(credit)
        if workers[worker].isReady, !canTakeMore(worker) {
            services[service].ready.remove(worker, in: &workers)
        } else {
            makeReady(worker)
        }
        return true
    }

    /// HEARTBEAT: valid only after READY; one of a worker we do not know makes it register again.
    mutating func receiveHeartbeat(_ message: Incoming, from peer: Peer) {
        guard let worker = workerOf[peer], workers[worker].dialect == message.dialect else {
            counters.count(.unexpected)
            return expel(peer, message.dialect)
        }
        workers[worker].receivedMs = now.monotonicMs
    }

    /// GOODBYE of our own dialect: the worker gets no more asks, and is told so after the last of them.
    mutating func drain(_ message: Incoming, from peer: Peer) {
        guard let worker = workerOf[peer], workers[worker].dialect == .billfold else {
            counters.count(.unexpected)
            return expel(peer, message.dialect)
        }
        workers[worker].receivedMs = now.monotonicMs
        orders.append(.notify(peer, .billfold, .goodbye))
        guard !workers[worker].isDraining else { return }
        let service = Int(workers[worker].service)
        if workers[worker].isReady { services[service].ready.remove(worker, in: &workers) }
        leave(service, workers[worker])
        workers[worker].isDraining = true
    }

    /// REPLY, FINAL or PARTIAL. Found by its token alone: index, random bits and the worker must all be right.
    mutating func reply(_ message: Incoming, _ frames: Frames, from peer: Peer) -> Verdict {
        let index = Int(message.token.index)
        guard index < heldAsks.count, heldAsks[index].token == message.token,
            heldAsks[index].state == .inFlight || heldAsks[index].state == .abandoned, heldAsks[index].isSent,
            workers[Int(heldAsks[index].worker)].peer == peer,
            workers[Int(heldAsks[index].worker)].dialect == message.dialect
        else {
            forgedReply(message, from: peer)
            return .done
        }
        let worker = Int(heldAsks[index].worker)
        workers[worker].receivedMs = now.monotonicMs
        if message.kind == .partial { return partial(index, message, frames) }

        let isLate = heldAsks[index].state == .abandoned
        takeBack(index, from: worker)
        if isLate {
            counters.count(.lateReply)
            free(index)
            return .done
        }
        heldAsks[index].state = .closing
        guard fits(message, frames) else {
            counters.count(.replyTooLarge)
            refuse(index, .outcomeUnknown)
            return .done
        }
        services[Int(heldAsks[index].service)].answers += 1
        counters.answers += 1
        return .deliver(index: index, bodyStart: message.bodyStart, isPartial: false)
    }

    /// 18/MDP: any number of PARTIALs before the FINAL. 7/MDP clients and ours know one reply, which is the FINAL:
    /// for them partials are dropped, for to join them would make up a message the worker never sent.
    private mutating func partial(_ index: Int, _ message: Incoming, _ frames: Frames) -> Verdict {
        guard heldAsks[index].state == .inFlight else {
            counters.count(.lateReply)
            return .done
        }
        guard heldAsks[index].dialect == .mdp02 || heldAsks[index].dialect == .majortomo else {
            counters.count(.partialUnsupported)
            return .done
        }
        guard fits(message, frames) else {
            counters.count(.replyTooLarge)
            return .done
        }
        return .deliver(index: index, bodyStart: message.bodyStart, isPartial: true)
    }

    private func fits(_ message: Incoming, _ frames: Frames) -> Bool {
        var bytes = 0
        for index in message.bodyStart..<frames.count { bytes += frames[index].count }
        return bytes <= limits.bodyBytes && frames.count - message.bodyStart <= limits.bodyFrames
    }

    /// The worker has finished the ask: its credit returns, and the next ask goes out.
    private mutating func takeBack(_ index: Int, from worker: Int) {
        let service = Int(heldAsks[index].service)
        workers[worker].asks.remove(index, in: &heldAsks)
        workers[worker].givenBytes -= Int(heldAsks[index].cost)
        services[service].inFlight -= 1
        expiries[index] = .max
        makeReady(worker)
    }

    /// Gives the worker a turn again, where it can take an ask and has none.
    mutating func makeReady(_ worker: Int) {
        guard !workers[worker].isReady, !workers[worker].isDraining, canTakeMore(worker) else { return }
        let service = Int(workers[worker].service)
        services[service].ready.append(worker, in: &workers)
        dispatch(service)
    }

    /// A token that is unknown, used or another worker's is dropped and counted, for a late duplicate is no crime.
    /// From a peer that is not registered it is unexpected: DISCONNECT makes it register again.
    private mutating func forgedReply(_ message: Incoming, from peer: Peer) {
        if let worker = workerOf[peer], workers[worker].dialect == message.dialect {
            counters.count(.unknownToken)
            workers[worker].receivedMs = now.monotonicMs
        } else {
            counters.count(.unexpected)
            expel(peer, message.dialect)
        }
    }

    /// DISCONNECT, "and then no further commands to that worker".
    mutating func expel(_ peer: Peer, _ dialect: Dialect) {
        if let worker = workerOf[peer] {
            lose(worker, notifying: true)
        } else {
            orders.append(.notify(peer, dialect, .disconnect))
        }
    }
}
