import Majordomo
import Testing

/// Many peers that say anything at any time, from a seed that is printed when something is wrong.
@Suite("Random peers")
struct RandomPeersTests {
    @Test("the broker's rules hold whatever peers do", arguments: 1...24 as ClosedRange<UInt64>)
    func rulesHold(seed: UInt64) {
        var world = World(seed: seed)
        for step in 0..<4_000 {
            world.step()
            if let broken = world.brokenRule() {
                Issue.record("seed \(seed), step \(step): \(broken)")
                return
            }
        }
        if let broken = world.settle() { Issue.record("seed \(seed), at the end: \(broken)") }
    }
}

/// The peers, what they were given and what they were owed.
private struct World {
    private static let clients = (0..<6).map { "c\($0)" } + [String(repeating: "long client ", count: 10)]
    private static let workers = (0..<8).map { "w\($0)" } + [String(repeating: "long worker ", count: 10)]
    private static let services = ["alpha", "beta", "gamma", "delta", "mmi.service", "Not Ours"]

    private var random: SplitMix
    private let bus: Harness
    private var nextTag: UInt64 = 1
    /// Tags of asks sent with our dialect that have had no answer.
    private var open: Set<UInt64> = []
    private var broken: String?
    /// Asks each worker was given since its last READY and has not replied to, and that READY's credit.
    private var given: [String: [Bytes]] = [:]
    private var credit: [String: Int] = [:]

    init(seed: UInt64) {
        random = SplitMix(seed: seed)
        var limits = Limits()
        limits.heldAsks = 40
        limits.queuedPerClient = 9
        limits.queuedPerService = 12
        limits.queuedBytesPerService = 2_000
        limits.heldBytes = 6_000
        limits.givenBytesPerWorker = 900
        limits.waitingForNobody = 20
        limits.services = 5
        limits.workers = 6
        limits.bodyBytes = 400
        bus = Harness(limits, seed: seed)
    }

    mutating func step() {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<35: ask()
        case 35..<45: ready()
        case 45..<70: reply()
        case 70..<76: workerSays([BF.heartbeat, MDP01.heartbeat, MDP02.heartbeat])
        case 76..<80: workerSays([BF.disconnect, MDP01.disconnect, MDP02.disconnect])
        case 80..<83: workerSays([BF.goodbye])
        case 83..<87: bus.send(noise(), from: "n\(Int.random(in: 0..<4, using: &random))")
        case 87..<90: forge()
        case 90..<92: _ = bus.pause(Self.services.randomElement(using: &random)!)
        case 92..<95: _ = bus.resume(Self.services.randomElement(using: &random)!)
        case 95..<97: toggleGone()
        default: bus.pass(ms: Int64.random(in: 1...4_000, using: &random))
        }
        look()
    }

    /// Lets everything end; each ask must have had its one answer, and nothing may be held.
    mutating func settle() -> String? {
        bus.gone = []
        bus.full = []
        for service in Self.services { _ = bus.resume(service) }
        bus.pass(ms: 700_000)
        look()
        if let broken { return broken }
        if !open.isEmpty { return "asks \(open.sorted()) had no answer" }
        let stats = bus.stats
        if stats.held != 0 || stats.heldBytes != 0 { return "\(stats.held) asks, \(stats.heldBytes) bytes are held" }
        if stats.workers != 0 { return "\(stats.workers) silent workers are left" }
        if !bus.parked.isEmpty { return "\(bus.parked.count) bodies are left" }
        return nil
    }

    mutating func brokenRule() -> String? {
        if let broken { return broken }
        let stats = bus.stats
        let limits = bus.router.limits
        if stats.held > limits.heldAsks || stats.heldBytes > limits.heldBytes { return "asks or bytes beyond bounds" }
        if stats.workers > limits.workers || stats.services.count > limits.services { return "tables beyond bounds" }
        if bus.parked.count != stats.services.reduce(0, { $0 + $1.queued }) { return "parked bodies are not the queue" }
        for service in stats.services {
            // A worker that leaves may put back what never reached it: the queue's bound is for new asks.
            if service.queued > limits.queuedPerService + limits.workers { return "\(service.name): queue too long" }
            if service.queued < 0 || service.inFlight < 0 || service.queuedBytes < 0 { return "negative counts" }
            if (service.queued == 0) != (service.queuedBytes == 0) { return "\(service.name): bytes without asks" }
        }
        for (worker, tokens) in given where tokens.count > credit[worker, default: 0] {
            return "\(worker) has \(tokens.count) asks, its credit is \(credit[worker, default: 0])"
        }
        return nil
    }

    // MARK: What peers do

    private mutating func ask() {
        let service = Self.services.randomElement(using: &random)!
        let body = String(repeating: "b", count: Int.random(in: 0...450, using: &random))
        let client = Self.clients.randomElement(using: &random)!
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bus.send(MDP01.ask(service, body), from: client)
        case 1: bus.send(MDP02.ask(service, body), from: client)
        default:
            let aheadMs = Int64.random(in: -100...20_000, using: &random)
            let deadline = Bool.random(using: &random) ? 0 : UInt64(bus.now.unixMs + aheadMs)
            open.insert(nextTag)
            bus.send(BF.ask(service, body, tag: nextTag, deadlineMs: deadline), from: client)
            nextTag += 1
        }
    }

    private mutating func ready() {
        guard let worker = presentWorker() else { return }
        let service = Self.services.randomElement(using: &random)!
        let window = UInt16.random(in: 1...4, using: &random)
        let kind = Int.random(in: 0..<3, using: &random)
        // Either it is registered anew, with nothing in flight, or a DISCONNECT comes back and `look` clears it.
        (given[worker], credit[worker]) = ([], kind < 2 ? 1 : Int(window))
        bus.send([MDP01.ready(service), MDP02.ready(service), BF.ready(service, credit: window)][kind], from: worker)
    }

    private mutating func reply() {
        let busy = given.filter { !$0.value.isEmpty && !bus.gone.contains($0.key) }
        guard let worker = busy.keys.sorted().randomElement(using: &random) else { return }
        let index = Int.random(in: 0..<given[worker]!.count, using: &random)
        let token = given[worker]!.remove(at: index)
        let body = String(repeating: "r", count: Int.random(in: 1...450, using: &random))
        // The dialect is found out by trial: a reply in the wrong one must do no harm either.
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bus.send(MDP01.reply(token, body), from: worker)
        case 1: bus.send(MDP02.final(token, body), from: worker)
        default: bus.send(BF.reply(token, body), from: worker)
        }
    }

    private mutating func workerSays(_ messages: [Message]) {
        guard let worker = presentWorker() else { return }
        let message = messages.randomElement(using: &random)!
        bus.send(message, from: worker)
        if message.last == [5] || message == MDP02.disconnect || message == BF.disconnect, message != MDP02.heartbeat {
            (given[worker], credit[worker]) = (nil, nil)
        }
    }

    private mutating func presentWorker() -> String? {
        Self.workers.filter { !bus.gone.contains($0) }.randomElement(using: &random)
    }

    private mutating func forge() {
        let token = (0..<16).map { _ in UInt8.random(in: 0...2, using: &random) }
        if let worker = presentWorker() { bus.send(BF.reply(token), from: worker) }
    }

    private mutating func toggleGone() {
        // Clients stay: an answer to a client that is gone is rightly lost, and could not be checked.
        let worker = Self.workers.randomElement(using: &random)!
        if bus.gone.remove(worker) == nil { bus.gone.insert(worker) }
        let slow = Self.workers.randomElement(using: &random)!
        if bus.full.remove(slow) == nil { bus.full.insert(slow) }
    }

    /// Frames that are nearly right, or not at all.
    private mutating func noise() -> Message {
        let pieces: [Bytes] = [
            empty, text("MDPC01"), text("MDPW01"), text("MDPC02"), text("MDPW02"), text("alpha"), [1], [2], [3], [4],
            [5], text("BFC1"), text("BFW1") + [1, 0, 0, 1], text("BFW1") + [4, 0, 0, 0], text("BFC1") + [1, 0, 0, 0],
            (0..<Int.random(in: 0...40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        ]
        return (0..<Int.random(in: 0...7, using: &random)).map { _ in pieces.randomElement(using: &random)! }
    }

    // MARK: What came of it

    private mutating func look() {
        for sent in bus.takeAll() {
            let message = sent.message
            if message[0].starts(with: text("BFC1")), message[0].count == 16, message[0][4] == 3 {
                let tag = message[0][8...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                // Noise may have sent a whole ASK of its own; its tag is then none of ours.
                if tag > 0, tag < nextTag, open.remove(tag) == nil { broken = "ask \(tag) was answered twice" }
            } else if message == BF.disconnect || message == MDP01.disconnect || message == MDP02.disconnect {
                (given[sent.to], credit[sent.to]) = (nil, nil)
            } else if message[0].starts(with: text("BFW1")), message[0][4] == 2 {
                given[sent.to, default: []].append(BF.token(message))
            } else if message.count > 4, message[1] == text("MDPW01"), message[2] == [2] {
                given[sent.to, default: []].append(MDP01.token(message))
            } else if message.count > 3, message[0] == text("MDPW02"), message[1] == [2] {
                given[sent.to, default: []].append(MDP02.token(message))
            }
        }
    }
}
