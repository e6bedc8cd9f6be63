import LoadReport
import Primitives
import Wire

/// A set's state in words.
package enum SetStatusText {
    /// One line a service; with `instances` one more for each of its processes.
    package static func table(_ services: [ServiceStatus], colour: Bool, instances: Bool) -> String {
        let paint = Paint(isOn: colour)
        var table = TextTable(
            "SERVICE", "STATE", " WORKERS", "VERSION", " UP", " QUEUED", " OLDEST", " IN FLIGHT", " RATE", " P50",
            " P99",
            " FAULTS", " MEMORY")
        var states: [ServiceStatus.State?] = []
        for one in services {
            table.rows.append([
                one.service.printable, one.state.rawValue, "\(one.workers.count)",
                one.versions.isEmpty ? Shown.unknown : one.versions.map(\.printable).joined(separator: ","),
                Shown.span(seconds: one.uptimeMilliseconds.map { Double($0 / 1000) }), Shown.count(one.queued),
                one.queued == 0 ? Shown.unknown : Shown.latency(micros: Double(one.oldestMilliseconds * 1000)),
                Shown.count(one.inFlight), Shown.rate(one.rate), Shown.latency(micros: one.p50),
                Shown.latency(micros: one.p99), Shown.rate(one.faultRate),
                one.residentBytes.map { Shown.bytes($0) } ?? Shown.unknown
            ])
            states.append(one.state)
            guard instances else { continue }
            for worker in one.workers {
                table.rows.append(row(of: worker))
                states.append(nil)
            }
        }
        let lines = table.lines()
        let body = zip(lines.dropFirst(), states).map { line, state in painted(line, state, paint) }
        return ([paint.strong(lines[0])] + body).joined(separator: "\n")
    }

    private static func row(of worker: WorkerStatus) -> [String] {
        let milliseconds = worker.stats?.uptimeMilliseconds ?? worker.seen?.connectedMilliseconds
        return [
            "  " + (worker.stats?.instance ?? worker.seen?.dialect ?? Shown.unknown).printable,
            worker.stats == nil ? "untold" : worker.seen?.draining == true ? "draining" : "",
            worker.processID.map { "\($0)" } ?? Shown.unknown, (worker.stats?.version ?? Shown.unknown).printable,
            Shown.span(seconds: milliseconds.map { Double($0 / 1000) }), "", "",
            worker.seen.map { "\($0.inFlight)/\($0.credit)" } ?? Shown.unknown, "", "", "", "",
            worker.stats.map { Shown.bytes($0.residentKiB * 1024) } ?? Shown.unknown
        ]
    }

    /// The state's word in its colour; an instance's line is quiet.
    private static func painted(_ line: String, _ state: ServiceStatus.State?, _ paint: Paint) -> String {
        guard let state else { return paint.quiet(line) }
        guard paint.isOn, let word = line.range(of: state.rawValue) else { return line }
        let shown =
            switch state {
            case .ok: paint.good(state.rawValue)
            case .missing: paint.bad(state.rawValue)
            case .paused, .draining, .untold: paint.waiting(state.rawValue)
            }
        return line.replacingCharacters(in: word, with: shown)
    }

    package static func json(_ services: [ServiceStatus], at time: Timestamp, overSeconds: Double) -> JSONValue {
        [
            "time": .string(time.rfc3339), "overMilliseconds": .integer(Int64(overSeconds * 1000)),
            "services": .array(services.map(json))
        ]
    }

    private static func json(_ one: ServiceStatus) -> JSONValue {
        func whole(_ value: Double?) -> JSONValue { value.map { .integer(Int64($0.rounded())) } ?? .null }
        return [
            "service": .string(one.service), "state": .string(one.state.rawValue),
            "versions": .array(one.versions.map { .string($0) }), "queued": .integer(Int64(one.queued)),
            "oldestMilliseconds": .integer(one.oldestMilliseconds), "inFlight": .integer(Int64(one.inFlight)),
            "credit": .integer(Int64(one.credit)), "perSecond": whole(one.rate),
            "faultsPerSecond": whole(one.faultRate),
            "p50Microseconds": whole(one.p50), "p99Microseconds": whole(one.p99),
            "residentBytes": one.residentBytes.map { .integer($0) } ?? .null,
            "uptimeMilliseconds": one.uptimeMilliseconds.map { .integer($0) } ?? .null,
            "workers": .array(one.workers.map(json))
        ]
    }

    private static func json(_ worker: WorkerStatus) -> JSONValue {
        let (stats, seen) = (worker.stats, worker.seen)
        func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
        func number(_ value: Int64?) -> JSONValue { value.map { .integer($0) } ?? .null }
        return [
            "instance": text(stats?.instance), "version": text(stats?.version), "processID": number(worker.processID),
            "startedAt": text(stats?.startedAt?.rfc3339), "dialect": text(seen?.dialect),
            "credit": number(seen.map { Int64($0.credit) }), "inFlight": number(seen.map { Int64($0.inFlight) }),
            "draining": seen.map { .bool($0.draining) } ?? .null,
            "silentMilliseconds": number(seen?.silentMilliseconds)
        ]
    }
}
