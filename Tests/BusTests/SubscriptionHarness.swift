import Bus
import Contracts
import Primitives
import Synchronization
import TestKit

/// Applies facts as a store would: all of a group or none.
final class Sink: Sendable {
    struct Trouble: Error {}

    private struct State {
        var applied: [Int64] = []
        var failures = 0
    }
    private let state = Mutex(State())
    private let count = Counter()

    var applied: [Int64] { state.withLock { $0.applied } }

    /// The next applications fail.
    func fail(times: Int) { state.withLock { $0.failures = times } }

    func apply(_ facts: [Envelope]) throws {
        try state.withLock { state in
            if state.failures > 0 {
                state.failures -= 1
                throw Trouble()
            }
            state.applied += facts.compactMap(\.sequence)
        }
        count.add(facts.count)
    }

    /// Waits until so many have been applied.
    func reach(_ number: Int) async { await count.reach(number) }
}

/// Keeps cursors as a store would.
final class Cursors: CursorStore {
    private let positions = Mutex<[String: FactPosition]>([:])

    var stored: [String: FactPosition] { positions.withLock { $0 } }

    func setPosition(of source: String, to position: FactPosition) async throws(Fault) {
        positions.withLock { $0[source] = position }
    }
}

/// What a subscription told of its failures.
final class Failures: Sendable {
    private let errors = Mutex<[any Error]>([])
    private let count = Counter()

    var all: [any Error] { errors.withLock { $0 } }

    func add(_ error: any Error) {
        errors.withLock { $0.append(error) }
        count.add(1)
    }

    func reach(_ number: Int) async { await count.reach(number) }
}

/// The wallet's log and publisher and one subscriber.
final class SubscriptionHarness: Sendable {
    let transport: MemoryTransport
    let log: MemoryLog
    let sink = Sink()
    let failures = Failures()
    let subscription: FactSubscription<Wallet>

    init(
        from position: FactPosition = 0, log: MemoryLog = MemoryLog(), pause: Duration = .zero,
        clock: WallClock = .system,
        script: @escaping @Sendable (Int, MemoryTransport.Asked) async -> TransportAnswer? = { _, _ in nil }
    ) {
        self.log = log
        transport = MemoryTransport(script: script)
        let bus = Bus(name: "wallet", transport: transport, clock: clock)
        var builder = Answerer.Builder()
        builder.answer(with: FactPublisher(Wallet.self, on: bus, log: log).reader)
        Answerer(builder, on: bus).start(service: "wallet", credit: 10)
        subscription = FactSubscription(to: Wallet.self, on: bus, from: position, pause: pause) { [sink] facts in
            try sink.apply(facts)
        }
    }

    convenience init(from position: FactPosition = 0, log count: Int) {
        self.init(from: position, log: MemoryLog(count: count))
    }

    /// An owner that answers every reader with the same page.
    convenience init(answering page: FactsPage) {
        let answer = Envelope(id: "1", source: "wallet", type: ReadFacts<Wallet>.type.reply, data: page.json).json
        self.init { _, _ in .envelope(answer) }
    }

    var now: Timestamp { WallClock.system.now() }
    /// Far enough that no test ends by it.
    var soon: Timestamp { now + .seconds(300) }

    /// Commits so many facts and tells of them.
    func publish(_ count: Int) {
        log.append(count)
        transport.publish([MemoryLog.head(Int64(log.count))])
    }

    /// Runs `body` while the subscription listens and runs, then cancels it and waits for its end.
    func running(_ body: () async throws -> Void) async throws {
        subscription.listen()
        let run = Task { [subscription, failures] in await subscription.run { failures.add($0) } }
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        run.cancel()
        await run.value
        try result.get()
    }
}
