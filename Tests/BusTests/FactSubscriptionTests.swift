import Bus
import Contracts
import Primitives
import Sodium
import TestKit
import Testing
import Wire

@Suite("Subscribing to facts")
struct FactSubscriptionTests {
    @Test("a late subscriber reads everything, page after page, before it is ready", arguments: [0, 1, 700, 1200])
    func late(cursor: Int64) async throws {
        let harness = SubscriptionHarness(from: FactPosition(sequence: cursor, mark: []), log: 1200)
        try await harness.subscription.catchUp(deadline: harness.soon)
        #expect(harness.sink.applied == Array(cursor..<1200).map { $0 + 1 })
        #expect(harness.subscription.position == 1200)
    }

    @Test("what the head tells of is read, many at a time")
    func live() async throws {
        let harness = SubscriptionHarness()
        try await harness.running {
            harness.publish(3)
            await harness.sink.reach(3)
            harness.publish(200)
            await harness.sink.reach(203)
        }
        #expect(harness.sink.applied == Array(1...203))
        #expect(harness.transport.asked.count < 10)
    }

    @Test("with a pause the first fact is read at once, what comes then together, and a full group without waiting")
    func pause() async throws {
        // Ends by itself after no test does.
        let harness = SubscriptionHarness(pause: .seconds(60))
        try await harness.running {
            harness.publish(1)
            await harness.sink.reach(1)
            let asked = harness.transport.asked.count
            for _ in 0..<9 { harness.publish(1) }
            try await harness.subscription.reached(2, deadline: harness.soon)
            #expect(harness.sink.applied == Array(1...10))
            #expect(harness.transport.asked.count == asked + 1)
            harness.publish(2 * FactSubscription<Wallet>.groupMax)
            try await harness.subscription.reached(11, deadline: harness.soon)
            await harness.sink.reach(10 + FactSubscription<Wallet>.groupMax)
        }
    }

    @Test("a pause ends by itself")
    func pauseEnds() async throws {
        let harness = SubscriptionHarness(pause: .milliseconds(5))
        try await harness.running {
            for count in 1...5 {
                harness.publish(1)
                await harness.sink.reach(count)
            }
        }
        #expect(harness.sink.applied == Array(1...5))
    }

    @Test("a head that was lost is made good by the next")
    func lostHead() async throws {
        let harness = SubscriptionHarness()
        try await harness.running {
            harness.log.append(3)
            harness.transport.publish([MemoryLog.head(4)])
            await harness.sink.reach(3)
            harness.log.append(1)
            await harness.sink.reach(4)
        }
        #expect(harness.sink.applied == Array(1...4))
    }

    @Test("heads that cannot be read, or come under another's name, are passed over")
    func unreadable() async throws {
        let harness = SubscriptionHarness()
        try await harness.running {
            harness.log.append(2)
            let type = MemoryLog.head(0).type
            let foreign = Envelope(id: "1", source: "mallory", type: type, data: FactsHead<Wallet>(head: 9).json)
            harness.transport.publish([
                PublishedFact(type: type, sequence: nil, envelope: foreign.json),
                PublishedFact(type: type, sequence: nil, envelope: Array("garbage".utf8)),
                PublishedFact(type: type, sequence: nil, envelope: Array(#"{"head":"x"}"#.utf8))
            ])
            harness.transport.publish([MemoryLog.head(2)])
            await harness.sink.reach(2)
        }
        #expect(harness.sink.applied == [1, 2])
    }

    @Test("an application that fails is tried again; nothing is lost and nothing applied twice")
    func applyFails() async throws {
        let harness = SubscriptionHarness()
        harness.sink.fail(times: 2)
        try await harness.running {
            harness.publish(3)
            await harness.sink.reach(3)
        }
        #expect(harness.sink.applied == [1, 2, 3])
        #expect(harness.failures.all.count == 2)
        #expect(harness.failures.all.allSatisfy { $0 is Sink.Trouble })
    }

    @Test("a log that cannot be read is read again")
    func logFails() async throws {
        let harness = SubscriptionHarness()
        harness.log.fail(times: 1)
        try await harness.running {
            harness.publish(1)
            await harness.sink.reach(1)
        }
        #expect(harness.sink.applied == [1])
    }

    @Test("however heads get lost, repeated and mixed up, all facts are applied once and in order")
    func anyDelivery() async throws {
        var random = SplitMix64.seeded()
        for _ in 0..<20 {
            let harness = SubscriptionHarness()
            try await harness.running {
                var heads: [Int64] = []
                while heads.last ?? 0 < 100 {
                    let count = Int(1 + random.next() % 10)
                    harness.log.append(min(count, 100 - Int(heads.last ?? 0)))
                    heads.append(min(100, (heads.last ?? 0) + Int64(count)))
                    // None, an old one, or the newest.
                    switch random.next() % 3 {
                    case 0: break
                    case 1: harness.transport.publish([MemoryLog.head(heads[Int(random.next() % UInt64(heads.count))])])
                    default: harness.transport.publish([MemoryLog.head(heads[heads.count - 1])])
                    }
                }
                harness.transport.publish([MemoryLog.head(100)])
                await harness.sink.reach(100)
            }
            #expect(harness.sink.applied == Array(1...100))
        }
    }

    @Test("pages that skip a fact are not applied")
    func skippingPage() async throws {
        let page = FactsPage(facts: [1, 3].map { RawJSON(MemoryLog.fact($0).json) }, head: 3)
        let harness = SubscriptionHarness(answering: page)
        await #expect(throws: Fault(.unavailable, "wallet gave fact 3 for 2")) {
            try await harness.subscription.catchUp(deadline: harness.soon)
        }
        #expect(harness.sink.applied == [])
    }

    @Test("a log that has not what it says it has is a failure, not an endless loop")
    func emptyLog() async throws {
        let harness = SubscriptionHarness(answering: FactsPage(facts: [], head: 7))
        await #expect(throws: Fault(.unavailable, "wallet's log lacks fact 1, of which it has told")) {
            try await harness.subscription.catchUp(deadline: harness.soon)
        }
        try await harness.running {
            harness.transport.publish([MemoryLog.head(7)])
            await harness.failures.reach(1)
        }
        // One ask for each failure told, and one that may have been under way.
        #expect(harness.transport.asked.count <= 2 + harness.failures.all.count)
    }

    @Test("cancellation ends a subscription that sleeps, and one that fails over and over")
    func cancellation() async throws {
        let asleep = SubscriptionHarness()
        try await asleep.running {}
        let failing = SubscriptionHarness(answering: FactsPage(facts: [], head: 0))
        try await failing.running {
            failing.transport.publish([MemoryLog.head(7)])
            await failing.failures.reach(1)
        }
        // Ended even if it is cancelled before it begins.
        let early = SubscriptionHarness()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await early.subscription.run { _ in }
        }
        await task.value
    }
}

@Suite("Waiting for a fact")
struct FactWaitingTests {
    @Test("ends when the fact has been read and applied")
    func reached() async throws {
        let harness = SubscriptionHarness()
        try await harness.running {
            // Nobody has heard of them but this waiter.
            harness.log.append(2)
            try await harness.subscription.reached(2, deadline: harness.soon)
            #expect(harness.sink.applied == [1, 2])
            // What has been applied needs no waiting, even when it is late.
            try await harness.subscription.reached(1, deadline: Timestamp(milliseconds: 0))
        }
    }

    @Test("ends at the deadline, and ends nobody else's wait")
    func deadline() async throws {
        let gate = Counter()
        let log = MemoryLog()
        let harness = SubscriptionHarness(log: log) { _, _ in
            await gate.reach(1)
            return nil
        }
        try await harness.running {
            // Registered once it has made the reader ask the log, which does not answer yet.
            let patient = Task { try await harness.subscription.reached(1, deadline: harness.soon) }
            await harness.transport.asks.reach(1)
            for late in [harness.now, Timestamp(milliseconds: 0), harness.now + .milliseconds(5)] {
                await #expect(throws: Fault(.deadlineExceeded)) {
                    try await harness.subscription.reached(9, deadline: late)
                }
            }
            log.append(9)
            gate.add(1)
            try await patient.value
            try await harness.subscription.reached(9, deadline: harness.soon)
        }
        #expect(harness.sink.applied == Array(1...9))
    }

    @Test("ends at once when it is cancelled")
    func cancelled() async throws {
        let harness = SubscriptionHarness()
        let waiting = Task { try await harness.subscription.reached(1, deadline: harness.soon) }
        waiting.cancel()
        await #expect(throws: Fault(.cancelled)) { try await waiting.value }
    }

    @Test("many wait for the same fact and for different ones")
    func many() async throws {
        let harness = SubscriptionHarness()
        try await harness.running {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        let sequence = Int64(1 + number % 10)
                        try await harness.subscription.reached(sequence, deadline: harness.soon)
                        #expect(harness.subscription.position >= sequence)
                    }
                }
                for _ in 0..<10 { harness.publish(1) }
                try await group.waitForAll()
            }
        }
        #expect(harness.sink.applied == Array(1...10))
    }
}

@Suite("A source that goes back")
struct FactsDivergedTests {
    /// A reader that has applied so many facts of a log.
    private func reader(of count: Int) -> FactPosition {
        FactPosition(sequence: Int64(count), mark: MemoryLog.fact(Int64(count)).mark)
    }

    @Test("a log that ends before what was read is noticed at the start", arguments: [true, false])
    func shorter(hasMark: Bool) async throws {
        let position = hasMark ? reader(of: 7) : FactPosition(sequence: 7, mark: [])
        let harness = SubscriptionHarness(from: position, log: 5)
        await #expect(throws: FactsDiverged(source: "wallet", position: 7, head: 5)) {
            try await harness.subscription.catchUp(deadline: harness.soon)
        }
        #expect(harness.sink.applied == [] && harness.subscription.diverged?.head == 5)
    }

    @Test("so is one that has grown again, past what was read and to just there", arguments: [7, 9])
    func regrown(count: Int) async throws {
        let harness = SubscriptionHarness(from: FactPosition(sequence: 7, mark: [1, 2, 3]), log: count)
        await #expect(throws: FactsDiverged(source: "wallet", position: 7, head: Int64(count))) {
            try await harness.subscription.catchUp(deadline: harness.soon)
        }
        #expect(harness.sink.applied == [])
    }

    @Test("a fact is the same whatever spaces and escapes it is written with; a mark of an earlier version holds too")
    func forms() {
        func fact(_ data: String) -> Envelope {
            Envelope(id: "fact", source: "wallet", type: "wallet.any.v1", sequence: 7, data: Array(data.utf8))
        }
        let plain = fact(#"{"memo":"Grüße/\"\n","list":[1,null]}"#)
        let other = fact(#"{ "memo": "Gr\u00fc\u00dfe\/\u0022\u000A", "list": [1, null] }"#)
        #expect(other.mark == plain.mark && other.isMarked(plain.mark))
        #expect(other.isMarked(Digest.blake2b(Array("wallet.any.v1\0\0".utf8) + other.data, length: 16)))
        #expect(fact(#"{"list":[1.5]}"#).mark != fact(#"{"list":[2.5]}"#).mark)
        #expect(!fact(#"{"list":[1,null],"memo":"Grüße/\"\n"}"#).isMarked(plain.mark))
    }

    @Test("the same log is read on, whatever was read by then", arguments: [0, 1, 63, 64, 65, 1100])
    func same(count: Int) async throws {
        let position = count == 0 ? 0 : reader(of: count)
        let harness = SubscriptionHarness(from: position, log: 1200)
        try await harness.subscription.catchUp(deadline: harness.soon)
        #expect(harness.sink.applied == Array(Int64(count + 1)...1200))
        #expect(harness.subscription.diverged == nil)
    }

    @Test("it is noticed while both run: by a head that is lower, and by the first head heard")
    func running() async throws {
        let lower = SubscriptionHarness(log: 3)
        try await lower.subscription.catchUp(deadline: lower.soon)
        lower.subscription.listen()
        let run = Task { await lower.subscription.run { _ in } }
        lower.log.forget(2)
        lower.transport.publish([MemoryLog.head(1)])
        // Ends by itself, as there is nothing more to read.
        await run.value
        #expect(lower.subscription.diverged == FactsDiverged(source: "wallet", position: 3, head: 1))

        let quiet = SubscriptionHarness(from: FactPosition(sequence: 3, mark: [9]), log: 3)
        quiet.subscription.listen()
        let other = Task { await quiet.subscription.run { _ in } }
        quiet.transport.publish([MemoryLog.head(3)])
        await other.value
        #expect(quiet.subscription.diverged?.position == 3)
    }

    @Test("a log of the same length with another last fact is noticed while nothing new comes")
    func idle() async throws {
        let harness = SubscriptionHarness(log: 3)
        try await harness.subscription.catchUp(deadline: harness.soon)
        harness.subscription.listen()
        let run = Task { await harness.subscription.run { _ in } }
        harness.log.replaceNewest()
        // One a second.
        for _ in 0..<30 { harness.transport.publish([MemoryLog.head(3)]) }
        await run.value
        #expect(harness.subscription.diverged == FactsDiverged(source: "wallet", position: 3, head: 3))
    }

    @Test("a moved cursor makes another log one that is read: from the fact behind the target on", arguments: [0, 2, 5])
    func moved(to end: Int64) async throws {
        let harness = SubscriptionHarness(from: FactPosition(sequence: 7, mark: [1]), log: 5)
        let (subscription, cursors) = (harness.subscription, Cursors())
        await #expect(throws: FactsDiverged.self) { try await subscription.catchUp(deadline: harness.soon) }
        let head = try await subscription.move(from: 7, to: end, in: cursors, deadline: harness.soon)
        let mark = end == 0 ? [] : MemoryLog.fact(end).mark
        #expect(head == 5 && cursors.stored == ["wallet": FactPosition(sequence: end, mark: mark)])
        #expect(subscription.diverged == nil && subscription.position == end && subscription.head == 5)
        try await subscription.catchUp(deadline: harness.soon)
        #expect(harness.sink.applied == Array(1...5).filter { $0 > end })
    }

    @Test("a cursor is moved while the source's queue is paused")
    func movedWhilePaused() async throws {
        let clock = ManualClock()
        let harness = SubscriptionHarness(from: reader(of: 7), log: MemoryLog(count: 5), clock: clock.wall) { _, ask in
            ask.service == "wallet" ? .refused(.deadlineExceeded) : nil
        }
        let subscription = harness.subscription
        for _ in 1...2 {
            await #expect(throws: (any Error).self) {
                try await subscription.catchUp(deadline: clock.now + .seconds(5))
            }
            clock.advance(.seconds(10))
        }
        #expect(subscription.diverged != nil)
        #expect(try await subscription.move(from: 7, to: 5, in: Cursors(), deadline: clock.now + .seconds(5)) == 5)
        #expect(subscription.position == 5 && subscription.diverged == nil)
    }

    @Test("a cursor is not moved from elsewhere, behind the log's end, or where the reader gets on by itself")
    func notMoved() async throws {
        let harness = SubscriptionHarness(from: reader(of: 5), log: 5)
        let (subscription, cursors) = (harness.subscription, Cursors())
        func refusal(from begin: Int64, to end: Int64) async -> FaultCode? {
            do throws(Fault) {
                _ = try await subscription.move(from: begin, to: end, in: cursors, deadline: harness.soon)
                return nil
            } catch { return error.code }
        }
        try await subscription.catchUp(deadline: harness.soon)
        #expect(await refusal(from: 5, to: 0) == .malformed)
        harness.log.forget(2)
        await #expect(throws: FactsDiverged.self) { try await subscription.catchUp(deadline: harness.soon) }
        #expect(await refusal(from: 4, to: 0) == .malformed)
        #expect(await refusal(from: 5, to: 4) == .malformed)
        #expect(cursors.stored.isEmpty && subscription.position == 5)
        #expect(await refusal(from: 5, to: 3) == nil)
    }

    @Test("a reader that is behind and gets no further has stopped after ten seconds, until it goes on")
    func stopped() async throws {
        let clock = ManualClock()
        let harness = SubscriptionHarness(clock: clock.wall)
        #expect(!harness.subscription.isStopped)
        harness.sink.fail(times: .max)
        try await harness.running {
            harness.publish(2)
            await harness.failures.reach(1)
            clock.advance(.milliseconds(9999))
            #expect(!harness.subscription.isStopped)
            clock.advance(.milliseconds(1))
            #expect(harness.subscription.isStopped)
            harness.sink.fail(times: 0)
            try await harness.subscription.reached(2, deadline: clock.now + .seconds(60))
            #expect(!harness.subscription.isStopped)
        }
        #expect(harness.sink.applied == [1, 2])
    }

    @Test("a reader that begins while the source's queue is paused gets to know that it has read everything")
    func beginsWhilePaused() async throws {
        let clock = ManualClock()
        let harness = SubscriptionHarness(from: reader(of: 3), log: MemoryLog(count: 3), clock: clock.wall) { _, ask in
            ask.service == "wallet" ? .refused(.deadlineExceeded) : nil
        }
        for _ in 1...2 {
            await #expect(throws: Fault(.deadlineExceeded)) {
                try await harness.subscription.catchUp(deadline: clock.now + .seconds(5))
            }
            clock.advance(.seconds(5))
        }
        try await harness.subscription.catchUp(deadline: clock.now + .seconds(5))
        #expect(harness.subscription.position == 3 && !harness.subscription.isStopped)
    }

    @Test("a reader that has stopped reads past the source's queue, which an operator may have paused")
    func pausedSource() async throws {
        let clock = ManualClock()
        let harness = SubscriptionHarness(clock: clock.wall) { _, ask in
            ask.service == "wallet" ? .refused(.deadlineExceeded) : nil
        }
        try await harness.running {
            harness.publish(2)
            await harness.failures.reach(1)
            #expect(harness.transport.asked.allSatisfy { $0.service == "wallet" })
            clock.advance(.seconds(10))
            await harness.sink.reach(2)
            #expect(harness.transport.asked.last?.service == "try.wallet")
            harness.publish(1)
            await harness.failures.reach(harness.failures.all.count + 1)
            #expect(harness.transport.asked.last?.service == "wallet")
        }
        #expect(harness.sink.applied == [1, 2])
    }

    @Test("two facts that have no room in one page are read one after the other")
    func long() async throws {
        let harness = SubscriptionHarness()
        try await harness.running {
            for number in 1...3 {
                _ = harness.log.append(ofBytes: 40_000)
                harness.publish(0)
                await harness.sink.reach(number)
            }
        }
        #expect(harness.sink.applied == [1, 2, 3] && harness.failures.all.isEmpty)
    }

    @Test("a lower head that was only late changes nothing")
    func lateHead() async throws {
        let harness = SubscriptionHarness()
        try await harness.running {
            harness.publish(3)
            await harness.sink.reach(3)
            harness.transport.publish([MemoryLog.head(1)])
            harness.publish(1)
            await harness.sink.reach(4)
        }
        #expect(harness.sink.applied == [1, 2, 3, 4] && harness.subscription.diverged == nil)
    }

    @Test("once the source has its log again it is read on")
    func healed() async throws {
        let harness = SubscriptionHarness(from: reader(of: 3), log: 1)
        await #expect(throws: FactsDiverged.self) { try await harness.subscription.catchUp(deadline: harness.soon) }
        harness.log.append(4)
        try await harness.subscription.catchUp(deadline: harness.soon)
        #expect(harness.sink.applied == [4, 5] && harness.subscription.diverged == nil)
    }
}
