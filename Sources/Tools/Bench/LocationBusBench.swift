import Bus
import BusZMQ
import Contracts
import Primitives
import Sodium

/// Positions over the bus, as many to an ask as it takes: from the envelope's bytes to the answer, the broker between.
struct LocationBusBench {
    let runDirectory: String
    let seconds: Double
    /// Asks at a time, less than that where there are not so many customers.
    let inFlight: Int

    /// Each has to opt in first, durably: fewer than in the city that is measured in one process.
    private static let customers = 100_000

    func run(_ time: inout ProcessorTime) async throws -> Figure {
        let client = try Reactor(Reactor.Settings(runDirectory: runDirectory))
        client.start()
        let bus = Bus(name: "bench", transport: client)
        let now = WallClock.system.now()
        let customers: [PartyID] = (0..<Self.customers).map { _ in Randomness.shared.identifier(at: now) }
        try await share(customers, bus, client)

        let batch = Location.UpdatePositions.fixesMax
        let lanes = max(1, min(inFlight, customers.count / batch))
        time.start()
        let started = monotonicNanoseconds()
        let end = started + UInt64(seconds * 1e9)
        let all = try await withThrowingTaskGroup(of: [Double].self) { group in
            for lane in 0..<lanes {
                group.addTask(executorPreference: client.executor) {
                    var mine: [Double] = []
                    var turn = 0
                    while true {
                        // Every lane has customers of its own, and takes them in turn.
                        let own = customers.count / lanes
                        let first = lane * own + (turn * batch) % max(1, own - batch + 1)
                        turn += 1
                        let start = monotonicNanoseconds()
                        if start >= end { break }
                        let fixes = customers[first..<(first + batch)].enumerated().map { index, customer in
                            Location.Fix(
                                customer: customer, latitude: 35_198_284 + Int64(first + index),
                                longitude: -111_651_302 + Int64(turn))
                        }
                        let reply = try await bus.ask(
                            Location.UpdatePositions(fixes: fixes),
                            in: AskContext(deadline: WallClock.system.now() + .seconds(5)))
                        guard reply.refused.isEmpty else { throw Fault(.sharingOff) }
                        mine.append(Double(monotonicNanoseconds() - start) / 1000)
                    }
                    return mine
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let figure = Figure(
            "positions over the bus, \(batch) an ask", count: all.count * batch,
            seconds: Double(monotonicNanoseconds() - started) / 1e9, all, &time)
        await client.stop()
        return figure
    }

    private func share(_ customers: [PartyID], _ bus: Bus, _ client: Reactor) async throws {
        let lanes = 512
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<lanes {
                group.addTask(executorPreference: client.executor) {
                    for index in stride(from: lane, to: customers.count, by: lanes) {
                        _ = try await bus.ask(
                            Location.SetSharing(customer: customers[index], sharing: true),
                            in: AskContext(deadline: WallClock.system.now() + .seconds(30)))
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
