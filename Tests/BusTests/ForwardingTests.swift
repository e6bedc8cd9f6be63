import Bus
import Contracts
import Primitives
import Synchronization
import TestKit
import Testing
import Wire

@Suite("Forwarding")
struct ForwardingTests {
    private static let actor = Actor(role: .customer, party: PartyID(high: 1, low: 2))
    private static let card = Wallet.CardView(
        card: CardID(high: 3, low: 4), lastFour: "1234", balance: Money(5), available: Money(5), isDefault: true)

    /// What `answer` throws; nil: it replies.
    private final class Refusal: Sendable {
        let fault = Mutex(Fault?.none)
    }

    /// Forwards the ask for all cards as one for the default card; without an actor, `answer` runs.
    private struct Cards: Forwarding {
        let answered = Counter()
        let refusal = Refusal()

        func forward(
            _ ask: Wallet.ReadCards, in context: AskContext
        ) throws(Fault) -> Forward<Wallet.ReadCard, Wallet.ReadCards.Reply>? {
            guard let actor = context.actor else { return nil }
            guard actor.party == ask.customer else { throw Fault(.forbidden) }
            return Forward(Wallet.ReadCard(customer: ask.customer), in: context.by(context.deadline - .seconds(1))) {
                Wallet.ReadCards.Reply(cards: [$0])
            }
        }

        func answer(_ ask: Wallet.ReadCards, in context: AskContext) async throws(Fault) -> Wallet.ReadCards.Reply {
            answered.add(1)
            if let fault = refusal.fault.withLock(\.self) { throw fault }
            return Wallet.ReadCards.Reply(cards: [])
        }
    }

    private final class Harness: Sendable {
        let transport: MemoryTransport
        let clock = ManualClock()
        let cards = Cards()

        /// - Parameter script: the outcome of the n-th forwarded ask.
        init(_ script: @escaping @Sendable (Int) -> TransportAnswer) {
            transport = MemoryTransport { number, _ in script(number) }
            var builder = Answerer.Builder()
            builder.answer(with: cards)
            Answerer(builder, on: Bus(name: "payments", transport: transport, clock: clock.wall))
                .start(service: "wallet", credit: 10)
        }

        func deliver(
            actor: Actor? = ForwardingTests.actor, customer: PartyID = ForwardingTests.actor.party, data: [UInt8]? = nil
        ) async throws -> Envelope {
            let ask = Envelope(
                id: "ask \"1\"", source: "gateway", type: Wallet.ReadCards.type.name, correlationID: "first\n",
                traceparent: "00-a-b-01", expiryTime: clock.now + .seconds(5), idempotencyKey: "key", actor: actor,
                data: data ?? Wallet.ReadCards(customer: customer).json)
            guard case .envelope(let bytes) = await transport.deliver(ask.json) else { throw Fault(.noWorker) }
            return try Envelope(json: bytes)
        }
    }

    private static func answered(_ data: [UInt8], as ending: String = ".reply") -> TransportAnswer {
        .envelope(
            Envelope(id: "answer", source: "wallet", type: Wallet.ReadCard.type.name + ending, data: data).json)
    }

    @Test("the reply of the one ask is the answer; the ask's attributes go on as they are")
    func forwarded() async throws {
        let harness = Harness { _ in Self.answered(Self.card.json) }
        try check(reply: await harness.deliver(), in: harness)
        try check(try #require(harness.transport.asked.first), in: harness)
        #expect(harness.cards.answered.count == 0)
    }

    private func check(reply: Envelope, in harness: Harness) throws {
        #expect(reply.type == Wallet.ReadCards.type.reply && reply.source == "payments")
        #expect(reply.causationID == "ask \"1\"" && reply.correlationID == "first\n")
        #expect(reply.traceparent == "00-a-b-01" && reply.time == harness.clock.now)
        #expect(reply.actor == nil && reply.idempotencyKey == nil && reply.expiryTime == nil)
        #expect(try Wallet.ReadCards.Reply(json: reply.data).cards == [Self.card])
    }

    private func check(_ asked: MemoryTransport.Asked, in harness: Harness) throws {
        #expect(asked.service == "wallet" && asked.retry == .idempotent)
        #expect(asked.deadline == harness.clock.now + .seconds(4))
        let forwarded = try Envelope(json: asked.body)
        #expect(forwarded.type == Wallet.ReadCard.type.name && forwarded.source == "payments")
        #expect(forwarded.causationID == "ask \"1\"" && forwarded.correlationID == "first\n")
        #expect(forwarded.traceparent == "00-a-b-01" && forwarded.expiryTime == asked.deadline)
        #expect(forwarded.idempotencyKey == "key" && forwarded.actor == Self.actor)
        #expect(try Wallet.ReadCard(json: forwarded.data) == .init(customer: Self.actor.party))
    }

    @Test("refusals of either side are the answer")
    func refused() async throws {
        let harness = Harness { _ in Self.answered(Fault(.noCard).json, as: ".fault") }
        let refused = try await harness.deliver()
        #expect(refused.type == Wallet.ReadCards.type.fault)
        #expect(try Fault(json: refused.data) == Fault(.noCard))
        #expect(try Fault(json: await harness.deliver(customer: PartyID(high: 9, low: 9)).data).code == .forbidden)
        #expect(try Fault(json: await harness.deliver(data: Array("{}".utf8)).data).code == .malformed)
        #expect(harness.transport.asked.count == 1 && harness.cards.answered.count == 0)
    }

    @Test("an ask that may have been done leaves a doubt, which ends with the owner's decision")
    func doubt() async throws {
        let harness = Harness { _ in .refused(.workerLost) }
        func fault(after last: Fault) async throws -> FaultCode {
            harness.cards.refusal.fault.withLock { $0 = last }
            return try Fault(json: await harness.deliver().data).code
        }
        for code in [FaultCode.noWorker, .queueFull, .deadlineExceeded] {
            #expect(try await fault(after: Fault(code)) == .workerLost)
        }
        for code in [FaultCode.outcomeUnknown, .insufficientFunds] {
            #expect(try await fault(after: Fault(code)) == code)
        }
    }

    @Test("an ask for which no time is left is refused as the try before it was")
    func late() async throws {
        let harness = Harness { _ in .refused(.noWorker) }
        for (last, all) in [
            (FaultCode.deadlineExceeded, FaultCode.noWorker), (.queueFull, .queueFull), (.noCard, .noCard)
        ] {
            harness.cards.refusal.fault.withLock { $0 = Fault(last) }
            #expect(try Fault(json: await harness.deliver().data).code == all)
        }
    }

    @Test("more than one ask, and an ask that the bus could not deliver, are left to answer")
    func leftToAnswer() async throws {
        let harness = Harness { number in number == 0 ? .refused(.workerLost) : Self.answered(Array("1".utf8)) }
        #expect(try Wallet.ReadCards.Reply(json: await harness.deliver(actor: nil).data).cards == [])
        #expect(harness.cards.answered.count == 1 && harness.transport.asked.isEmpty)
        #expect(try Wallet.ReadCards.Reply(json: await harness.deliver().data).cards == [])
        #expect(harness.cards.answered.count == 2)
        // An answer that cannot be read may be one to something that was done.
        #expect(try Wallet.ReadCards.Reply(json: await harness.deliver().data).cards == [])
        #expect(harness.cards.answered.count == 3)
    }
}
