import Bus
import BusZMQ
import Contracts
import Primitives

/// Asks over the bus to a worker that gives back what it gets: what the bus alone costs.
struct EchoBench {
    let bus: BusAddress
    let seconds: Double
    let bodyBytes: Int
    let inFlight: Int

    func run(_ time: inout ProcessorTime) async throws -> Figure {
        let body = [UInt8](repeating: UInt8(ascii: "x"), count: bodyBytes)
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
        let all = await withTaskGroup(of: [Double].self) { group in
            for _ in 0..<inFlight {
                group.addTask(executorPreference: client.executor) {
                    var mine: [Double] = []
                    while true {
                        let start = monotonicNanoseconds()
                        if start >= end { break }
                        let deadline = Timestamp(milliseconds: WallClock.system.now().milliseconds + 5_000)
                        guard
                            case .envelope = await client.ask(
                                service: "echo", retry: .idempotent, deadline: deadline, body: body)
                        else { continue }
                        mine.append(Double(monotonicNanoseconds() - start) / 1000)
                    }
                    return mine
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        let figure = Figure(
            "echo, \(bodyBytes) bytes, \(inFlight) in flight", count: all.count,
            seconds: Double(monotonicNanoseconds() - started) / 1e9, all, &time)
        await worker.drain(atMost: .seconds(1))
        await worker.stop()
        await client.stop()
        return figure
    }
}
