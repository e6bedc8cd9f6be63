/// The Majordomo broker as a value: 7/MDP, 8/MMI, 18/MDP and our credit dialect, with no socket and no clock.
///
/// The shell hands in each message with ``receive(_:from:at:)``, does what the verdict says, then carries out
/// ``nextOrder()`` until there is none; it calls ``tick(at:)`` every `Limits.scanEveryMs`. Bodies never come in
/// here: the shell keeps them under the ask's index.
///
/// The rules that hold after each call: an accepted ask gets exactly one final answer; a worker never has more
/// asks than its credit; nothing grows beyond ``Limits``.
///
/// `~Copyable`, for a copy made in passing retains every table.
package struct Router: ~Copyable {
    package let limits: Limits
    /// Random at each start; a PONG carries it, so that a client notices a restart.
    package let instance: UInt64

    var random: any RandomNumberGenerator
    var peers = PeerBook()
    var services = ServiceBook()
    var heldAsks: [HeldAsk] = []
    /// The expiry of each held ask, in an array of its own so that a scan of all of them reads little memory.
    var expiries: [Int64] = []
    var freeIndexes: [Int] = []
    var workers: [Worker] = []
    var freeWorkers: [Int] = []
    var workerOf: [Peer: Int] = [:]
    /// Pauses by service.
    var pauses: [Int: [Pause]] = [:]
    /// Who gets copies of asks and answers (``Router/watch(_:_:from:)``).
    var taps: [Tap] = []
    var copiesMade: UInt64 = 0
    /// What a peer has to show to get copies; empty: nobody may.
    package var operatorKey: [UInt8] = []
    var orders = OrderQueue()
    var counters = Counters()
    /// Body bytes of the asks that wait.
    package internal(set) var heldBytes = 0
    /// Asks queued for services without a worker.
    var waitingForNobody = 0
    /// Asks that wait, by client. An ask that goes to a worker at once is never in here, so the fast path is free
    /// of this table.
    var waitingOf: [Peer: Waiting] = [:]
    var now: Instant
    let startedMs: Int64

    package init(limits: Limits, random: any RandomNumberGenerator, at now: Instant) {
        self.limits = limits
        self.random = random
        self.now = now
        startedMs = now.monotonicMs
        instance = self.random.next()
    }

    /// The peer a message came from. What the message before it brought about must have been sent by now.
    package mutating func peer(routingID: UnsafeRawBufferPointer) -> Peer { peers.peer(routingID) }

    package func withRoutingID<Result>(of peer: Peer, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        peers.withRoutingID(of: peer, body)
    }

    /// Takes one message, without its routing id. Whatever it holds, this returns.
    package mutating func receive(_ frames: Frames, from peer: Peer, at now: Instant) -> Verdict {
        self.now = now
        let message = Incoming(frames, limits: limits)
        switch message.kind {
        case .ask: return ask(message, frames, from: peer)
        case .reply, .partial: return reply(message, frames, from: peer)
        case .ping: return .pong
        case .heartbeat: receiveHeartbeat(message, from: peer)
        case .ready: return register(message, from: peer) ? .registered : .done
        case .watch: return .watching(watch(message, frames, from: peer))
        case .goodbye: drain(message, from: peer)
        case .disconnect: if let worker = workerOf[peer] { lose(worker, notifying: false) }
        case .badAsk:
            counters.count(.malformed)
            return .refuse(.malformed, ReturnAddress(message))
        case .badWorker:
            // 18/MDP: drop an invalid message and treat the peer as invalid.
            counters.count(.malformed)
            expel(peer, message.dialect)
        case .unreadable:
            counters.count(.malformed)
        }
        return .done
    }

    /// The next thing to send, in the order the events came.
    package mutating func nextOrder() -> Order? { orders.popFirst() }

    /// A new random number, for the id of a refusal.
    package mutating func nextRandom() -> UInt64 { random.next() }

    package mutating func count(_ drop: Drop) { counters.count(drop) }

    // MARK: Held asks

    /// Holds a new ask of `service` and returns its index; nil when the limit is reached.
    mutating func holdAsk(_ message: Incoming, cost: Int, service: Int, client: Peer) -> Int? {
        let index: Int
        if let free = freeIndexes.popLast() {
            index = free
        } else {
            guard heldAsks.count < limits.heldAsks else { return nil }
            index = heldAsks.count
            heldAsks.append(HeldAsk())
            expiries.append(.max)
        }
        peers.retain(client)
        services[service].held += 1
        heldAsks[index].state = .queued
        heldAsks[index].isSent = false
        heldAsks[index].dialect = message.dialect
        heldAsks[index].retry = message.retry
        heldAsks[index].service = Int32(service)
        heldAsks[index].worker = -1
        heldAsks[index].cost = Int32(cost)
        heldAsks[index].client = client
        heldAsks[index].tag = message.tag
        heldAsks[index].arrivedMs = now.monotonicMs
        heldAsks[index].copy = taps.isEmpty ? 0 : copyNumber(of: service)
        return index
    }

    /// Releases the ask: its final answer has been sent, or could not be.
    ///
    /// An abandoned ask is held until its worker answers or disconnects; only its client has been answered.
    package mutating func finish(_ index: Int) {
        heldAsks[index].isRefusalDue = false
        if heldAsks[index].state == .closing { free(index) }
    }

    mutating func free(_ index: Int) {
        let service = Int(heldAsks[index].service)
        peers.release(heldAsks[index].client)
        heldAsks[index].state = .free
        heldAsks[index].token = .none
        expiries[index] = .max
        freeIndexes.append(index)
        services[service].held -= 1
        services.forgetIfUnused(service)
    }

    /// Decides that the ask's client gets `fault`, and nothing else.
    mutating func refuse(_ index: Int, _ fault: Fault) {
        counters.count(Drop(fault))
        orders.append(.refuse(index: index, fault))
        heldAsks[index].isRefusalDue = true
        expiries[index] = .max
    }

    // MARK: Frames to send

    /// Writes the frames before the body of an ask, for the worker that has it.
    package func writeRequest(_ index: Int, to frames: Outgoing) {
        let ask = heldAsks[index]
        frames.writeRequest(
            workers[Int(ask.worker)].dialect, token: ask.token, retry: ask.retry, deadlineMs: ask.deadlineMs)
    }

    /// Writes the frames before the body of an answer, and returns the client that gets it.
    package func writeAnswer(_ index: Int, fault: Fault?, isPartial: Bool, to frames: Outgoing) -> Peer {
        let ask = heldAsks[index]
        let status = fault?.rawValue ?? 0
        if ask.dialect == .billfold {
            frames.writeBillfoldAnswer(tag: ask.tag, status: status)
        } else {
            services.withName(of: Int(ask.service)) {
                frames.writeAnswer(
                    ask.dialect, service: $0, isTrial: ask.isTrial, tag: ask.tag, status: status, isPartial: isPartial)
            }
        }
        return ask.client
    }

    /// The frames before the body of an answer at once.
    package func writeAnswer(_ address: ReturnAddress, fault: Fault?, to frames: Outgoing) {
        frames.writeAnswer(
            address.dialect, service: address.service, tag: address.tag, status: fault?.rawValue ?? 0,
            isPartial: false)
    }
}
