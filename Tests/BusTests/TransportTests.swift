import Bus
import BusZMQ
import Contracts
import Primitives
import Synchronization
import TestKit
import Testing

/// What a service may count on, whatever carries its asks and facts.
@Suite("Each transport")
struct TransportTests {
    private let body = Array("{}".utf8)

    private func reactor(_ server: BusServer) throws -> Reactor {
        let reactor = try Reactor(Reactor.Settings(bus: server.address))
        reactor.start()
        return reactor
    }

    /// Answers each ask with its own body.
    private func echo(_ reactor: Reactor, _ service: String = "echo", credit: Int = 16) {
        reactor.serve(service, credit: credit) { [weak reactor] asks in
            for ask in asks { reactor?.reply(to: ask.token, body: ask.body ?? []) }
        }
    }

    private func ask(
        _ reactor: Reactor, _ body: [UInt8], service: String = "echo", within time: Duration = .seconds(30)
    ) async -> TransportAnswer {
        await reactor.ask(
            service: service, retry: .idempotent, deadline: WallClock.system.now() + time, body: body)
    }

    private func expect(_ answer: TransportAnswer, is body: [UInt8], _ location: SourceLocation = #_sourceLocation) {
        guard case .envelope(body) = answer else {
            Issue.record("\(answer)", sourceLocation: location)
            return
        }
    }

    private func expect(
        _ answer: TransportAnswer, refusedWith codes: FaultCode..., location: SourceLocation = #_sourceLocation
    ) {
        guard case .refused(let code) = answer, codes.contains(code) else {
            Issue.record("\(answer)", sourceLocation: location)
            return
        }
    }

    @Test("gives many asks at once to one worker, and each its own answer", arguments: BusKind.allCases)
    func manyAtOnce(kind: BusKind) async throws {
        let server = try BusServer(kind)
        let (worker, client) = (try reactor(server), try reactor(server))
        echo(worker)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<2_000 {
                group.addTask {
                    let own = Array("ask \(number)".utf8)
                    expect(await ask(client, own), is: own)
                }
            }
        }
        await client.stop()
        await worker.stop()
        server.kill()
    }

    @Test("lets an ask wait for a worker that comes later", arguments: BusKind.allCases)
    func workerComesLater(kind: BusKind) async throws {
        let server = try BusServer(kind)
        let (worker, client) = (try reactor(server), try reactor(server))
        // Its outcome shows that the client is connected: the next ask leaves before its worker is there.
        _ = await ask(client, body, service: "broker")
        let early = Task { await ask(client, body) }
        echo(worker)
        expect(await early.value, is: body)
        await client.stop()
        await worker.stop()
        server.kill()
    }

    @Test("refuses an ask that nobody serves by its deadline", arguments: BusKind.allCases)
    func nobody(kind: BusKind) async throws {
        let server = try BusServer(kind)
        let client = try reactor(server)
        _ = await ask(client, body, service: "broker")
        // A broker looks several times a second only; an asker that it does not tell in time knows nothing.
        expect(await ask(client, body, within: .seconds(2)), refusedWith: .noWorker, .outcomeUnknown)
        await client.stop()
        server.kill()
    }

    @Test("never gives a worker more asks than its credit", arguments: BusKind.allCases)
    func credit(kind: BusKind) async throws {
        let server = try BusServer(kind)
        let (worker, client) = (try reactor(server), try reactor(server))
        let open = Mutex((now: 0, most: 0))
        worker.serve("echo", credit: 3) { asks in
            open.withLock { open in
                open.now += asks.count
                open.most = max(open.most, open.now)
            }
            // Not a task: other tests may hold all threads of the pool for long.
            OSThread {
                for ask in asks {
                    open.withLock { $0.now -= 1 }
                    worker.reply(to: ask.token, body: ask.body ?? [])
                }
            }.detach()
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<200 { group.addTask { expect(await ask(client, body), is: body) } }
        }
        #expect(open.withLock { $0.most } <= 3)
        await client.stop()
        await worker.stop()
        server.kill()
    }

    @Test(
        "says that the outcome is unknown when a worker has not answered by the deadline", arguments: BusKind.allCases)
    func silentWorker(kind: BusKind) async throws {
        let server = try BusServer(kind)
        let (worker, client) = (try reactor(server), try reactor(server))
        let taken = Counter()
        worker.serve("echo", credit: 2) { [weak worker] asks in
            // The first answer shows that both are connected.
            for ask in asks where taken.count == 0 { worker?.reply(to: ask.token, body: ask.body ?? []) }
            taken.add(asks.count)
        }
        expect(await ask(client, body), is: body)
        expect(await ask(client, body, within: .seconds(3)), refusedWith: .outcomeUnknown)
        #expect(taken.count == 2)
        await client.stop()
        await worker.stop()
        server.kill()
    }

    @Test("never gives the late answer of an ask that was given up to another ask", arguments: BusKind.allCases)
    func lateAnswer(kind: BusKind) async throws {
        let server = try BusServer(kind)
        let (worker, client) = (try reactor(server), try reactor(server))
        let late = Mutex<[ReplyToken]>([])
        let taken = Counter()
        worker.serve("echo", credit: 16) { [weak worker] asks in
            for ask in asks {
                if ask.body == Array("give up".utf8) {
                    late.withLock { $0.append(ask.token) }
                } else {
                    // In this order: the late ones find the next ask of the place that theirs had.
                    for token in late.withLock({ $0 }) { worker?.reply(to: token, body: Array("late".utf8)) }
                    worker?.reply(to: ask.token, body: ask.body ?? [])
                }
                taken.add(1)
            }
        }
        expect(await ask(client, body), is: body)
        // One is given up at its deadline, one by its asker.
        expect(await ask(client, Array("give up".utf8), within: .seconds(3)), refusedWith: .outcomeUnknown)
        let cancelled = Task { await ask(client, Array("give up".utf8)) }
        await taken.reach(3)
        cancelled.cancel()
        expect(await cancelled.value, refusedWith: .cancelled)
        for number in 0..<50 {
            let own = Array("ask \(number)".utf8)
            expect(await ask(client, own), is: own)
        }
        await client.stop()
        await worker.stop()
        server.kill()
    }

    @Test("answers again under a subject that it has answered, with the right to answer once what it was asked")
    func answersOnce() async throws {
        let server = try BusServer(
            .nats,
            configuration: """
                authorization { users = [
                  { user: worker, password: w, permissions: {
                      publish: ["billfold.ask.none"]
                      subscribe: ["billfold.ask.echo", "billfold.who", "billfold.answer.worker.>"]
                      allow_responses: true } }
                  { user: client, password: c, permissions: {
                      publish: ["billfold.ask.echo"]
                      subscribe: ["billfold.answer.client.>", "billfold.ask.none"] } }
                ] }
                """)
        let worker = try Reactor(Reactor.Settings(bus: server.address(as: "worker:w")))
        let client = try Reactor(Reactor.Settings(bus: server.address(as: "client:c")))
        worker.start()
        client.start()
        echo(worker)
        for number in 0..<50 {
            let own = Array("ask \(number)".utf8)
            expect(await ask(client, own), is: own)
        }
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<500 {
                group.addTask {
                    let own = Array("ask \(number)".utf8)
                    expect(await ask(client, own), is: own)
                }
            }
        }
        await client.stop()
        await worker.stop()
        server.kill()
    }

    @Test("refuses what is larger than NATS is set to take, on both ways")
    func largerThanNATSTakes() async throws {
        let server = try BusServer(.nats, configuration: "max_payload: 1024")
        let (worker, client) = (try reactor(server), try reactor(server))
        worker.serve("echo", credit: 16) { [weak worker] asks in
            for ask in asks {
                let isLarge = ask.body == Array("large".utf8)
                worker?.reply(to: ask.token, body: isLarge ? [UInt8](repeating: 32, count: 1_025) : ask.body ?? [])
            }
        }
        let fits = [UInt8](repeating: 32, count: 1_024)
        expect(await ask(client, fits), is: fits)
        expect(await ask(client, fits + [32]), refusedWith: .tooLarge)
        guard case .envelope(let refusal) = await ask(client, Array("large".utf8)) else {
            Issue.record("the asker of a large answer is told nothing")
            return
        }
        #expect(try Fault(json: Envelope(json: refusal).data).code == .tooLarge)
        await client.stop()
        await worker.stop()
        server.kill()
    }

    @Test("refuses a body that is larger than any envelope", arguments: BusKind.allCases)
    func tooLarge(kind: BusKind) async throws {
        let server = try BusServer(kind)
        let client = try reactor(server)
        let large = [UInt8](repeating: 32, count: Envelope.bytesMax + 1)
        expect(await ask(client, large), refusedWith: .tooLarge)
        await client.stop()
        server.kill()
    }

    @Test("carries the largest envelope both ways", arguments: BusKind.allCases)
    func largest(kind: BusKind) async throws {
        let server = try BusServer(kind)
        let (worker, client) = (try reactor(server), try reactor(server))
        echo(worker)
        let large = [UInt8](repeating: 32, count: Envelope.bytesMax)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<64 { group.addTask { expect(await ask(client, large), is: large) } }
        }
        await client.stop()
        await worker.stop()
        server.kill()
    }

    @Test("gives a trial to the service", arguments: BusKind.allCases)
    func trial(kind: BusKind) async throws {
        let server = try BusServer(kind)
        let (worker, client) = (try reactor(server), try reactor(server))
        echo(worker)
        expect(await ask(client, body, service: "try.echo"), is: body)
        await client.stop()
        await worker.stop()
        server.kill()
    }

    @Test("loses no ask when one worker drains and another serves", arguments: BusKind.allCases)
    func drain(kind: BusKind) async throws {
        let server = try BusServer(kind)
        let (old, new, client) = (try reactor(server), try reactor(server), try reactor(server))
        let answered = Counter()
        let byOld = Counter()
        old.serve("echo", credit: 8) { [weak old] asks in
            byOld.add(asks.count)
            for ask in asks { old?.reply(to: ask.token, body: ask.body ?? []) }
        }
        let isOver = Counter()
        let askers = Task {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<16 {
                    group.addTask {
                        while isOver.count == 0 {
                            expect(await ask(client, body), is: body)
                            answered.add(1)
                        }
                    }
                }
            }
        }
        await answered.reach(200)
        echo(new)
        await old.drain(atMost: .seconds(60))
        let count = byOld.count
        await answered.reach(answered.count + 200)
        #expect(byOld.count == count, "a worker that has drained gets no more")
        await old.stop()
        await answered.reach(answered.count + 200)
        isOver.add(1)
        await askers.value
        await client.stop()
        await new.stop()
        server.kill()
    }

    @Test("gives each fact to those that subscribe to its type, and not to a longer one's", arguments: BusKind.allCases)
    func facts(kind: BusKind) async throws {
        let server = try BusServer(kind)
        let (source, subscriber) = (try reactor(server), try reactor(server))
        let (exact, service, every) = (Inbox(), Inbox(), Inbox())
        subscriber.subscribe(to: "shop.sale.made.v1\0") { exact.take($0) }
        subscriber.subscribe(to: "shop.") { service.take($0) }
        subscriber.subscribe(to: "") { every.take($0) }
        let types = ["shop.sale.made.v1", "shop.sale.made.v10", "bank.sale.made.v1"]
        // Subscriptions have no answer: facts are published until each of the three has what is for it.
        while every.kinds.count < 3 || exact.kinds.isEmpty || service.kinds.count < 2 {
            source.publish(
                types.map {
                    PublishedFact(type: $0, sequence: nil, envelope: Array($0.utf8))
                })
            // No faster than the transport takes them.
            _ = await ask(source, body, service: "broker")
        }
        #expect(exact.kinds == ["shop.sale.made.v1"])
        #expect(service.kinds == Set(types[..<2]))
        #expect(every.kinds == Set(types))
        await subscriber.stop()
        await source.stop()
        server.kill()
    }

    @Test("a new server makes what is in flight unknown, and is used without being told", arguments: BusKind.allCases)
    func restart(kind: BusKind) async throws {
        let server = try BusServer(kind)
        let (worker, client) = (try reactor(server), try reactor(server))
        let taken = Counter()
        let isAnswering = Mutex(false)
        worker.serve("echo", credit: 8) { [weak worker] asks in
            taken.add(asks.count)
            guard isAnswering.withLock({ $0 }) else { return }
            for ask in asks { worker?.reply(to: ask.token, body: ask.body ?? []) }
        }
        let inFlight = Task { await ask(client, body, within: .seconds(60)) }
        await taken.reach(1)
        server.kill()
        isAnswering.withLock { $0 = true }
        try server.start()
        expect(await inFlight.value, refusedWith: .workerLost)
        while true {
            // Until the client's connection is there, an ask may share the fate of those before.
            if case .envelope(body) = await ask(client, body, within: .seconds(60)) { break }
        }
        await client.stop()
        await worker.stop()
        server.kill()
    }

    @Test("knows who serves", arguments: BusKind.allCases)
    func roll(kind: BusKind) async throws {
        let server = try BusServer(kind)
        let (worker, client) = (try reactor(server), try reactor(server))
        echo(worker, credit: 7)
        expect(await ask(client, body), is: body)
        let bus = Bus(name: "test", transport: client)
        let context = AskContext(deadline: WallClock.system.now() + .seconds(30))
        let queue = try await present {
            try await bus.ask(Broker.ReadQueues(), in: context).services.first { $0.service == "echo" }
        }
        #expect(queue.workers == 1)
        #expect(queue.credit == 7)
        #expect(queue.asks == 1)
        #expect(queue.answers == 1)
        let workers = try await present {
            let workers = try await bus.ask(Broker.ReadWorkers(service: "echo"), in: context).workers
            return workers.isEmpty ? nil : workers
        }
        #expect(workers.map(\.credit) == [7])
        await client.stop()
        await worker.stop()
        server.kill()
    }

    /// Asks again until there is something: over NATS, workers that answer too late for one roll call are not in it.
    private func present<Value>(_ read: () async throws -> Value?) async throws -> Value {
        while true { if let value = try await read() { return value } }
    }
}

/// Facts that have come in.
private final class Inbox: Sendable {
    private let texts = Mutex<Set<String>>([])

    var kinds: Set<String> { texts.withLock { $0 } }

    func take(_ facts: [[UInt8]]) {
        texts.withLock { $0.formUnion(facts.map { String(decoding: $0, as: UTF8.self) }) }
    }
}
