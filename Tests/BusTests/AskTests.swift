import Bus
import Contracts
import Primitives
import TestKit
import Testing
import Wire

/// When the bus repeats an ask, and with what.
@Suite("Asking")
struct AskTests {
    private static let customer = PartyID(high: 1, low: 2)
    private static let reply = Wallet.ReadCards.Reply(cards: [])

    private static func envelope(_ type: String, _ data: [UInt8]) -> TransportAnswer {
        .envelope(Envelope(id: "1", source: "wallet", type: type, data: data).json)
    }

    /// Asks with the given class; returns the refusal, or nil if there was a reply.
    private func ask(_ retry: RetryClass, on bus: Bus, _ context: AskContext) async -> Fault? {
        do {
            switch retry {
            case .once: _ = try await bus.ask(Auth.OpenSession(username: "a", password: "b"), in: context)
            case .keyed:
                _ = try await bus.ask(
                    Wallet.VoidHold(operation: .init(high: 1, low: 1), hold: .init(high: 1, low: 2)), in: context)
            case .idempotent: _ = try await bus.ask(Wallet.ReadCards(customer: Self.customer), in: context)
            }
            return nil
        } catch {
            return error
        }
    }

    private static let classes: [RetryClass: [FaultCode]] = {
        // Nothing has happened: any ask may be repeated. Something may have: only what is safe twice.
        let nothing: [FaultCode] = [.noWorker, .queueFull]
        let something: [FaultCode] = [.workerLost, .unavailable]
        return [.once: nothing, .keyed: nothing + something, .idempotent: nothing + something]
    }()

    @Test(
        "a refusal is worth a repeat, or it is the answer", arguments: RetryClass.allCases,
        FaultCode.common + [.idReused])
    func repeats(retry: RetryClass, code: FaultCode) async throws {
        let transport = MemoryTransport { number, _ in .refused(number == 0 ? code : .forbidden) }
        let clock = ManualClock()
        let bus = Bus(name: "tests", transport: transport, clock: clock.wall)
        let fault = await ask(retry, on: bus, AskContext(deadline: clock.now + .seconds(1)))
        let isRepeated = Self.classes[retry]!.contains(code)
        #expect(fault?.code == (isRepeated ? .forbidden : code))
        let asked = transport.asked
        try #require(asked.count == (isRepeated ? 2 : 1))
        for ask in asked {
            #expect(ask.body == asked[0].body)  // the same id, the same key: the owner can tell that it is the same
            #expect(ask.retry == retry)
            #expect(ask.deadline == clock.now + .seconds(1))
            #expect(ask.service == (retry == .once ? "auth" : "wallet"))
        }
    }

    @Test("what a service does not declare to ask for is refused, and never leaves it")
    func undeclared() async throws {
        let transport = MemoryTransport { _, _ in .refused(.noWorker) }
        let bus = Bus(name: "offers", transport: transport)
        bus.declare(asks: [Auth.self], consumes: [Wallet.self])
        let context = AskContext(deadline: WallClock.system.now() + .milliseconds(5))
        await #expect(throws: Fault(.forbidden, "offers is not declared to ask for wallet.cards.read.v1")) {
            try await bus.ask(Wallet.ReadCards(customer: Self.customer), in: context)
        }
        #expect(transport.asked.isEmpty)
        await #expect(throws: Fault(.noWorker)) {
            try await bus.ask(ReadFacts<Wallet>(after: 0, limit: 1), in: context)
        }
        await #expect(throws: Fault(.noWorker)) {
            try await bus.ask(Auth.ReadAccount(account: Self.customer), in: context)
        }
        #expect(Set(transport.asked.map(\.service)) == ["auth", "wallet"])
    }

    @Test(
        "a try that may have done something leaves a doubt, which a later one that did nothing does not end",
        arguments: [FaultCode.workerLost, .unavailable], [FaultCode.noWorker, .queueFull, .deadlineExceeded])
    func doubt(first: FaultCode, last: FaultCode) async throws {
        let clock = ManualClock()
        let transport = MemoryTransport { number, _ in
            clock.advance(.milliseconds(30))
            return .refused(number == 0 ? first : last)
        }
        let bus = Bus(name: "tests", transport: transport, clock: clock.wall)
        let fault = await ask(.keyed, on: bus, AskContext(deadline: clock.now + .milliseconds(60)))
        #expect(fault?.code == first)
        #expect(transport.asked.count == 2)
    }

    @Test("a try for which no time was left is refused as the one before it")
    func spent() async throws {
        let clock = ManualClock()
        let transport = MemoryTransport { number, _ in
            clock.advance(.milliseconds(30))
            return .refused(number == 0 ? .noWorker : .deadlineExceeded)
        }
        let bus = Bus(name: "tests", transport: transport, clock: clock.wall)
        let fault = await ask(.keyed, on: bus, AskContext(deadline: clock.now + .milliseconds(60)))
        #expect(fault?.code == .noWorker)
        #expect(transport.asked.count == 2)
    }

    @Test("the owner's decision about a repeated ask ends the doubt")
    func decided() async throws {
        let refusal = Fault(.insufficientFunds, replayed: true)
        let transport = MemoryTransport { number, _ in
            number == 0 ? .refused(.workerLost) : Self.envelope("wallet.hold.void.v1.fault", refusal.json)
        }
        let bus = Bus(name: "tests", transport: transport)
        let fault = await ask(.keyed, on: bus, AskContext(deadline: bus.clock.now() + .seconds(5)))
        #expect(fault == refusal)
    }

    @Test("a reply after troubles is the reply")
    func recovers() async throws {
        let troubles: [FaultCode] = [.workerLost, .queueFull, .noWorker, .unavailable]
        let transport = MemoryTransport { number, _ in
            number < troubles.count
                ? .refused(troubles[number]) : Self.envelope(Wallet.ReadCards.type.reply, Self.reply.json)
        }
        let clock = ManualClock()
        let bus = Bus(name: "tests", transport: transport, clock: clock.wall)
        let context = AskContext(deadline: clock.now + .seconds(1))
        #expect(try await bus.ask(Wallet.ReadCards(customer: Self.customer), in: context) == Self.reply)
        #expect(transport.asked.count == troubles.count + 1)
    }

    @Test("an answer to another ask is none: its outcome is not this one's")
    func anothers() async throws {
        let type = Wallet.ReadCards.type.reply
        let transport = MemoryTransport { number, ask in
            let own = try? Envelope(json: ask.body).id
            return .envelope(
                Envelope(
                    id: "1", source: "wallet", type: type, causationID: number == 0 ? "ask-7" : own,
                    data: Self.reply.json
                ).json)
        }
        let clock = ManualClock()
        let bus = Bus(name: "tests", transport: transport, clock: clock.wall)
        let context = AskContext(deadline: clock.now + .seconds(1))
        #expect(try await bus.ask(Wallet.ReadCards(customer: Self.customer), in: context) == Self.reply)
        #expect(transport.asked.count == 2, "it is asked again, as after any answer that cannot be read")
    }

    @Test("a service's own refusal comes through whole and is not asked again")
    func refusal() async {
        let refusal = Fault(.insufficientFunds, "$3.50 of $1.00", retryAfterSeconds: 7, replayed: true)
        let transport = MemoryTransport { _, _ in Self.envelope("wallet.hold.void.v1.fault", refusal.json) }
        let bus = Bus(name: "tests", transport: transport)
        let fault = await ask(.keyed, on: bus, AskContext(deadline: bus.clock.now() + .seconds(5)))
        #expect(fault == refusal)
        #expect(transport.asked.count == 1)
    }

    @Test("a service that says when to come again is not asked before", arguments: RetryClass.allCases)
    func comesAgain(retry: RetryClass) async {
        let trouble = Fault(.unavailable, "the disk is full", retryAfterSeconds: 5)
        let transport = MemoryTransport { _, _ in Self.envelope("wallet.hold.void.v1.fault", trouble.json) }
        let bus = Bus(name: "tests", transport: transport)
        let fault = await ask(retry, on: bus, AskContext(deadline: bus.clock.now() + .seconds(60)))
        #expect(fault == trouble)
        #expect(transport.asked.count == 1)
    }

    /// What stands before `type` is kept for later, what stands behind it is read at once.
    @Test("a reply is read wherever its type stands, and as strictly", arguments: ["%t,%d", "%d,%t"])
    func order(attributes: String) async throws {
        func asked(_ type: String, _ data: String) async -> Result<Wallet.ReadCards.Reply, Fault> {
            let text = attributes.replacing("%t", with: #""type":"\#(type)""#).replacing(
                "%d", with: #""data":\#(data)"#)
            let frame = Array(#"{"specversion":"1.0","id":"1","source":"wallet",\#(text)}"#.utf8)
            let clock = ManualClock()
            let transport = MemoryTransport { _, _ in
                clock.advance(.milliseconds(50))
                return .envelope(frame)
            }
            let bus = Bus(name: "tests", transport: transport, clock: clock.wall)
            let context = AskContext(deadline: clock.now + .milliseconds(50))
            do throws(Fault) {
                return .success(try await bus.ask(Wallet.ReadCards(customer: Self.customer), in: context))
            } catch {
                return .failure(error)
            }
        }
        let type = Wallet.ReadCards.type
        #expect(await asked(type.reply, #" {"cards":[]} "#) == .success(Self.reply))
        let refusal = Fault(.forbidden, "no")
        #expect(await asked(type.fault, String(decoding: refusal.json, as: UTF8.self)) == .failure(refusal))
        for data in [
            "{}", "[]", "null", #""text""#, #"{"cards":{}}"#, #"{"cards":[],"cards":[]}"#, #"{"cards":[],"more":1}"#,
            #"{"cards":[]}}"#, #"{"cards":["#, #"{"cards":[]},"data":{"cards":[]}"#
        ] {
            let answer = await asked(type.reply, data)
            #expect(throws: Fault.self, "\(data)") { try answer.get() }
            if case .failure(let fault) = answer { #expect(fault.code == .unavailable, "\(data)") }
        }
    }

    @Test("nothing is asked again when the deadline would pass before")
    func deadline() async {
        let clock = ManualClock()
        let deadline = clock.now + .milliseconds(300)
        let transport = MemoryTransport { _, _ in
            clock.advance(.milliseconds(100))
            return .refused(.queueFull)
        }
        let bus = Bus(name: "tests", transport: transport, clock: clock.wall)
        let fault = await ask(.idempotent, on: bus, AskContext(deadline: deadline))
        #expect(fault?.code == .queueFull)
        // At 100 and at 200 ms it was worth another try, at 300 it was not.
        #expect(transport.asked.count == 3)
    }

    @Test("who is cancelled asks no more", arguments: RetryClass.allCases)
    func cancelled(retry: RetryClass) async {
        let transport = MemoryTransport { number, _ in
            // The script runs in the asker's task.
            if number == 1 { withUnsafeCurrentTask { $0?.cancel() } }
            return .refused(.queueFull)
        }
        let clock = ManualClock()
        let bus = Bus(name: "tests", transport: transport, clock: clock.wall)
        let fault = await Task { await ask(retry, on: bus, AskContext(deadline: clock.now + .seconds(60))) }.value
        #expect(fault?.code == .queueFull)
        #expect(transport.asked.count == 2)
    }

    @Test(
        "an answer that cannot be read leaves the outcome in doubt",
        arguments: [
            [], Array("{}".utf8), Array("garbage".utf8),
            Envelope(id: "1", source: "wallet", type: "wallet.cards.read.v1.reply", data: Array("{}".utf8)).json,
            Envelope(id: "1", source: "wallet", type: "wallet.cards.read.v1.fault", data: Array("{}".utf8)).json,
            Envelope(id: "1", source: "wallet", type: "wallet.cards.read.v1", data: reply.json).json
        ])
    func unreadable(answer: [UInt8]) async {
        for (retry, count) in [(RetryClass.once, 1), (.keyed, 2), (.idempotent, 2)] {
            let transport = MemoryTransport { number, _ in number == 0 ? .envelope(answer) : .refused(.forbidden) }
            let clock = ManualClock()
            let bus = Bus(name: "tests", transport: transport, clock: clock.wall)
            let fault = await ask(retry, on: bus, AskContext(deadline: clock.now + .seconds(1)))
            #expect(transport.asked.count == count)
            #expect(fault?.code == (count == 1 ? .unavailable : .forbidden))
        }
    }

    @Test("the envelope says who asks, for whom, why and until when")
    func envelope() async throws {
        let transport = MemoryTransport { _, _ in .refused(.forbidden) }
        let clock = ManualClock()
        let bus = Bus(name: "gateway", transport: transport, clock: clock.wall)
        let actor = Actor(role: .customer, party: Self.customer)
        let context = AskContext(
            deadline: clock.now + .seconds(3), correlationID: "first", causationID: "last", traceparent: "00-a-b-01",
            idempotencyKey: "key", actor: actor)
        _ = await ask(.idempotent, on: bus, context)
        _ = await ask(.idempotent, on: bus, AskContext(deadline: clock.now + .seconds(3)))

        let full = try Envelope(json: transport.asked[0].body)
        #expect(full.source == "gateway")
        #expect(full.type == "wallet.cards.read.v1")
        #expect(full.time == clock.now)
        #expect(full.correlationID == "first")
        #expect(full.causationID == "last")
        #expect(full.traceparent == "00-a-b-01")
        #expect(full.expiryTime == clock.now + .seconds(3))
        #expect(full.idempotencyKey == "key")
        #expect(full.actor == actor)
        #expect(full.data == Wallet.ReadCards(customer: Self.customer).json[...])

        // The first of all that belong together names itself.
        let bare = try Envelope(json: transport.asked[1].body)
        #expect(bare.correlationID == bare.id)
        #expect(bare.causationID == nil && bare.traceparent == nil && bare.idempotencyKey == nil && bare.actor == nil)
        #expect(bare.id != full.id)
    }
}

@Suite("What an ask knows")
struct AskContextTests {
    @Test("the earlier of two deadlines holds")
    func by() {
        let context = AskContext(deadline: Timestamp(milliseconds: 10))
        #expect(context.by(Timestamp(milliseconds: 5)).deadline == Timestamp(milliseconds: 5))
        #expect(context.by(Timestamp(milliseconds: 15)).deadline == Timestamp(milliseconds: 10))
    }
}
