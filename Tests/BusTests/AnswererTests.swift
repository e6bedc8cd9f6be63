import Bus
import Contracts
import Primitives
import Synchronization
import TestKit
import Testing
import Wire

@Suite("Answering")
struct AnswererTests {
    private static let customer = PartyID(high: 1, low: 2)

    /// Answers with cards as told, and remembers what it was asked.
    private struct Cards: Answering {
        let contexts = Contexts()
        var answer: @Sendable (Wallet.ReadCards) throws(Fault) -> [Wallet.CardView] = { _ throws(Fault) in [] }

        func answer(_ ask: Wallet.ReadCards, in context: AskContext) async throws(Fault) -> Wallet.ReadCards.Reply {
            contexts.add(context)
            return Wallet.ReadCards.Reply(cards: try answer(ask))
        }
    }

    private final class Contexts: Sendable {
        private let all = Mutex<[AskContext]>([])
        func add(_ context: AskContext) { all.withLock { $0.append(context) } }
        var seen: [AskContext] { all.withLock { $0 } }
    }

    private struct Harness {
        let transport = MemoryTransport()
        let clock = ManualClock()
        let bus: Bus

        init(_ build: (inout Answerer.Builder) -> Void) {
            bus = Bus(name: "wallet", transport: transport, clock: clock.wall)
            var builder = Answerer.Builder()
            build(&builder)
            Answerer(builder, on: bus).start(service: "wallet", credit: 10)
        }
    }

    private func harness(_ cards: Cards = Cards()) -> Harness { Harness { $0.answer(with: cards) } }

    private func ask(
        _ type: String = Wallet.ReadCards.type.name, id: String = "ask-1", expires: Timestamp? = nil,
        data: [UInt8] = Wallet.ReadCards(customer: customer).json
    ) -> Envelope {
        Envelope(id: id, source: "gateway", type: type, traceparent: "00-a-b-01", expiryTime: expires, data: data)
    }

    private func envelope(_ answer: TransportAnswer) throws -> Envelope {
        guard case .envelope(let bytes) = answer else { throw Fault(.noWorker) }
        return try Envelope(json: bytes)
    }

    private func fault(_ answer: TransportAnswer) throws -> Fault {
        let envelope = try envelope(answer)
        #expect(envelope.type.hasSuffix(".fault") || envelope.type == "bus.fault.v1")
        return try Fault(json: envelope.data)
    }

    @Test("a reply names what it answers")
    func reply() async throws {
        let cards = Cards()
        let harness = harness(cards)
        let reply = try envelope(await harness.transport.deliver(ask().json))
        #expect(reply.type == "wallet.cards.read.v1.reply")
        #expect(reply.source == "wallet")
        #expect(reply.causationID == "ask-1")
        #expect(reply.correlationID == "ask-1")
        #expect(reply.traceparent == "00-a-b-01")
        #expect(reply.time == harness.clock.now)
        #expect(try Wallet.ReadCards.Reply(json: reply.data).cards == [])
        let context = try #require(cards.contexts.seen.first)
        #expect(context.causationID == "ask-1" && context.correlationID == "ask-1")
        // Who sets no deadline has one nevertheless.
        #expect(context.deadline == harness.clock.now + Answerer.deadlineDefault)
    }

    @Test(
        "what cannot be read is refused as malformed, under no ask's type",
        arguments: [
            "", "garbage", "{}", #"{"specversion":"1.0","id":"","source":"s","type":"wallet.cards.read.v1"}"#
        ])
    func malformed(text: String) async throws {
        let answer = await harness().transport.deliver(Array(text.utf8))
        #expect(try fault(answer).code == .malformed)
        #expect(try envelope(answer).type == "bus.fault.v1")
        #expect(try envelope(answer).causationID == nil)
    }

    @Test("what was too long to be handed on is refused as too large")
    func tooLarge() async throws {
        let transport = harness().transport
        #expect(try fault(await transport.deliver(nil)).code == .tooLarge)
        let long = ask(data: JSONValue.string(String(repeating: "x", count: Envelope.bytesMax)).text.utf8.map { $0 })
        #expect(try fault(await transport.deliver(long.json)).code == .tooLarge)
    }

    @Test(
        "another service's type, an unknown one and an unknown version are refused",
        arguments: [
            "auth.account.read.v1", "wallet.cards.steal.v1", "wallet.cards.read.v2", "wallet.cards.read.v1.reply"
        ])
    func unknownType(type: String) async throws {
        let answer = await harness().transport.deliver(ask(type).json)
        #expect(try fault(answer).code == .unknownType)
        #expect(try envelope(answer).type == type + ".fault")
    }

    @Test("data that cannot be read is refused with the field's name")
    func unreadableData() async throws {
        let transport = harness().transport
        let detail = try fault(await transport.deliver(ask(data: Array(#"{"customer":1}"#.utf8)).json))
        #expect(detail.code == .malformed)
        #expect(detail.detail == "'data.customer' must be of type string")
    }

    @Test("the earlier of the two deadlines holds, and an ask past it never reaches its handler")
    func deadlines() async throws {
        let cards = Cards()
        let harness = harness(cards)
        let (now, later) = (harness.clock.now, harness.clock.now + .seconds(1))
        for (frame, expires) in [(now, later), (later, now), (now, nil), (nil, now), (now - .seconds(1), now)] {
            let answer = await harness.transport.deliver(ask(expires: expires).json, deadline: frame)
            #expect(try fault(answer).code == .deadlineExceeded)
        }
        #expect(cards.contexts.seen.isEmpty)
        for (frame, expires) in [(later, nil), (nil, later), (later, later + .seconds(9)), (later + .seconds(9), later)]
        {
            _ = try envelope(await harness.transport.deliver(ask(expires: expires).json, deadline: frame))
            #expect(cards.contexts.seen.last?.deadline == later)
        }
    }

    @Test("a handler's refusal is told as it is")
    func refusal() async throws {
        let refusal = Fault(.cardNotFound, "no card ends with 3456", retryAfterSeconds: 3, replayed: true)
        let answer = await harness(Cards(answer: { _ throws(Fault) in throw refusal })).transport.deliver(ask().json)
        #expect(try fault(answer) == refusal)
        #expect(try envelope(answer).type == "wallet.cards.read.v1.fault")
        #expect(try envelope(answer).causationID == "ask-1")
    }

    @Test("an answer that does not fit into an envelope becomes a refusal")
    func largeAnswer() async throws {
        let card = Wallet.CardView(
            card: CardID(high: 1, low: 1), lastFour: "3456", balance: Money(1), available: Money(1), isDefault: false)
        let cards = [Wallet.CardView](repeating: card, count: 1000)
        let answer = await harness(Cards(answer: { _ throws(Fault) in cards })).transport.deliver(ask().json)
        #expect(try fault(answer).code == .tooLarge)
        #expect(try envelope(answer).type == "wallet.cards.read.v1.fault")
    }

    @Test("an answer that does not fit leaves the outcome of a change unknown")
    func largeAnswerOfAChange() async throws {
        struct Items: Answering {
            func answer(_ ask: Ordering.AddItem, in context: AskContext) async throws(Fault) -> Ordering.OrderReply {
                let order = Ordering.AddItem.examples.reply.order
                return Ordering.OrderReply(
                    order: Ordering.OrderView(
                        order: order.order, state: order.state, number: nil, merchant: order.merchant,
                        merchantName: order.merchantName, customer: order.customer, customerName: nil,
                        country: order.country, countryName: order.countryName,
                        lines: order.lines + Array(repeating: order.lines[0], count: 1000), total: order.total,
                        begun: order.begun, paid: nil, ready: nil, entry: nil, successor: nil, refunded: nil),
                    replayed: false)
            }
        }
        let add = ask(Ordering.AddItem.type.name, data: Ordering.AddItem.examples.ask.json)
        let answer = await Harness { $0.answer(with: Items()) }.transport.deliver(add.json)
        #expect(try fault(answer).code == .outcomeUnknown)
    }

    @Test(
        "attributes so long that no answer could repeat them are refused, too",
        arguments: [
            "wallet.cards.read.v1", "wallet.cards.read.v2"
        ])
    func longAttributes(type: String) async throws {
        let transport = harness().transport
        let long = String(repeating: "x", count: 40_000)
        let answer = await transport.deliver(ask(type, id: long).json)
        #expect(try fault(answer).code == .malformed)
        #expect(try envelope(answer).causationID == nil)
        for (count, code) in [(255, FaultCode.unknownType), (256, .malformed)] {
            let answer = await transport.deliver(ask("wallet.unheard", id: String(repeating: "x", count: count)).json)
            #expect(try fault(answer).code == code)
        }
        // As long as an ask's type can be, so that the refusal's, which names it, cannot be written.
        let overhead = ask("x").json.count - 1
        let typed = await transport.deliver(ask(String(repeating: "x", count: Envelope.bytesMax - overhead)).json)
        #expect(try fault(typed).code == .malformed)
    }

    // MARK: Batches

    /// Answers each ask with its id, and every third with a refusal.
    private final class Echo: BatchAnswering {
        let types: [MessageType] = [Wallet.PostPayment.type, Wallet.PostRefund.type]
        private let seen = Mutex<[[String]]>([])
        /// The ids of each batch.
        var batches: [[String]] { seen.withLock { $0 } }

        func answer(_ batch: [Inbound]) -> [Outcome] {
            seen.withLock { $0.append(batch.map(\.envelope.id)) }
            return batch.enumerated().map { index, inbound in
                index % 3 == 2
                    ? .fault(Fault(.holdVoided, inbound.envelope.id))
                    : .reply(Array(JSONValue.string(inbound.envelope.id).text.utf8))
            }
        }
    }

    @Test("asks that came together are answered together, each with its own outcome")
    func batches() async throws {
        let echo = Echo()
        let harness = Harness {
            $0.answer(inBatches: echo)
            $0.answer(with: Cards())
        }
        let ids = (0..<10).map { "ask-\($0)" }
        var bodies = ids.enumerated().map { index, id in
            ask(index % 2 == 0 ? Wallet.PostPayment.type.name : Wallet.PostRefund.type.name, id: id).json
        }
        // Others in between do not mix up who gets what.
        bodies.insert(ask(id: "single").json, at: 3)
        bodies.insert(Array("garbage".utf8), at: 5)
        let answers = await harness.transport.deliver(together: bodies)
        #expect(echo.batches == [ids])
        try checkBatch(answers, ids)
    }

    private func checkBatch(_ answers: [TransportAnswer], _ ids: [String]) throws {
        #expect(try envelope(answers[3]).causationID == "single")
        #expect(try fault(answers[5]).code == .malformed)
        let batch = answers.indices.filter { $0 != 3 && $0 != 5 }.map { answers[$0] }
        for (index, answer) in batch.enumerated() {
            let envelope = try envelope(answer)
            #expect(envelope.causationID == ids[index])
            if index % 3 == 2 {
                #expect(try fault(answer) == Fault(.holdVoided, ids[index]))
            } else {
                #expect(envelope.data.elementsEqual("\"\(ids[index])\"".utf8))
            }
        }
    }

    @Test("every outcome is observed under its type and refusal")
    func observed() async throws {
        let transport = MemoryTransport()
        let seen = Mutex<[String]>([])
        let count = Counter()
        var builder = Answerer.Builder()
        builder.answer(inBatches: Echo())
        builder.answer(with: Cards(answer: { _ throws(Fault) in throw Fault(.noCard) }))
        Answerer(builder, on: Bus(name: "wallet", transport: transport)) { ask, _, code in
            seen.withLock { $0.append("\(ask.type) \(code?.code ?? "-")") }
            count.add(1)
        }.start(service: "wallet", credit: 1)
        _ = await transport.deliver(ask(Wallet.PostPayment.type.name).json)
        await count.reach(1)
        _ = await transport.deliver(ask().json)
        await count.reach(2)
        #expect(seen.withLock { $0 } == ["wallet.payment.post.v1 -", "wallet.cards.read.v1 wallet.no_card"])
    }
}
