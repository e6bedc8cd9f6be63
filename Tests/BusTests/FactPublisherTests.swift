import Bus
import Contracts
import Primitives
import Testing
import Wire

@Suite("Publishing facts")
struct FactPublisherTests {
    private struct Harness {
        let transport = MemoryTransport()
        let log: MemoryLog
        let publisher: FactPublisher<Wallet>

        init(log count: Int = 0, headInterval: Duration = .seconds(1)) {
            log = MemoryLog(count: count)
            publisher = FactPublisher(
                Wallet.self, on: Bus(name: "wallet", transport: transport), log: log, headInterval: headInterval)
        }

        var envelopes: [Envelope] { transport.published.compactMap { try? Envelope(json: $0.envelope) } }
        var sequences: [Int64] { envelopes.compactMap(\.sequence) }
        /// What was told by heads.
        var heads: [Int64] {
            envelopes.filter { $0.type == FactsHead<Wallet>.type.name }
                .compactMap { (try? FactsHead<Wallet>(json: $0.data))?.head }
        }

        /// Waits for a head.
        func head(_ head: Int64) async {
            while true {
                let count = transport.facts.count
                if heads.contains(head) { return }
                await transport.facts.reach(count + 1)
            }
        }
    }

    @Test("what the log has is published once and in order, however often its owner says that there is more")
    func committed() async {
        let harness = Harness()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    harness.log.append(30)
                    harness.publisher.committed()
                }
            }
        }
        await harness.transport.facts.reach(1200)
        #expect(harness.sequences == Array(1...1200))
        #expect(harness.transport.published.allSatisfy { $0.type == Wallet.PaymentClosed.type.name })
    }

    @Test("publication begins at the log's end: what is older was published by an earlier process")
    func start() async throws {
        let harness = Harness(log: 700)
        try await harness.publisher.start()
        harness.log.append(2)
        harness.publisher.committed()
        await harness.transport.facts.reach(2)
        #expect(harness.sequences == [701, 702])
    }

    @Test("facts at hand are published as they are")
    func atHand() async throws {
        let harness = Harness()
        let facts = harness.log.append(3)
        harness.publisher.publish(facts)
        #expect(harness.transport.published.map(\.envelope) == facts.map(\.envelope))
        // They count: what is read from the log afterwards begins behind them.
        harness.log.append(1)
        harness.publisher.committed()
        await harness.transport.facts.reach(4)
        #expect(harness.sequences == [1, 2, 3, 4])
    }

    @Test("a log that could not be read is read again at the next head, which tells how far it has come")
    func head() async throws {
        let harness = Harness()
        harness.log.append(2)
        harness.log.fail(times: 1)
        harness.publisher.committed()
        let publishing = Task { try await harness.publisher.publishHeads() }
        // Nothing more is committed: the head has the facts published, and a later head counts them.
        await harness.head(2)
        publishing.cancel()
        #expect(harness.sequences == [1, 2])
        let head = try #require(harness.envelopes.first { $0.type == FactsHead<Wallet>.type.name })
        #expect(head.source == "wallet" && head.sequence == nil)
        await #expect(throws: CancellationError.self) { try await publishing.value }
    }

    @Test("facts that two commit at the same time go out in the order of the log, and are read so")
    func overtaken() async throws {
        let harness = Harness()
        let facts = harness.log.append(5)
        harness.publisher.publish([facts[2], facts[3]])
        #expect(harness.sequences == [])
        harness.publisher.publish([facts[0]])
        harness.publisher.publish([facts[4]])
        #expect(harness.sequences == [1])
        harness.publisher.publish([facts[1], facts[0]])
        #expect(harness.sequences == [1, 2, 3, 4, 5])
        harness.log.fail(times: 1)
        let page = try await harness.publisher.reader.answer(
            ReadFacts(after: 0, limit: 10), in: AskContext(deadline: Timestamp(milliseconds: 0)))
        #expect(try page.facts.map { try Envelope(json: $0.bytes).sequence } == [1, 2, 3, 4, 5])
    }

    @Test("a fact whose predecessor never comes is published with it, from the log")
    func predecessorLost() async throws {
        let harness = Harness()
        let facts = harness.log.append(2)
        harness.publisher.publish([facts[1]])
        let publishing = Task { try await harness.publisher.publishHeads() }
        await harness.head(2)
        publishing.cancel()
        #expect(harness.sequences == [1, 2])
    }

    @Test("the head is told as soon as something is new", .timeLimit(.minutes(5)))
    func headMoves() async throws {
        let harness = Harness(headInterval: .seconds(3600))
        let publishing = Task { try await harness.publisher.publishHeads() }
        for head in 1...3 as ClosedRange<Int64> {
            harness.publisher.publish(harness.log.append(1))
            await harness.head(head)
        }
        publishing.cancel()
        await #expect(throws: CancellationError.self) { try await publishing.value }
    }

    @Test("readers near the end are answered from what was published last, the others from the log")
    func recent() async throws {
        let harness = Harness(log: 5)
        try await harness.publisher.start()
        harness.publisher.publish(harness.log.append(4))
        let reader = harness.publisher.reader
        let context = AskContext(deadline: Timestamp(milliseconds: 0))
        func sequences(after: Int64, limit: Int) async throws -> [Int64?] {
            try await reader.answer(ReadFacts(after: after, limit: limit), in: context).facts
                .map { try Envelope(json: $0.bytes).sequence }
        }
        #expect(try await sequences(after: 3, limit: 4) == [4, 5, 6, 7])
        harness.log.fail(times: 1)
        #expect(try await sequences(after: 5, limit: 10) == [6, 7, 8, 9])
        #expect(try await sequences(after: 7, limit: 1) == [8])
        await #expect(throws: Fault(.unavailable)) { try await sequences(after: 4, limit: 1) }
        #expect(try await sequences(after: 9, limit: 10) == [])
    }

    @Test("facts too long to be kept are read from the log, with those around them")
    func longOnes() async throws {
        let harness = Harness()
        harness.publisher.publish(harness.log.append(2))
        harness.publisher.publish([harness.log.append(ofBytes: 5000)])
        harness.publisher.publish(harness.log.append(1))
        let page = try await harness.publisher.reader.answer(
            ReadFacts<Wallet>(after: 1, limit: 10), in: AskContext(deadline: Timestamp(milliseconds: .max)))
        #expect(try page.facts.map { try Envelope(json: $0.bytes).sequence } == [2, 3, 4])
    }

    @Test("a reader who has all that was published gets what is committed already and not published yet")
    func aheadOfPublication() async throws {
        let harness = Harness()
        harness.publisher.publish(harness.log.append(3))
        harness.log.append(2)
        let page = try await harness.publisher.reader.answer(
            ReadFacts<Wallet>(after: 3, limit: 10), in: AskContext(deadline: Timestamp(milliseconds: .max)))
        #expect(try page.facts.map { try Envelope(json: $0.bytes).sequence } == [4, 5])
        #expect(page.head == 5)
    }

    @Test("a reader gets all that the owner had told of before it asked, though it is not published yet")
    func toldBefore() async throws {
        let harness = Harness()
        harness.publisher.publish(harness.log.append(3))
        harness.log.fail(times: 1)
        harness.log.append(2)
        harness.publisher.committed()
        while harness.log.isFailing { await Task.yield() }
        // Nobody publishes the two before the next head.
        let page = try await harness.publisher.reader.answer(
            ReadFacts<Wallet>(after: 0, limit: 10), in: AskContext(deadline: Timestamp(milliseconds: .max)))
        #expect(try page.facts.map { try Envelope(json: $0.bytes).sequence } == [1, 2, 3, 4, 5])
        #expect(page.head == 5)
    }

    @Test("readers get a page; what they may not ask for is refused")
    func reader() async throws {
        let harness = Harness(log: 5)
        let reader = harness.publisher.reader
        let context = AskContext(deadline: Timestamp(milliseconds: 0))
        let page = try await reader.answer(ReadFacts(after: 2, limit: 2), in: context)
        #expect(try page.facts.map { try Envelope(json: $0.bytes).sequence } == [3, 4])
        #expect(page.head == 5)
        for (after, limit) in [(-1, 1), (0, 0), (0, 1001), (0, -1)] as [(Int64, Int)] {
            let fault = await #expect(throws: Fault.self) {
                try await reader.admit(ReadFacts(after: after, limit: limit), in: context)
            }
            #expect(fault?.code == .malformed)
        }
        harness.log.fail(times: 1)
        await #expect(throws: Fault(.unavailable)) {
            try await reader.answer(ReadFacts(after: 0, limit: 1), in: context)
        }
    }
}
