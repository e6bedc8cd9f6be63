import Bus
import Contracts
import Primitives
import Synchronization
import Testing
import Wire

@Suite("Subscribing to facts")
struct FactSubscriptionTests {
    @Test("a late subscriber reads everything, page after page, before it is ready", arguments: [0, 1, 700, 1200])
    func late(cursor: Int64) async throws {
        let harness = SubscriptionHarness(from: cursor, log: 1200)
        try await harness.subscription.catchUp(deadline: harness.soon)
        #expect(harness.sink.applied == Array(cursor..<1200).map { $0 + 1 })
        #expect(harness.subscription.position == 1200)
    }

    @Test("what is published is applied without asking anyone")
    func live() async throws {
        let harness = SubscriptionHarness()
        try await harness.running {
            harness.publish(3)
            harness.publish(200)
            await harness.sink.reach(203)
        }
        #expect(harness.sink.applied == Array(1...203))
        #expect(harness.transport.asked.isEmpty)
    }

    @Test("a gap is read from the log")
    func gap() async throws {
        let harness = SubscriptionHarness(losing: [2, 3])
        try await harness.running {
            harness.publish(5)
            await harness.sink.reach(5)
        }
        #expect(harness.sink.applied == Array(1...5))
    }

    @Test("a lost last fact is noticed by the head")
    func lostLast() async throws {
        let harness = SubscriptionHarness(losing: [3])
        try await harness.running {
            harness.publish(3)
            await harness.sink.reach(2)
            #expect(harness.transport.asked.isEmpty)
            harness.transport.publish([MemoryLog.head(3)])
            await harness.sink.reach(3)
        }
        #expect(harness.sink.applied == Array(1...3))
    }

    @Test("facts that cannot be read, or come under another's name, are gaps")
    func unreadable() async throws {
        let harness = SubscriptionHarness()
        try await harness.running {
            harness.log.append(2)
            var foreign = MemoryLog.fact(1)
            foreign.source = "mallory"
            foreign.data = Array("{}".utf8)
            harness.transport.publish([
                PublishedFact(type: foreign.type, envelope: foreign.json),
                PublishedFact(type: foreign.type, envelope: Array("garbage".utf8)),
                PublishedFact(type: MemoryLog.head(0).type, envelope: Array(#"{"head":"x"}"#.utf8))
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
        let harness = SubscriptionHarness(losing: [1])
        harness.log.fail(times: 1)
        try await harness.running {
            harness.publish(1)
            harness.transport.publish([MemoryLog.head(1)])
            await harness.sink.reach(1)
        }
        #expect(harness.sink.applied == [1])
    }

    @Test("however facts get lost, repeated and mixed up, all are applied once and in order")
    func anyDelivery() async throws {
        var random = SplitMix64.seeded()
        for _ in 0..<20 {
            let harness = SubscriptionHarness()
            try await harness.running {
                var delivery: [PublishedFact] = []
                for fact in harness.log.append(100) {
                    delivery += [PublishedFact](repeating: fact, count: [0, 1, 1, 1, 2][Int(random.next() % 5)])
                }
                for place in delivery.indices where random.next() % 4 == 0 {
                    delivery.swapAt(place, min(delivery.count - 1, place + Int(random.next() % 20)))
                }
                while !delivery.isEmpty {
                    let count = min(delivery.count, Int(1 + random.next() % 10))
                    harness.transport.publish(Array(delivery.prefix(count)))
                    delivery.removeFirst(count)
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
        await #expect(throws: Fault(.unavailable, "wallet's log has a hole")) {
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
            await early.subscription.run()
        }
        await task.value
    }
}

@Suite("Waiting for a fact")
struct FactWaitingTests {
    @Test("ends when the fact is applied, whether it was heard or has to be read")
    func reached() async throws {
        let harness = SubscriptionHarness(losing: [2])
        try await harness.running {
            harness.publish(2)
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
