import Majordomo

typealias Bytes = [UInt8]

/// One message as a list of frames, without routing id.
typealias Message = [Bytes]

/// Stands in for the shell: does at once what the router decides, and keeps what would have been sent.
final class Harness {
    struct Sent: Equatable {
        var to: String
        var message: Message
    }

    var router: Router
    var nowMs: Int64 = 1_000
    /// Wall clock minus monotonic clock.
    var unixOffsetMs: Int64 = 1_700_000_000_000
    /// Peers a send to which fails.
    var gone: Set<String> = []
    /// Peers that do not read: a send to one that is there fails too.
    var full: Set<String> = []
    private(set) var sent: [Sent] = []
    private(set) var parked: [Int: Message] = [:]
    private let outgoing = Outgoing()

    init(_ limits: Limits = Limits(), seed: UInt64 = 7) {
        router = Router(
            limits: limits, random: SplitMix(seed: seed),
            at: Instant(monotonicMs: 1_000, unixMs: 1_700_000_001_000))
    }

    var now: Instant { Instant(monotonicMs: nowMs, unixMs: nowMs + unixOffsetMs) }

    func send(_ message: Message, from name: String) {
        let peer = Bytes(name.utf8).withUnsafeBytes { router.peer(routingID: $0) }
        withFrames(message) { frames in
            switch router.receive(frames, from: peer, at: now) {
            case .done:
                break
            case .park(let index, let bodyStart):
                copy(.ask, of: index, Array(message[bodyStart...]))
                parked[index] = Array(message[bodyStart...])
            case .deliver(let index, let bodyStart, let isPartial):
                copy(isPartial ? .partial : .answer, of: index, Array(message[bodyStart...]))
                let client = router.writeAnswer(index, fault: nil, isPartial: isPartial, to: outgoing)
                put(Array(message[bodyStart...]), to: client)
                if !isPartial { router.finish(index) }
            case .refuse(let fault, let address):
                router.writeAnswer(address, fault: fault, to: outgoing)
                put([body(of: fault)], to: peer)
            case .inform(let code, let address):
                router.writeAnswer(address, fault: nil, to: outgoing)
                put([Bytes(code.description.utf8)], to: peer)
            case .pong:
                outgoing.writePong(instance: router.instance)
                put([], to: peer)
            case .registered:
                break
            case .watching(let isGranted):
                outgoing.writeWatching(isGranted)
                put([], to: peer)
            }
        }
        carryOut()
    }

    /// Lets time pass, with a tick every `scanEveryMs` as in the real loop.
    func pass(ms: Int64) {
        let end = nowMs + ms
        while nowMs < end {
            nowMs = min(end, nowMs + router.limits.scanEveryMs)
            router.tick(at: now)
            carryOut()
        }
    }

    /// Ends the broker.
    func end() {
        router.refuseQueued(at: now)
        carryOut()
    }

    func pause(_ service: String, by holder: String = "", forMs: Int64? = nil) -> Bool {
        Bytes(service.utf8).withUnsafeBytes { router.pause($0, by: holder, untilMs: forMs.map { nowMs + $0 }) }
    }

    func resume(_ service: String, by holder: String = "") -> Bool {
        let isKnown = Bytes(service.utf8).withUnsafeBytes { router.resume($0, by: holder, at: now) } != nil
        carryOut()
        return isKnown
    }

    var isUntapped: Bool { router.isUntapped }

    var stats: BrokerStats { router.stats(at: now) }

    func service(_ name: String) -> BrokerStats.Service? { stats.services.first { $0.name == name } }

    func drops(_ drop: Drop) -> UInt64 { stats.drops[drop.name] ?? 0 }

    /// What was sent to the peer since it was last looked at.
    func take(_ name: String) -> [Message] {
        let messages = sent.filter { $0.to == name }.map(\.message)
        sent.removeAll { $0.to == name }
        return messages
    }

    func takeAll() -> [Sent] {
        defer { sent = [] }
        return sent
    }

    private func carryOut() {
        while let order = router.nextOrder() {
            switch order {
            case .dispatch(let index):
                guard let worker = router.takeOff(index) else { continue }
                router.writeRequest(index, to: outgoing)
                if full.contains(name(of: worker)) {
                    router.heldUp(index)
                } else if put(parked[index]!, to: worker) {
                    parked[index] = nil
                } else {
                    router.undelivered(index)
                }
            case .refuse(let index, let fault):
                let client = router.writeAnswer(index, fault: fault, isPartial: false, to: outgoing)
                let refusal = body(of: fault)
                put([refusal], to: client)
                copy(.refusal, of: index, [refusal])
                parked[index] = nil
                router.finish(index)
            case .notify(let peer, let dialect, let notice):
                outgoing.write(notice, dialect)
                if !full.contains(name(of: peer)), !put([], to: peer) { router.unreachable(peer) }
            }
        }
    }

    private func copy(_ kind: CopyKind, of index: Int, _ body: Message) {
        for tap in router.tapsOf(index) {
            router.writeCopy(kind, of: index, unixMicroseconds: UInt64(now.unixMs) * 1_000, to: outgoing)
            if !put(body, to: tap) { router.lostCopy(to: tap, isGone: true) }
        }
    }

    private func name(of peer: Peer) -> String {
        router.withRoutingID(of: peer) { String(decoding: $0, as: UTF8.self) }
    }

    @discardableResult
    private func put(_ body: Message, to peer: Peer) -> Bool {
        let name = name(of: peer)
        guard !gone.contains(name) else { return false }
        let header = (0..<outgoing.count).map { Bytes(outgoing[$0]) }
        sent.append(Sent(to: name, message: header + body))
        return true
    }

    private func body(of fault: Fault) -> Bytes {
        var body = Bytes()
        fault.writeBody(id: router.nextRandom(), to: &body)
        return body
    }
}

/// Calls `body` with views of the frames, as the shell has them.
func withFrames<Result>(_ message: Message, _ body: (Frames) -> Result) -> Result {
    let copies = message.map { frame in
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: frame.count, alignment: 8)
        copy.copyBytes(from: frame)
        return UnsafeRawBufferPointer(copy)
    }
    defer { for copy in copies { copy.deallocate() } }
    return copies.withUnsafeBufferPointer(body)
}

/// A small seeded generator: the same seed, the same test.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

func text(_ string: String) -> Bytes { Bytes(string.utf8) }

let empty = Bytes()

/// `value` in big-endian order.
func big<Value: FixedWidthInteger>(_ value: Value) -> Bytes { withUnsafeBytes(of: value.bigEndian) { Bytes($0) } }

/// Our own dialect, written out from README.md.
enum BF {
    static func ask(
        _ service: String, _ body: String = "body", tag: UInt64 = 1, deadlineMs: UInt64 = 0, retry: UInt8 = 0
    ) -> Message {
        [text("BFC1") + [1, retry, 0, 0] + big(tag) + big(deadlineMs) + text(service), text(body)]
    }

    static func answer(tag: UInt64, status: UInt8 = 0) -> Bytes { text("BFC1") + [3, status, 0, 0] + big(tag) }

    static func ready(_ service: String, credit: UInt16) -> Message {
        [text("BFW1") + [1, 0] + big(credit) + text(service)]
    }

    static func reply(_ token: Bytes, _ body: String = "reply") -> Message {
        [text("BFW1") + [4, 0, 0, 0] + token, text(body)]
    }

    static func token(_ message: Message) -> Bytes { Bytes(message[0][8..<24]) }

    static func watch(_ service: String, key: Bytes) -> Message { [text("BFC1") + [8, 0, 0, 0] + key + text(service)] }
    static func watching(_ status: UInt8) -> Message { [text("BFC1") + [9, status, 0, 0]] }
    static func copy(_ kind: UInt8, number: UInt64, unixMicroseconds: UInt64, _ service: String, _ body: String)
        -> Message
    {
        [
            text("BFC1") + [10, kind, 0, 0] + big(number) + big(unixMicroseconds) + big(UInt64(0)) + text(service),
            text(body)
        ]
    }

    static let ping: Message = [text("BFC1") + [5, 0, 0, 0]]
    static let heartbeat: Message = [text("BFW1") + [5, 0, 0, 0]]
    static let disconnect: Message = [text("BFW1") + [6, 0, 0, 0]]
    static let goodbye: Message = [text("BFW1") + [7, 0, 0, 0]]
}

/// 7/MDP, written out from its frame tables.
enum MDP01 {
    static func ask(_ service: String, _ body: String = "body") -> Message {
        [empty, text("MDPC01"), text(service), text(body)]
    }

    static func ready(_ service: String) -> Message { [empty, text("MDPW01"), [1], text(service)] }

    static func reply(_ token: Bytes, _ body: String = "reply") -> Message {
        [empty, text("MDPW01"), [3], token, empty, text(body)]
    }

    static func token(_ message: Message) -> Bytes { message[3] }

    static let heartbeat: Message = [empty, text("MDPW01"), [4]]
    static let disconnect: Message = [empty, text("MDPW01"), [5]]
}

/// 18/MDP, written out from its frame tables.
enum MDP02 {
    static func ask(_ service: String, _ body: String = "body") -> Message {
        [text("MDPC02"), [1], text(service), text(body)]
    }

    static func ready(_ service: String) -> Message { [text("MDPW02"), [1], text(service)] }

    static func partial(_ token: Bytes, _ body: String) -> Message {
        [text("MDPW02"), [3], token, empty, text(body)]
    }

    static func final(_ token: Bytes, _ body: String = "reply") -> Message {
        [text("MDPW02"), [4], token, empty, text(body)]
    }

    static func token(_ message: Message) -> Bytes { message[2] }

    static let heartbeat: Message = [text("MDPW02"), [5]]
    static let disconnect: Message = [text("MDPW02"), [6]]
}

/// The fault's code in a refusal's body.
func code(_ body: Bytes) -> String? {
    let text = String(decoding: body, as: UTF8.self)
    guard let start = text.range(of: #""code":""#)?.upperBound else { return nil }
    return String(text[start...].prefix { $0 != "\"" })
}

extension String {
    fileprivate func range(of needle: String) -> Range<Index>? {
        var index = startIndex
        while index < endIndex {
            if self[index...].hasPrefix(needle) {
                return index..<self.index(index, offsetBy: needle.count)
            }
            index = self.index(after: index)
        }
        return nil
    }
}
