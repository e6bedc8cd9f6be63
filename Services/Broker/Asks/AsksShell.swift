import Glibc
import Majordomo
import Synchronization
import ZMTP

/// Does what the ``Router`` decides. No decision is taken here.
///
/// The router is the caller's, lent for each call: as a property of a class its every use would be checked for
/// exclusive access at run time, 6 % of this thread.
///
/// No send waits: only the beginning of a message can fail, for a peer that is gone or does not read, and then nothing
/// of it has left.
final class AsksShell {
    private let local: LocalPeers
    private let remote: RemoteSocket?
    private let memory: MemoryBudget
    private var freed = FreedMemory()
    /// What the buffers of connections took at the last tick, for other threads.
    let connectionBytesNow = Atomic<Int>(0)
    private let parked: ParkedBodies
    private let outgoing = Outgoing()
    private var refusal: [UInt8] = []
    /// The ask that has just come in, while its body is still where it was received. Parked only if it has to wait.
    private var fresh: (index: Int, frames: Frames, bodyStart: Int)?

    /// Header frames of any dialect beside the body's.
    static let framesBesideBody = 8

    init(_ local: LocalPeers, _ remote: RemoteSocket?, limits: Limits, memory: MemoryBudget) {
        self.local = local
        self.remote = remote
        self.memory = memory
        parked = ParkedBodies(count: limits.heldAsks)
    }

    /// Handles what a peer on this host has sent, a good part at a time.
    func receive(_ name: LinkName, _ router: inout Router, at now: Instant) {
        var peer: Peer?
        let isThere = local.receive(name, free: free) { frames in
            let sender = peer ?? name.withRoutingID { router.peer(routingID: $0) }
            peer = sender
            handle(frames, from: sender, &router, at: now)
        }
        if !isThere { hasEnded(name, &router) }
    }

    /// Handles up to `batch` messages that came in by tcp; returns whether there may be more.
    func receiveRemote(batch: Int, _ router: inout Router, at now: Instant) -> Bool {
        guard let remote else { return false }
        for _ in 0..<batch {
            let isOne = remote.receive { routingID, frames in
                // With CURVE a peer may give itself any name: this one is a connection's on this host.
                guard LinkName(routingID: routingID) == nil else { return router.count(.malformed) }
                let peer = router.peer(routingID: routingID)
                handle(frames, from: peer, &router, at: now)
            }
            if !isOne { return false }
        }
        return true
    }

    func tick(_ router: inout Router, at now: Instant) {
        router.tick(at: now)
        carryOut(&router)
        remote?.tick()
        if connectionBytes > memory.connections / Self.shortShare { local.trim() }
        local.tick(nowMs: now.monotonicMs)
        freed.giveBack(used: connectionBytes + router.heldBytes)
        connectionBytesNow.store(connectionBytes, ordering: .relaxed)
    }

    /// Answers what waits, where nothing comes in any more.
    func end(_ router: inout Router, at now: Instant) {
        router.refuseQueued(at: now)
        carryOut(&router)
        flush(&router)
    }

    /// Where connections take more than one part in so many of what they may, buffers that hold nothing are given back.
    private static let shortShare = 8
    /// A connection that takes less is not disconnected for want of memory: it is not its fault.
    private static let removableBytes = 128 << 10

    private var remoteBytes: Int { remote?.unsentBytes ?? 0 }
    private var connectionBytes: Int { local.memoryBytes + remoteBytes }
    private var free: Int { memory.freeForConnections(used: connectionBytes) }

    /// Sends what peers on this host are to get; those with the most go first where there is too little memory for all.
    func flush(_ router: inout Router) {
        while memory.isShort(local: local.memoryBytes, remote: remoteBytes),
            local.removeLargest(atLeast: Self.removableBytes)
        {}
        repeat { local.flush { hasEnded($0, &router) } } while local.hasUnsent
    }

    /// A worker whose connection has ended is gone, and so are the answers it owed.
    private func hasEnded(_ name: LinkName, _ router: inout Router) {
        router.unreachable(name.withRoutingID { router.peer(routingID: $0) })
        carryOut(&router)
    }

    private func handle(_ frames: Frames, from peer: Peer, _ router: inout Router, at now: Instant) {
        switch router.receive(frames, from: peer, at: now) {
        case .done:
            break
        case .park(let index, let bodyStart):
            if !router.isUntapped { copy(.ask, of: index, frames, from: bodyStart, &router) }
            fresh = (index, frames, bodyStart)
        case .deliver(let index, let bodyStart, let isPartial):
            if !router.isUntapped {
                copy(isPartial ? .partial : .answer, of: index, frames, from: bodyStart, &router)
            }
            let client = router.writeAnswer(index, fault: nil, isPartial: isPartial, to: outgoing)
            if let way = begin(client, &router, orCount: true) { send(frames, from: bodyStart, way) }
            if !isPartial { router.finish(index) }
        case .refuse(let fault, let address):
            router.writeAnswer(address, fault: fault, to: outgoing)
            sendRefusal(fault, to: peer, &router)
        case .inform(let code, let address):
            router.writeAnswer(address, fault: nil, to: outgoing)
            let body = UnsafeRawBufferPointer(start: code.utf8Start, count: code.utf8CodeUnitCount)
            if let way = begin(peer, &router, orCount: true) { send(body, way, more: false) }
        case .pong:
            outgoing.writePong(instance: router.instance)
            _ = begin(peer, &router, isLast: true, orCount: true)
        case .registered:
            if let process = processID(of: peer, router) { router.setProcess(process, of: peer) }
        case .watching(let isGranted):
            outgoing.writeWatching(isGranted)
            _ = begin(peer, &router, isLast: true, orCount: true)
        }
        carryOut(&router)
        if let fresh { parked.park(fresh.index, fresh.frames, from: fresh.bodyStart) }
        fresh = nil
    }

    /// Carries out what the last event brought about.
    func carryOut(_ router: inout Router) {
        while let order = router.nextOrder() {
            switch order {
            case .dispatch(let index):
                dispatch(index, &router)
            case .refuse(let index, let fault):
                let client = router.writeAnswer(index, fault: fault, isPartial: false, to: outgoing)
                sendRefusal(fault, to: client, &router)
                if !router.isUntapped { copyRefusal(of: index, &router) }
                discard(index)
                router.finish(index)
            case .notify(let peer, let dialect, let notice):
                outgoing.write(notice, dialect)
                // A worker that reads slowly is heard of, or not, by its heartbeats.
                switch address(peer, router) {
                case .success(let way): sendHeader(way, isLast: true)
                case .failure(let reason): if reason.code != EAGAIN { router.unreachable(peer) }
                }
            }
        }
    }

    private func dispatch(_ index: Int, _ router: inout Router) {
        guard let worker = router.takeOff(index) else { return }
        router.writeRequest(index, to: outgoing)
        let way: Way
        switch address(worker, router) {
        case .success(let found): way = found
        case .failure(let reason): return reason.code == EAGAIN ? router.heldUp(index) : router.undelivered(index)
        }
        sendHeader(way, isLast: false)
        if let fresh, fresh.index == index {
            send(fresh.frames, from: fresh.bodyStart, way)
        } else {
            parked.forEachFrame(index) { send($0, way, more: $1) }
        }
        discard(index)
    }

    private func discard(_ index: Int) {
        if fresh?.index == index { fresh = nil } else { parked.discard(index) }
    }

    private func sendRefusal(_ fault: Fault, to client: Peer, _ router: inout Router) {
        fault.writeBody(id: router.nextRandom(), to: &refusal)
        guard let way = begin(client, &router, orCount: true) else { return }
        refusal.withUnsafeBytes { send($0, way, more: false) }
    }

    // MARK: Copies

    /// Copies the message being handled, from its body on, for who watches.
    private func copy(_ kind: CopyKind, of index: Int, _ frames: Frames, from bodyStart: Int, _ router: inout Router) {
        for tap in router.tapsOf(index) {
            if let way = beginCopy(kind, of: index, to: tap, &router) { send(frames, from: bodyStart, way) }
        }
    }

    /// Copies the refusal that was written last.
    private func copyRefusal(of index: Int, _ router: inout Router) {
        for tap in router.tapsOf(index) {
            guard let way = beginCopy(.refusal, of: index, to: tap, &router) else { continue }
            refusal.withUnsafeBytes { send($0, way, more: false) }
        }
    }

    private func beginCopy(_ kind: CopyKind, of index: Int, to tap: Peer, _ router: inout Router) -> Way? {
        router.writeCopy(kind, of: index, unixMicroseconds: Clock.unixMicroseconds(), to: outgoing)
        switch address(tap, router) {
        case .success(let way):
            sendHeader(way, isLast: false)
            return way
        case .failure(let reason):
            router.lostCopy(to: tap, isGone: reason.code != EAGAIN)
            return nil
        }
    }

    // MARK: Sending

    /// How the frames of a message get to its peer.
    private enum Way {
        case local(LinkName)
        case remote
    }

    private struct Refusal: Error { let code: Int32 }

    private func address(_ peer: Peer, _ router: borrowing Router) -> Result<Way, Refusal> {
        let free = free
        return router.withRoutingID(of: peer) { id in
            if let name = LinkName(routingID: id) {
                let code = local.refusal(of: name, free: free)
                return code.map { .failure(Refusal(code: $0)) } ?? .success(.local(name))
            }
            guard let remote else { return .failure(Refusal(code: EHOSTUNREACH)) }
            let code = remote.address(id, of: peer, free: memory.freeForRemote(used: remoteBytes))
            return code.map { .failure(Refusal(code: $0)) } ?? .success(.remote)
        }
    }

    /// Sends the header frames that were written last. `nil`: the peer is gone or full, and nothing has left.
    ///
    /// - Parameters:
    ///   - isLast: no body follows.
    ///   - isCounted: it is an answer, which is lost with its client: counted, and no reason to wait.
    private func begin(
        _ peer: Peer, _ router: inout Router, isLast: Bool = false, orCount isCounted: Bool = false
    ) -> Way? {
        switch address(peer, router) {
        case .success(let way):
            sendHeader(way, isLast: isLast)
            return way
        case .failure(let reason):
            if isCounted { router.count(reason.code == EAGAIN ? .clientFull : .clientGone) }
            return nil
        }
    }

    private func sendHeader(_ way: Way, isLast: Bool) {
        for index in 0..<outgoing.count { send(outgoing[index], way, more: !isLast || index + 1 < outgoing.count) }
    }

    private func send(_ frames: Frames, from start: Int, _ way: Way) {
        for index in start..<frames.count { send(frames[index], way, more: index + 1 < frames.count) }
    }

    private func send(_ frame: UnsafeRawBufferPointer, _ way: Way, more: Bool) {
        switch way {
        case .local(let name): local.send(frame, to: name, more: more)
        case .remote: remote?.send(frame, more: more)
        }
    }

    /// As the kernel says of a Unix socket's peer; `nil` over tcp, and from another container.
    private func processID(of peer: Peer, _ router: borrowing Router) -> Int32? {
        router.withRoutingID(of: peer) { LinkName(routingID: $0) }.flatMap { local.process(of: $0) }
    }
}
