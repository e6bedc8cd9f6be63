import Majordomo
import Testing

/// Bounds, times, deadlines, pause.
@Suite("Queues")
struct QueueTests {
    @Test("a queue is bounded by count; who has no worker is told so, who has one hears it is full")
    func countBound() {
        var limits = Limits()
        limits.queuedPerService = 3
        let bus = Harness(limits)
        for tag in 1...4 { bus.send(BF.ask("s", tag: UInt64(tag)), from: "c") }
        #expect(bus.take("c").map { $0[0] } == [BF.answer(tag: 4, status: 1)])
        bus.send(BF.ready("s", credit: 1), from: "w")
        bus.send(BF.ask("s", tag: 5), from: "c")
        bus.send(BF.ask("s", tag: 6), from: "c")
        #expect(bus.take("c").map { $0[0] } == [BF.answer(tag: 6, status: 2)])
        #expect(bus.service("s")?.queued == 3)
        #expect(bus.drops(.queueFull) == 1)
    }

    @Test("a broker that ends refuses what no worker was given, as nothing of it was done")
    func end() {
        let bus = Harness()
        bus.send(BF.ready("s", credit: 1), from: "w")
        for (service, tag) in [("s", 1), ("s", 2), ("nobody", 3)] {
            bus.send(BF.ask(service, tag: UInt64(tag)), from: "c")
        }
        bus.end()
        let refused = bus.take("c").map { $0[0] }
        #expect(Set(refused) == [BF.answer(tag: 2, status: 1), BF.answer(tag: 3, status: 1)])
        #expect(bus.stats.heldBytes == 0)
    }

    @Test("one client cannot fill a queue alone, and what it may have waiting comes back to it")
    func clientBound() {
        var limits = Limits()
        limits.queuedPerClient = 2
        let bus = Harness(limits)
        bus.send(BF.ready("s", credit: 1), from: "w")
        for tag in 1...4 { bus.send(BF.ask("s", tag: UInt64(tag)), from: "greedy") }
        #expect(bus.take("greedy").map { $0[0] } == [BF.answer(tag: 4, status: 2)])
        bus.send(BF.ask("s", tag: 1), from: "other")
        #expect(bus.take("other").isEmpty)
        for _ in 1...4 { bus.send(BF.reply(BF.token(bus.take("w")[0])), from: "w") }
        #expect(bus.take("greedy").count == 3)
        #expect(bus.take("other").count == 1)
        for tag in 5...7 { bus.send(BF.ask("s", tag: UInt64(tag)), from: "greedy") }
        #expect(bus.take("greedy").isEmpty)
    }

    @Test("a queue is bounded by bytes, and all of them together are")
    func bytesBound() {
        var limits = Limits()
        limits.queuedBytesPerService = 1_000
        limits.heldBytes = 1_800
        limits.frameOverheadBytes = 0
        let bus = Harness(limits)
        let body = String(repeating: "x", count: 600)
        for (service, tag) in [("a", 1), ("a", 2), ("b", 3), ("c", 4), ("d", 5)] {
            bus.send(BF.ask(service, body, tag: UInt64(tag)), from: "c\(tag)")
        }
        #expect((1...5).map { bus.take("c\($0)").count } == [0, 1, 0, 0, 1])
        #expect(bus.stats.heldBytes == 1_800)
        bus.pass(ms: 10_000)
        #expect(bus.stats.heldBytes == 0)
        #expect(bus.stats.held == 0)
    }

    @Test("bytes that were given to a worker count for it until it answers, and for the queues no more")
    func bytesInFlight() {
        var limits = Limits()
        limits.heldBytes = 1_000
        limits.givenBytesPerWorker = 900
        let bus = Harness(limits)
        bus.send(BF.ready("s", credit: 10), from: "w")
        for tag in 1...3 {
            bus.send(BF.ask("s", String(repeating: "x", count: 900), tag: UInt64(tag)), from: "c")
        }
        #expect(bus.stats.heldBytes == 964)
        #expect(bus.take("c").map { $0[0] } == [BF.answer(tag: 3, status: 2)])
        bus.send(BF.reply(BF.token(bus.take("w")[0])), from: "w")
        #expect(bus.take("w").count == 1)
        #expect(bus.stats.heldBytes == 0)
    }

    @Test("held asks are bounded")
    func heldAsksBound() {
        var limits = Limits()
        limits.heldAsks = 2
        let bus = Harness(limits)
        for tag in 1...3 { bus.send(BF.ask("s\(tag)", tag: UInt64(tag)), from: "c") }
        #expect(bus.take("c").map { $0[0] } == [BF.answer(tag: 3, status: 1)])
        #expect(bus.stats.services.count == 2)
    }

    @Test("made-up names take their share of held asks and no more, and are forgotten")
    func madeUpNames() {
        var limits = Limits()
        limits.waitingForNobody = 10
        limits.services = 20
        let bus = Harness(limits)
        bus.send(BF.ready("real", credit: 1), from: "w")
        for index in 0..<1_000 { bus.send(BF.ask("name\(index)", tag: UInt64(index)), from: "hostile") }
        #expect(bus.stats.held == 10)
        bus.send(BF.ask("real", tag: 1), from: "c")
        #expect(bus.take("w").count == 1)
        bus.pass(ms: 5_000)
        bus.send(BF.heartbeat, from: "w")
        bus.pass(ms: 5_000)
        #expect(bus.stats.services.map(\.name) == ["real"])
    }

    @Test("names workers made up are forgotten when the table is full")
    func madeUpServices() {
        var limits = Limits()
        limits.services = 4
        let bus = Harness(limits)
        for index in 0..<100 {
            bus.send(BF.ready("s\(index)", credit: 1), from: "w")
            bus.send(BF.ask("s\(index)"), from: "c")
            bus.send(BF.reply(BF.token(bus.take("w")[0])), from: "w")
            bus.send(BF.disconnect, from: "w")
        }
        #expect(bus.take("c").count == 100)
        #expect(bus.stats.services.count <= 4)
    }

    @Test("an ask for an unknown service waits, is served when a worker comes, or refused when its time is up")
    func unknownService() throws {
        let bus = Harness()
        bus.send(MDP01.ask("late", "first"), from: "c")
        bus.pass(ms: 9_000)
        #expect(bus.service("late")?.oldestAgeMs == 9_000)
        bus.send(MDP01.ready("late"), from: "w")
        #expect(bus.take("w").last?.last == text("first"))
        bus.send(MDP02.ask("never"), from: "c")
        bus.pass(ms: 9_900)
        #expect(bus.take("c").isEmpty)
        bus.pass(ms: 100)
        let refusal = try #require(bus.take("c").first)
        #expect(code(refusal[3]) == "bus.no_worker")
        #expect(bus.service("never") == nil)
    }

    @Test("an ask past its deadline is refused at once; one that waits, when it passes")
    func deadlines() {
        let bus = Harness()
        bus.send(BF.ready("s", credit: 1), from: "w")
        let now = UInt64(bus.now.unixMs)
        bus.send(BF.ask("s", tag: 1, deadlineMs: now), from: "c")
        #expect(bus.take("c").map { $0[0] } == [BF.answer(tag: 1, status: 3)])
        bus.send(BF.ask("s", tag: 2, deadlineMs: now + 60_000), from: "c")
        bus.send(BF.ask("s", tag: 3, deadlineMs: now + 500), from: "c")
        bus.pass(ms: 500)
        #expect(bus.take("c").isEmpty, "the clocks' milliseconds may begin at different times")
        bus.pass(ms: 1)
        #expect(bus.take("c").map { $0[0] } == [BF.answer(tag: 3, status: 3)])
    }

    @Test("a deadline in the far future is brought down to five minutes")
    func farDeadline() throws {
        let bus = Harness()
        bus.send(BF.ready("s", credit: 1), from: "w")
        bus.send(BF.ask("s", tag: 1, deadlineMs: .max), from: "c")
        let ask = try #require(bus.take("w").first)
        #expect(Bytes(ask[0][24...]) == big(UInt64(bus.now.unixMs) + 300_000))
    }

    @Test("an ask whose deadline passes in flight is answered once; its worker's credit stays spent until it replies")
    func abandoned() throws {
        let bus = Harness()
        bus.send(BF.ready("s", credit: 1), from: "w")
        bus.send(BF.ask("s", tag: 1, deadlineMs: UInt64(bus.now.unixMs) + 500), from: "c")
        let ask = try #require(bus.take("w").first)
        bus.pass(ms: 600)
        let answers = bus.take("c")
        #expect(answers.map { $0[0] } == [BF.answer(tag: 1, status: 7)])
        #expect(code(answers[0][1]) == "bus.outcome_unknown")
        bus.send(BF.ask("s", tag: 2), from: "c")
        #expect(bus.take("w").isEmpty)
        bus.send(BF.reply(BF.token(ask)), from: "w")
        #expect(bus.take("c").isEmpty)
        #expect(bus.drops(.lateReply) == 1)
        #expect(bus.take("w").count == 1)
    }

    @Test("an abandoned ask leaves with its worker, without a second answer")
    func abandonedThenLost() {
        let bus = Harness()
        bus.send(BF.ready("s", credit: 1), from: "w")
        bus.send(BF.ask("s", tag: 1, deadlineMs: UInt64(bus.now.unixMs) + 500), from: "c")
        bus.pass(ms: 600)
        #expect(bus.take("c").count == 1)
        bus.send(BF.disconnect, from: "w")
        #expect(bus.take("c").isEmpty)
        #expect(bus.stats.held == 0)
    }

    @Test("deadline and silence in the same scan: one answer, whole")
    func abandonedAndLostAtOnce() {
        let bus = Harness()
        bus.send(BF.ready("s", credit: 1), from: "w")
        bus.send(MDP01.ask("s"), from: "c")
        bus.send(BF.ready("t", credit: 1), from: "v")
        bus.send(BF.ask("t", tag: 1, deadlineMs: UInt64(bus.now.unixMs) + 10_000), from: "c2")
        bus.nowMs += 10_000
        bus.pass(ms: 100)
        #expect(bus.take("c2").map { $0[0] } == [BF.answer(tag: 1, status: 7)])
        #expect(bus.take("c").map { $0[2] } == [text("s")])
        #expect(bus.stats.held == 0)
        #expect(bus.stats.workers == 0)
    }

    @Test("the wall clock may jump: waiting is measured with the other one")
    func clockJump() {
        let bus = Harness()
        bus.send(BF.ask("s", tag: 1, deadlineMs: UInt64(bus.now.unixMs) + 5_000), from: "c")
        bus.unixOffsetMs += 3_600_000
        bus.pass(ms: 4_000)
        #expect(bus.take("c").isEmpty)
        bus.unixOffsetMs -= 7_200_000
        bus.pass(ms: 1_100)
        #expect(bus.take("c").count == 1)
    }

    @Test("a paused service keeps its asks; what is in flight goes on; resume lets the queue flow in order")
    func pause() throws {
        let bus = Harness()
        bus.send(BF.ready("s", credit: 10), from: "w")
        bus.send(BF.ask("s", "0", tag: 0), from: "c")
        let first = try #require(bus.take("w").first)
        #expect(bus.pause("s"))
        for tag in 1...3 { bus.send(BF.ask("s", "\(tag)", tag: UInt64(tag)), from: "c") }
        bus.send(BF.reply(BF.token(first)), from: "w")
        #expect(bus.take("c").count == 1)
        #expect(bus.take("w").isEmpty)
        #expect(bus.service("s")?.paused == true)
        #expect(bus.service("s")?.queued == 3)
        #expect(bus.resume("s"))
        #expect(bus.take("w").map { $0[1] } == [text("1"), text("2"), text("3")])
        #expect(!bus.resume("unknown"))
    }

    @Test("no more services are paused than the limit says; one that is may be paused again")
    func pausesMax() {
        var limits = Limits()
        limits.pauses = 2
        let bus = Harness(limits)
        #expect(bus.pause("a") && bus.pause("b"))
        #expect(!bus.pause("c"))
        #expect(bus.pause("a", forMs: 500))
        bus.pass(ms: 600)
        #expect(bus.pause("c"))
    }

    @Test("a pause of a given length ends by itself")
    func pauseThatEnds() {
        let bus = Harness()
        bus.send(BF.ready("s", credit: 10), from: "w")
        #expect(bus.pause("s", forMs: 500))
        bus.send(BF.ask("s"), from: "c")
        bus.pass(ms: 400)
        #expect(!bus.take("w").contains { $0.count == 2 })
        bus.pass(ms: 200)
        #expect(bus.take("w").contains { $0.count == 2 })
        // Resumed and paused anew, the first end counts no longer.
        #expect(bus.pause("s", forMs: 500))
        #expect(bus.resume("s"))
        #expect(bus.pause("s"))
        bus.send(BF.ask("s"), from: "c")
        bus.pass(ms: 900)
        #expect(!bus.take("w").contains { $0.count == 2 })
        #expect(bus.service("s")?.paused == true)
    }

    @Test("a queue that several hold back flows when the last of them lets go")
    func pausedByTwo() {
        let bus = Harness()
        bus.send(BF.ready("s", credit: 10), from: "w")
        #expect(bus.pause("s") && bus.pause("s", by: "swap", forMs: 500))
        bus.send(BF.ask("s"), from: "c")
        #expect(bus.resume("s", by: "swap") && bus.service("s")?.paused == true)
        #expect(bus.pause("s", by: "swap", forMs: 500))
        bus.pass(ms: 600)
        #expect(bus.service("s")?.paused == true)
        #expect(!bus.take("w").contains { $0.count == 2 })
        #expect(bus.pause("s", by: "swap", forMs: 500) && bus.resume("s"))
        #expect(bus.service("s")?.paused == true)
        bus.pass(ms: 600)
        #expect(bus.take("w").contains { $0.count == 2 })
        // So many at most.
        #expect((0..<8).allSatisfy { bus.pause("s", by: "\($0)") } && !bus.pause("s", by: "another"))
    }

    @Test("an ask of try. and the service's name passes a pause and the queue, and its answer names it so")
    func trial() throws {
        let bus = Harness()
        bus.send(BF.ready("s", credit: 1), from: "w")
        #expect(bus.pause("s"))
        bus.send(BF.ask("s", "waits"), from: "c")
        bus.send(MDP01.ask("try.s", "first"), from: "foreign")
        bus.send(BF.ask("try.s", "second", tag: 9), from: "c")
        #expect(bus.service("s")?.queued == 2)
        let first = try #require(bus.take("w").first)
        #expect(first[1] == text("first"))
        bus.send(BF.reply(BF.token(first)), from: "w")
        #expect(bus.take("foreign") == [[empty, text("MDPC01"), text("try.s"), text("reply")]])
        let second = try #require(bus.take("w").first)
        #expect(second[1] == text("second"))
        bus.send(BF.reply(BF.token(second)), from: "w")
        #expect(bus.take("c") == [[BF.answer(tag: 9), text("reply")]])
        #expect(bus.take("w").isEmpty)
        #expect(bus.resume("s"))
        #expect(bus.take("w").map { $0[1] } == [text("waits")])
    }

    @Test("a trial that never left goes before the next worker again; one without a worker ends like any ask")
    func trialLosses() {
        let bus = Harness()
        bus.send(BF.ready("s", credit: 1), from: "w")
        #expect(bus.pause("s"))
        bus.gone = ["w"]
        bus.send(BF.ask("try.s", "kept"), from: "c")
        bus.gone = []
        bus.send(BF.ready("s", credit: 1), from: "w2")
        #expect(bus.take("w2").map { $0[1] } == [text("kept")])
        bus.send(BF.ask("try.nobody", tag: 3), from: "c")
        bus.pass(ms: 11_000)
        #expect(bus.take("c").contains { $0[0] == BF.answer(tag: 3, status: 1) })
        bus.send(BF.ask("try.", tag: 4), from: "c")
        #expect(bus.take("c").map { $0[0] } == [BF.answer(tag: 4, status: 1)])
        bus.send(BF.ready("try.s", credit: 1), from: "w3")
        #expect(bus.take("w3") == [BF.disconnect])
    }

    @Test("bodies above the bound are refused, at the bound they pass")
    func bodySize() {
        let bus = Harness()
        bus.send(MDP01.ready("s"), from: "w")
        bus.send(MDP01.ask("s", String(repeating: "x", count: 1 << 20)), from: "c")
        #expect(bus.take("w").count == 1)
        bus.send(MDP01.ask("s", String(repeating: "x", count: 1 << 20 + 1)), from: "c")
        #expect(code(bus.take("c")[0][3]) == "bus.too_large")
        let frames = Message(repeating: text("x"), count: 33)
        bus.send([text("MDPC02"), [1], text("s")] + frames, from: "c")
        #expect(code(bus.take("c")[0][3]) == "bus.too_large")
        bus.send([text("MDPC02"), [1], text("s")] + frames.dropLast(), from: "c")
        #expect(bus.take("c").isEmpty)
    }

    @Test("one ask has one answer even if its client's routing id is long and its name was made up")
    func longRoutingIDs() {
        let bus = Harness()
        let long = String(repeating: "i", count: 255)
        let other = String(repeating: "i", count: 254) + "j"
        bus.send(BF.ask("s", tag: 1), from: long)
        bus.send(BF.ask("s", tag: 2), from: other)
        bus.send(BF.ready("s", credit: 9), from: "worker-with-a-long-name")
        for ask in bus.take("worker-with-a-long-name") {
            bus.send(BF.reply(BF.token(ask)), from: "worker-with-a-long-name")
        }
        #expect(bus.take(long).map { $0[0] } == [BF.answer(tag: 1)])
        #expect(bus.take(other).map { $0[0] } == [BF.answer(tag: 2)])
    }
}
