import Bus
import BusZMQ
import Contracts
import Primitives
import Synchronization

/// Asks over the bus to a worker that gives back what it gets: what the bus alone costs.
struct EchoBench {
    /// The kind of caller that gets the answers.
    enum Callers: String, CaseIterable {
        /// A task for each ask in flight, as most handlers have.
        case tasks
        /// A function that is called with the answer, as for an ask that a service forwards.
        case calls
    }

    let bus: BusAddress
    let seconds: Double
    let body: [UInt8]
    let inFlight: Int
    let callers: Callers

    func run(_ time: inout ProcessorTime) async throws -> Figure {
        let worker = try Reactor(Reactor.Settings(bus: bus))
        let client = try Reactor(Reactor.Settings(bus: bus))
        worker.start()
        client.start()
        worker.serve("echo", credit: 1024) { [worker] asks in
            for ask in asks { worker.reply(to: ask.token, body: ask.body ?? []) }
        }
        time.start()
        let started = monotonicNanoseconds()
        let end = started + UInt64(seconds * 1e9)
        let micros =
            switch callers {
            case .tasks: await byTasks(client, until: end)
            case .calls: await byCalls(client, until: end)
            }
        let figure = Figure(
            "echo, \(body.count) bytes, \(inFlight) in flight", count: micros.count,
            seconds: Double(monotonicNanoseconds() - started) / 1e9, micros, &time)
        await worker.drain(atMost: .seconds(1))
        await worker.stop()
        await client.stop()
        return figure
    }

    /// - Returns: what each ask waited for, in microseconds.
    private func byTasks(_ client: Reactor, until end: UInt64) async -> [Double] {
        await withTaskGroup(of: [Double].self) { group in
            for _ in 0..<inFlight {
                group.addTask(executorPreference: client.executor) {
                    var mine: [Double] = []
                    while true {
                        let start = monotonicNanoseconds()
                        if start >= end { break }
                        guard
                            case .envelope = await client.ask(
                                service: "echo", retry: .idempotent, deadline: Self.deadline, body: body)
                        else { continue }
                        mine.append(Double(monotonicNanoseconds() - start) / 1000)
                    }
                    return mine
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }

    /// - Returns: what each ask waited for, in microseconds.
    private func byCalls(_ client: Reactor, until end: UInt64) async -> [Double] {
        await withCheckedContinuation { finished in
            let chain = AskChain(client, body, until: end, count: inFlight) { finished.resume(returning: $0) }
            for _ in 0..<inFlight { chain.ask() }
        }
    }

    fileprivate static var deadline: Timestamp {
        Timestamp(milliseconds: WallClock.system.now().milliseconds + 5_000)
    }
}

/// Asks in flight of which each is followed by another one when its answer has come.
private final class AskChain: Sendable {
    private struct State {
        var micros: [Double] = []
        var inFlight: Int
    }

    private let client: Reactor
    private let body: [UInt8]
    private let end: UInt64
    private let state: Mutex<State>
    private let finished: @Sendable ([Double]) -> Void

    init(
        _ client: Reactor, _ body: [UInt8], until end: UInt64, count: Int,
        finished: @escaping @Sendable ([Double]) -> Void
    ) {
        (self.client, self.body, self.end, self.finished) = (client, body, end, finished)
        state = Mutex(State(inFlight: count))
    }

    func ask() {
        let start = monotonicNanoseconds()
        guard start < end else { return stop() }
        client.ask(service: "echo", retry: .idempotent, deadline: EchoBench.deadline, body: body) { [self] answer in
            if case .envelope = answer {
                state.withLock { $0.micros.append(Double(monotonicNanoseconds() - start) / 1000) }
            }
            ask()
        }
    }

    private func stop() {
        let all: [Double]? = state.withLock {
            $0.inFlight -= 1
            return $0.inFlight == 0 ? $0.micros : nil
        }
        if let all { finished(all) }
    }
}
