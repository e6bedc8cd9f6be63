import Bus
import Contracts
import Primitives
import Testing
import Wire

@Suite("Relaying")
struct RelayTests {
    private static let actor = Actor(role: .customer, party: PartyID(high: 1, low: 2))
    private static let card = Wallet.CardView(
        card: CardID(high: 3, low: 4), lastFour: "1234", balance: Money(5), available: Money(5), isDefault: true)

    /// A customer's cards are the one that the wallet tells of; whoever is not known here is answered the long way.
    private struct Cards: Relaying {
        let long = Counter()

        func relay(
            _ ask: Wallet.ReadCards, in context: AskContext
        ) throws(Fault) -> Relay<Wallet.ReadCard, Wallet.ReadCards.Reply>? {
            guard let actor = context.actor else { return nil }
            guard actor.party == ask.customer else { throw Fault(.forbidden) }
            return Relay(Wallet.ReadCard(customer: ask.customer), in: context.by(context.deadline - .seconds(1))) {
                Wallet.ReadCards.Reply(cards: [$0])
            }
        }

        func answer(_ ask: Wallet.ReadCards, in context: AskContext) async throws(Fault) -> Wallet.ReadCards.Reply {
            long.add(1)
            return Wallet.ReadCards.Reply(cards: [])
        }
    }

    private final class Harness: Sendable {
        let transport: MemoryTransport
        let clock = TestClock()
        let cards = Cards()

        /// - Parameter script: what becomes of what is passed on.
        init(_ script: @escaping @Sendable (Int) -> TransportAnswer) {
            transport = MemoryTransport { number, _ in script(number) }
            var builder = Answerer.Builder()
            builder.answer(with: cards)
            Answerer(builder, on: Bus(name: "desk", transport: transport, clock: clock.wall))
                .start(service: "wallet", credit: 10)
        }

        func deliver(
            actor: Actor? = RelayTests.actor, customer: PartyID = RelayTests.actor.party, data: [UInt8]? = nil
        ) async throws -> Envelope {
            let ask = Envelope(
                id: "ask \"1\"", source: "gateway", type: Wallet.ReadCards.type.name, correlationID: "first\n",
                traceparent: "00-a-b-01", expiryTime: clock.now + .seconds(5), idempotencyKey: "key", actor: actor,
                data: data ?? Wallet.ReadCards(customer: customer).json)
            guard case .envelope(let bytes) = await transport.deliver(ask.json) else { throw Fault(.noWorker) }
            return try Envelope(json: bytes)
        }
    }

    private static func told(_ data: [UInt8], as ending: String = ".reply") -> TransportAnswer {
        .envelope(
            Envelope(id: "answer", source: "wallet", type: Wallet.ReadCard.type.name + ending, data: data).json)
    }

    @Test("what comes of the one ask is the answer; texts of the ask are handed on as they are")
    func passedOn() async throws {
        let harness = Harness { _ in Self.told(Self.card.json) }
        try check(reply: await harness.deliver(), in: harness)
        try check(try #require(harness.transport.asked.first), in: harness)
        #expect(harness.cards.long.count == 0)
    }

    private func check(reply: Envelope, in harness: Harness) throws {
        #expect(reply.type == Wallet.ReadCards.type.reply && reply.source == "desk")
        #expect(reply.causationID == "ask \"1\"" && reply.correlationID == "first\n")
        #expect(reply.traceparent == "00-a-b-01" && reply.time == harness.clock.now)
        #expect(reply.actor == nil && reply.idempotencyKey == nil && reply.expiryTime == nil)
        #expect(try Wallet.ReadCards.Reply(json: reply.data).cards == [Self.card])
    }

    private func check(_ asked: MemoryTransport.Asked, in harness: Harness) throws {
        #expect(asked.service == "wallet" && asked.retry == .idempotent)
        #expect(asked.deadline == harness.clock.now + .seconds(4))
        let passed = try Envelope(json: asked.body)
        #expect(passed.type == Wallet.ReadCard.type.name && passed.source == "desk")
        #expect(passed.causationID == "ask \"1\"" && passed.correlationID == "first\n")
        #expect(passed.traceparent == "00-a-b-01" && passed.expiryTime == asked.deadline)
        #expect(passed.idempotencyKey == "key" && passed.actor == Self.actor)
        #expect(try Wallet.ReadCard(json: passed.data) == .init(customer: Self.actor.party))
    }

    @Test("refusals of either side are the answer")
    func refused() async throws {
        let harness = Harness { _ in Self.told(Fault(.noCard).json, as: ".fault") }
        let refused = try await harness.deliver()
        #expect(refused.type == Wallet.ReadCards.type.fault)
        #expect(try Fault(json: refused.data) == Fault(.noCard))
        #expect(try Fault(json: await harness.deliver(customer: PartyID(high: 9, low: 9)).data).code == .forbidden)
        #expect(try Fault(json: await harness.deliver(data: Array("{}".utf8)).data).code == .malformed)
        #expect(harness.transport.asked.count == 1 && harness.cards.long.count == 0)
    }

    @Test("what is more than one ask, and what the bus could not deliver, is answered the long way")
    func longWay() async throws {
        let harness = Harness { number in number == 0 ? .refused(.workerLost) : Self.told([1]) }
        #expect(try Wallet.ReadCards.Reply(json: await harness.deliver(actor: nil).data).cards == [])
        #expect(harness.cards.long.count == 1 && harness.transport.asked.isEmpty)
        #expect(try Wallet.ReadCards.Reply(json: await harness.deliver().data).cards == [])
        #expect(harness.cards.long.count == 2)
        // An answer that cannot be read may be one to something that was done.
        #expect(try Wallet.ReadCards.Reply(json: await harness.deliver().data).cards == [])
        #expect(harness.cards.long.count == 3)
    }
}
