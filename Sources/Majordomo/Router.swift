/// The Majordomo broker as a value: 7/MDP, 8/MMI, 18/MDP and our credit dialect, with no socket and no clock.
///
/// The shell hands in each message with ``receive(_:from:at:)``, does what the verdict says, then carries out
/// ``nextOrder()`` until there is none; it calls ``tick(at:)`` every `Limits.scanEveryMs`. Bodies never come in
/// here: the shell keeps them under the slot's number.
///
/// The rules that hold after each call: an accepted ask gets exactly one final answer; a worker never has more
/// asks than its credit; nothing grows beyond ``Limits``.
///
/// `~Copyable`, for a copy made in passing retains every table: that took a tenth of the broker's time.
package struct Router: ~Copyable {
    package let limits: Limits
    /// Random at each start; a PONG carries it, so that a client notices a restart.
    package let instance: UInt64

    var random: any RandomNumberGenerator
    var peers = PeerBook()
    var services = ServiceBook()
    var slots: [Slot] = []
    /// When each slot's time is up, apart from the slots so that a scan of all of them reads little.
    var expiries: [Int64] = []
    var freeSlots: [Int] = []
    var workers: [Worker] = []
    var freeWorkers: [Int] = []
    var workerOf: [Peer: Int] = [:]
    /// When pauses end that end by themselves, by service, on the monotonic clock.
    var pauseEnds: [Int: Int64] = [:]
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

    // MARK: Slots

    /// A free slot for an ask of `service`; `nil` when all are taken.
    mutating func openSlot(_ message: Incoming, cost: Int, service: Int, client: Peer) -> Int? {
        let slot: Int
        if let free = freeSlots.popLast() {
            slot = free
        } else {
            guard slots.count < limits.slots else { return nil }
            slot = slots.count
            slots.append(Slot())
            expiries.append(.max)
        }
        peers.retain(client)
        services[service].held += 1
        slots[slot].state = .queued
        slots[slot].isSent = false
        slots[slot].dialect = message.dialect
        slots[slot].retry = message.retry
        slots[slot].service = Int32(service)
        slots[slot].worker = -1
        slots[slot].cost = Int32(cost)
        slots[slot].client = client
        slots[slot].tag = message.tag
        slots[slot].arrivedMs = now.monotonicMs
        slots[slot].copy = taps.isEmpty ? 0 : copyNumber(of: service)
        return slot
    }

    /// Frees the slot: its final answer has been sent, or could not be.
    ///
    /// An abandoned slot stays until its worker answers or goes; only its client has been answered.
    package mutating func finish(_ slot: Int) {
        slots[slot].isRefusalDue = false
        if slots[slot].state == .closing { free(slot) }
    }

    mutating func free(_ slot: Int) {
        let service = Int(slots[slot].service)
        peers.release(slots[slot].client)
        slots[slot].state = .free
        slots[slot].token = .none
        expiries[slot] = .max
        freeSlots.append(slot)
        services[service].held -= 1
        services.forgetIfUnused(service)
    }

    /// Decides that the slot's client gets `fault`, and nothing else.
    mutating func refuse(_ slot: Int, _ fault: Fault) {
        counters.count(Drop(fault))
        orders.append(.refuse(slot: slot, fault))
        slots[slot].isRefusalDue = true
        expiries[slot] = .max
    }

    // MARK: Frames to send

    /// The frames before the body of a slot's ask, for the worker that has it.
    package func writeRequest(_ slot: Int, to frames: Outgoing) {
        let ask = slots[slot]
        frames.writeRequest(
            workers[Int(ask.worker)].dialect, token: ask.token, retry: ask.retry, deadlineMs: ask.deadlineMs)
    }

    /// The frames before the body of an answer to a slot's client, and that client.
    package func writeAnswer(_ slot: Int, fault: Fault?, isPartial: Bool, to frames: Outgoing) -> Peer {
        let ask = slots[slot]
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
