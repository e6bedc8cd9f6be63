import Audit
import Bus
import Contracts

extension EvidenceReader {
    /// Facts of one type that their source has published behind a position, once there are so many.
    ///
    /// A source that publishes nothing new for three seconds does not lag: it lacks something, which the checks will
    /// name.
    func facts<Source: FactSource, Published: Fact>(
        _ type: Published.Type, of source: Source.Type, after start: Int64, expecting count: Int, _ progress: Progress
    ) async throws -> (facts: [Published], faults: [String]) {
        var (facts, faults): ([Published], [String]) = ([], [])
        var (position, idle) = (start, 0)
        while true {
            let head = try await bus.ask(ReadFacts<Source>(after: Int64.max - 1, limit: 1), in: bus.patient).head
            faults += try await FactReader<Source>.read(
                bus, after: position, through: head, progress: { progress("facts of \(Source.service)", $0, $1) },
                take: { fact, _ in
                    if fact.type == Published.type.name { facts.append(try Published(json: fact.data)) }
                })
            idle = head > position ? 0 : idle + 1
            position = max(position, head)
            if idle > 30 || facts.count >= count { return (facts, faults) }
            try await Task.sleep(for: .milliseconds(100))
        }
    }
}
