import BusZMQ
import CZeroMQ
import Majordomo

/// Does what the ``Router`` decides, on one ROUTER socket. No decision is taken here.
///
/// The router is the caller's, lent for each call: as a property of a class its every use would be checked for
/// exclusive access at run time, 6 % of this thread.
///
/// Every send is ZMQ_DONTWAIT: with ROUTER_MANDATORY only the first frame can fail, for a peer that is gone or does
/// not read, and then nothing of the message has left.
final class AsksShell {
    private let socket: ZMQSocket
    private let received: ReceivedFrames
    private let parked: ParkedBodies
    private let outgoing = Outgoing()
    private var refusal: [UInt8] = []

    /// Routing id, header frames of any dialect, body frames, and one more to notice that there are too many.
    private static let framesBesideBody = 8

    init(_ socket: ZMQSocket, limits: Limits) {
        self.socket = socket
        received = ReceivedFrames(capacity: limits.bodyFrames + Self.framesBesideBody)
        parked = ParkedBodies(slots: limits.slots)
    }

    /// Handles up to `batch` messages; returns how many there were.
    func receive(batch: Int, _ router: inout Router, at now: Instant) -> Int {
        for done in 0..<batch {
            guard received.receive(from: socket.raw) else { return done }
            handle(&router, at: now)
        }
        return batch
    }

    func tick(_ router: inout Router, at now: Instant) {
        router.tick(at: now)
        carryOut(&router)
    }

    private func handle(_ router: inout Router, at now: Instant) {
        let peer = router.peer(routingID: received.routingID)
        switch router.receive(received.content, from: peer, at: now) {
        case .done:
            break
        case .park(let slot, let bodyStart):
            if !router.isUntapped { copy(.ask, of: slot, from: bodyStart, &router) }
            parked.park(slot, received, from: bodyStart)
        case .deliver(let slot, let bodyStart, let isPartial):
            if !router.isUntapped { copy(isPartial ? .partial : .answer, of: slot, from: bodyStart, &router) }
            let client = router.writeAnswer(slot, fault: nil, isPartial: isPartial, to: outgoing)
            deliver(to: client, from: bodyStart, &router)
            if !isPartial { router.finish(slot) }
        case .refuse(let fault, let address):
            router.writeAnswer(address, fault: fault, to: outgoing)
            sendRefusal(fault, to: peer, &router)
        case .inform(let code, let address):
            router.writeAnswer(address, fault: nil, to: outgoing)
            let body = UnsafeRawBufferPointer(start: code.utf8Start, count: code.utf8CodeUnitCount)
            count(sendHeader(to: peer, router) ?? send(body, more: false), &router)
        case .pong:
            outgoing.writePong(instance: router.instance)
            count(sendHeader(to: peer, router, isLast: true), &router)
        case .registered:
            if let process = received.senderProcess { router.setProcess(process, of: peer) }
        case .watching(let isGranted):
            outgoing.writeWatching(isGranted)
            count(sendHeader(to: peer, router, isLast: true), &router)
        }
        carryOut(&router)
    }

    /// Carries out what the last event brought about.
    func carryOut(_ router: inout Router) {
        while let order = router.nextOrder() {
            switch order {
            case .dispatch(let slot):
                dispatch(slot, &router)
            case .refuse(let slot, let fault):
                let client = router.writeAnswer(slot, fault: fault, isPartial: false, to: outgoing)
                sendRefusal(fault, to: client, &router)
                if !router.isUntapped { copyRefusal(of: slot, &router) }
                parked.discard(slot)
                router.finish(slot)
            case .tell(let peer, let dialect, let notice):
                outgoing.write(notice, dialect)
                if sendHeader(to: peer, router, isLast: true) != nil { router.unreachable(peer) }
            }
        }
    }

    private func dispatch(_ slot: Int, _ router: inout Router) {
        guard let worker = router.takeOff(slot) else { return }
        router.writeRequest(slot, to: outgoing)
        guard sendHeader(to: worker, router) == nil else { return router.undelivered(slot) }
        let count = parked.count(slot)
        for index in 0..<count { send(parked.frame(slot, index), more: index + 1 < count) }
        parked.discard(slot)
    }

    private func deliver(to client: Peer, from bodyStart: Int, _ router: inout Router) {
        if let failure = sendHeader(to: client, router) { return count(failure, &router) }
        let last = received.count - 2
        for index in bodyStart...last { send(received.message(index), more: index < last) }
    }

    private func sendRefusal(_ fault: Fault, to client: Peer, _ router: inout Router) {
        fault.writeBody(id: router.nextRandom(), to: &refusal)
        let failure = sendHeader(to: client, router)
        count(failure ?? refusal.withUnsafeBytes { send($0, more: false) }, &router)
    }

    // MARK: Copies

    /// Copies the message being handled, from its body on, for who watches. libzmq shares what is long.
    private func copy(_ kind: CopyKind, of slot: Int, from bodyStart: Int, _ router: inout Router) {
        let last = received.count - 2
        for tap in router.tapsOf(slot) where beginCopy(kind, of: slot, to: tap, &router) {
            for index in bodyStart...last {
                var frame = zmq_msg_t()
                zmq_msg_init(&frame)
                zmq_msg_copy(&frame, received.message(index))
                send(&frame, more: index < last)
                zmq_msg_close(&frame)
            }
        }
    }

    /// Copies the refusal that was written last.
    private func copyRefusal(of slot: Int, _ router: inout Router) {
        for tap in router.tapsOf(slot) where beginCopy(.refusal, of: slot, to: tap, &router) {
            _ = refusal.withUnsafeBytes { send($0, more: false) }
        }
    }

    private func beginCopy(_ kind: CopyKind, of slot: Int, to tap: Peer, _ router: inout Router) -> Bool {
        router.writeCopy(kind, of: slot, unixMicroseconds: Clock.unixMicroseconds(), to: outgoing)
        guard let failure = sendHeader(to: tap, router) else { return true }
        router.lostCopy(to: tap, isGone: failure != EAGAIN)
        return false
    }

    // MARK: Sending

    /// Sends routing id and header frames. `nil`: they are on their way, and the body must follow.
    private func sendHeader(to peer: Peer, _ router: borrowing Router, isLast: Bool = false) -> Int32? {
        let sent = router.withRoutingID(of: peer) {
            zmq_send(socket.raw, $0.baseAddress, $0.count, ZMQ_SNDMORE | ZMQ_DONTWAIT)
        }
        guard sent >= 0 else { return zmq_errno() }
        for index in 0..<outgoing.count {
            _ = send(outgoing[index], more: !isLast || index + 1 < outgoing.count)
        }
        return nil
    }

    private func send(_ frame: UnsafeRawBufferPointer, more: Bool) -> Int32? {
        let sent = zmq_send(socket.raw, frame.baseAddress, frame.count, (more ? ZMQ_SNDMORE : 0) | ZMQ_DONTWAIT)
        return sent < 0 ? zmq_errno() : nil
    }

    private func send(_ message: UnsafeMutablePointer<zmq_msg_t>, more: Bool) {
        zmq_msg_send(message, socket.raw, (more ? ZMQ_SNDMORE : 0) | ZMQ_DONTWAIT)
    }

    /// An answer that could not be sent is lost with its client: counted, and no reason to wait.
    private func count(_ failure: Int32?, _ router: inout Router) {
        guard let failure else { return }
        router.count(failure == EAGAIN ? .clientFull : .clientGone)
    }
}
