import Majordomo
import Testing

/// Choice among workers, credit, drain, loss.
@Suite("Workers")
struct WorkerTests {
    let bus = Harness()

    @Test("the least recently used worker is given the next ask")
    func leastRecentlyUsed() {
        for name in ["a", "b", "c"] { bus.send(MDP01.ready("s"), from: name) }
        var order: [String] = []
        for _ in 0..<6 {
            bus.send(MDP01.ask("s"), from: "client")
            for sent in bus.takeAll() where sent.message[1] == text("MDPW01") {
                order.append(sent.to)
                bus.send(MDP01.reply(MDP01.token(sent.message)), from: sent.to)
            }
        }
        #expect(order == ["a", "b", "c", "a", "b", "c"])
    }

    @Test("workers with credit take turns")
    func turns() {
        for name in ["a", "b"] { bus.send(BF.ready("s", credit: 3), from: name) }
        for _ in 0..<6 { bus.send(BF.ask("s"), from: "client") }
        #expect(bus.takeAll().map(\.to) == ["a", "b", "a", "b", "a", "b"])
    }

    @Test("a worker has at most its credit in flight, a foreign one has one", arguments: [1, 2, 7])
    func credit(credit: UInt16) throws {
        bus.send(BF.ready("s", credit: credit), from: "w")
        for tag in 0..<20 { bus.send(BF.ask("s", tag: UInt64(tag)), from: "c") }
        let first = bus.take("w")
        #expect(first.count == Int(credit))
        #expect(bus.service("s")?.inFlight == Int(credit))
        #expect(bus.service("s")?.queued == 20 - Int(credit))
        bus.send(BF.reply(BF.token(first[0])), from: "w")
        #expect(bus.take("w").count == 1)
        #expect(bus.take("c") == [[BF.answer(tag: 0), text("reply")]])
    }

    @Test("a READY of no credit, of too much, or for a reserved name is answered with DISCONNECT")
    func badReady() {
        for message in [
            BF.ready("s", credit: 0), BF.ready("s", credit: 4_097), BF.ready("mmi.service", credit: 1),
            BF.ready("UPPER", credit: 1), BF.ready(String(repeating: "a", count: 64), credit: 1)
        ] {
            bus.send(message, from: "w")
            #expect(bus.take("w") == [BF.disconnect])
        }
        bus.send(MDP01.ready("mmi.echo"), from: "w")
        #expect(bus.take("w") == [MDP01.disconnect])
        bus.send(MDP02.ready("mmi.echo"), from: "w")
        #expect(bus.take("w") == [MDP02.disconnect])
        #expect(bus.stats.workers == 0)
        #expect(bus.stats.services.isEmpty)
    }

    @Test("a further READY is answered with DISCONNECT, and the worker is known no more")
    func readyTwice() {
        bus.send(MDP02.ready("s"), from: "w")
        bus.send(MDP02.ready("other"), from: "w")
        #expect(bus.take("w") == [MDP02.disconnect])
        #expect(bus.stats.workers == 0)
        bus.send(MDP02.ready("s"), from: "w")
        #expect(bus.take("w").isEmpty)
        #expect(bus.stats.workers == 1)
    }

    @Test("in our own dialect a further READY for the same service sets the credit, and the worker keeps what it has")
    func readyAgain() {
        bus.send(BF.ready("s", credit: 2), from: "w")
        for tag in 1...4 { bus.send(BF.ask("s", tag: UInt64(tag)), from: "c") }
        var asks = bus.take("w")
        #expect(asks.count == 2)
        bus.send(BF.ready("s", credit: 3), from: "w")
        asks += bus.take("w")
        #expect(asks.count == 3)
        #expect(bus.service("s")?.credit == 3)
        // Fewer than it has already.
        bus.send(BF.ready("s", credit: 1), from: "w")
        bus.send(BF.reply(BF.token(asks.removeFirst())), from: "w")
        #expect(bus.take("w").count == 1)
        for ask in asks { bus.send(BF.reply(BF.token(ask)), from: "w") }
        #expect(bus.take("c").count == 3)
        #expect(bus.drops(.unexpected) == 0)
        bus.send(BF.ready("other", credit: 1), from: "w")
        #expect(bus.take("w") == [BF.disconnect])
        #expect(bus.stats.workers == 0)
    }

    @Test("a heartbeat or a reply of an unknown worker is answered with DISCONNECT in its dialect")
    func unknownWorker() {
        let forged = Bytes(repeating: 3, count: 16)
        for (message, disconnect) in [
            (MDP01.heartbeat, MDP01.disconnect), (MDP01.reply(forged), MDP01.disconnect),
            (MDP02.heartbeat, MDP02.disconnect), (MDP02.final(forged), MDP02.disconnect),
            ([empty] + MDP02.heartbeat, [empty] + MDP02.disconnect),
            (BF.heartbeat, BF.disconnect), (BF.reply(forged), BF.disconnect), (BF.goodbye, BF.disconnect)
        ] {
            bus.send(message, from: "w")
            #expect(bus.take("w") == [disconnect])
        }
        bus.send(MDP01.disconnect, from: "w")
        #expect(bus.takeAll().isEmpty)
    }

    @Test("a worker that says goodbye finishes what it has and gets no more")
    func drain() throws {
        bus.send(BF.ready("s", credit: 2), from: "w")
        for tag in 1...3 { bus.send(BF.ask("s", tag: UInt64(tag)), from: "c") }
        let asks = bus.take("w")
        #expect(asks.count == 2)
        bus.send(BF.goodbye, from: "w")
        #expect(bus.take("w") == [BF.goodbye])
        #expect(bus.service("s")?.workers == 0)
        for ask in asks { bus.send(BF.reply(BF.token(ask)), from: "w") }
        #expect(bus.take("c").count == 2)
        #expect(bus.take("w").isEmpty)
        bus.send(BF.disconnect, from: "w")
        #expect(bus.stats.workers == 0)
        #expect(bus.service("s")?.queued == 1)
        bus.send(BF.ready("s", credit: 1), from: "w2")
        #expect(bus.take("w2").count == 1)
    }

    @Test("a draining worker that is lost leaves refusals, not crashes")
    func lostWhileDraining() {
        bus.send(BF.ready("s", credit: 2), from: "w")
        bus.send(BF.ask("s", tag: 1), from: "c")
        bus.send(BF.goodbye, from: "w")
        bus.send(BF.goodbye, from: "w")
        bus.send(BF.disconnect, from: "w")
        #expect(bus.take("c").first?.first == BF.answer(tag: 1, status: 4))
        #expect(bus.stats.held == 0)
    }

    @Test("asks of a worker that disconnects while busy are answered, outcome unknown", arguments: [0, 1, 2])
    func busyDisconnect(kind: Int) {
        let ready = [MDP01.ready("s"), MDP02.ready("s"), BF.ready("s", credit: 5)][kind]
        bus.send(ready, from: "w")
        bus.send(BF.ask("s", tag: 8), from: "c")
        bus.send([MDP01.disconnect, MDP02.disconnect, BF.disconnect][kind], from: "w")
        let answers = bus.take("c")
        #expect(answers.count == 1)
        #expect(answers.first?[0] == BF.answer(tag: 8, status: 4))
        #expect(answers.first.flatMap { code($0[1]) } == "bus.worker_lost")
        #expect(bus.stats.held == 0)
        #expect(bus.drops(.workerLost) == 1)
    }

    @Test("an ask that never left goes to the next worker when the first is gone")
    func unreachableWorker() {
        bus.send(BF.ready("s", credit: 5), from: "w1")
        bus.send(BF.ready("s", credit: 5), from: "w2")
        bus.gone = ["w1"]
        bus.send(BF.ask("s", tag: 1), from: "c")
        #expect(bus.take("w2").count == 1)
        #expect(bus.take("c").isEmpty)
        #expect(bus.stats.workers == 1)
    }

    @Test("asks that left with a worker that is gone are refused, those that did not keep their order")
    func unreachableMidway() {
        bus.send(BF.ready("s", credit: 4), from: "w1")
        bus.send(BF.ask("s", tag: 1), from: "c")
        #expect(bus.take("w1").count == 1)
        #expect(bus.pause("s"))
        for tag in 2...4 { bus.send(BF.ask("s", "\(tag)", tag: UInt64(tag)), from: "c") }
        bus.gone = ["w1"]
        #expect(bus.resume("s"))
        #expect(bus.take("c").map { $0[0] } == [BF.answer(tag: 1, status: 4)])
        #expect(bus.service("s")?.queued == 3)
        bus.send(BF.ready("s", credit: 4), from: "w2")
        #expect(bus.take("w2").map { $0[1] } == [text("2"), text("3"), text("4")])
    }

    @Test("a heartbeat that cannot be sent shows that the worker is gone")
    func heartbeatFails() {
        bus.send(BF.ready("s", credit: 4), from: "w")
        bus.send(BF.ask("s", tag: 1), from: "c")
        bus.gone = ["w"]
        bus.pass(ms: 2_000)
        #expect(bus.take("c").map { $0[0] } == [BF.answer(tag: 1, status: 4)])
        #expect(bus.stats.workers == 0)
    }

    @Test("silence ends an idle worker and a busy one of ours, but not a busy foreign one")
    func silence() {
        bus.send(MDP01.ready("idle"), from: "idle")
        bus.send(MDP01.ready("busy"), from: "busy")
        bus.send(BF.ready("ours", credit: 4), from: "ours")
        bus.send(MDP01.ask("busy"), from: "c")
        bus.send(BF.ask("ours", tag: 3), from: "d")
        bus.pass(ms: 9_000)
        #expect(bus.stats.workers == 3)
        bus.pass(ms: 1_500)
        #expect(bus.take("idle").last == MDP01.disconnect)
        #expect(bus.take("ours").last == BF.disconnect)
        #expect(bus.take("d").map { $0[0] } == [BF.answer(tag: 3, status: 4)])
        #expect(bus.stats.workers == 1)
        bus.pass(ms: 60_000)
        #expect(bus.take("c").isEmpty)
        bus.send(MDP01.reply(MDP01.token(bus.take("busy")[0])), from: "busy")
        #expect(bus.take("c") == [[empty, text("MDPC01"), text("busy"), text("reply")]])
    }

    @Test("heartbeats are at most a second apart, and keep a worker that sends its own")
    func heartbeats() {
        bus.send(BF.ready("s", credit: 4), from: "w")
        for _ in 0..<30 {
            bus.pass(ms: 1_000)
            #expect(bus.take("w").contains(BF.heartbeat))
            bus.send(BF.heartbeat, from: "w")
        }
        #expect(bus.stats.workers == 1)
    }

    @Test("a hostile crowd of workers is bounded")
    func workersBound() {
        var limits = Limits()
        limits.workers = 3
        let bus = Harness(limits)
        for index in 0..<5 { bus.send(BF.ready("s", credit: 1), from: "w\(index)") }
        #expect(bus.stats.workers == 3)
        #expect(bus.take("w4") == [BF.disconnect])
        #expect(bus.drops(.registrationRefused) == 2)
    }
}
