import Primitives
import TerminalText
import Wire

/// A set's state in words.
package enum SetStatusText {
    /// One line a service, in 80 columns; with `instances` a second table, of their processes.
    package static func table(_ services: [ServiceStatus], colour: Bool, instances: Bool) -> String {
        let paint = Paint(isOn: colour)
        var table = TextTable("SERVICE", "STATE", " QUEUED", " RATE", " P50", " P99", " FAULTS", " MEMORY")
        table.rows = services.map { one in
            [
                one.service.printable, one.state.rawValue, Shown.count(one.queued), Shown.rate(one.rate),
                Shown.latency(micros: one.p50), Shown.latency(micros: one.p99), Shown.rate(one.faultRate),
                one.residentBytes.map { Shown.bytes($0) } ?? Shown.unknown
            ]
        }
        let lines = table.lines { row, column, cell in
            column == 1 ? painted(cell, services[row].state, paint) : cell
        }
        let remarks = services.compactMap(remark)
        let shown =
            [paint.strong(lines[0])] + lines.dropFirst() + remarks + (instances ? [""] + processes(services) : [])
        return shown.joined(separator: "\n")
    }

    /// What the table has no column for, as it is seldom so.
    private static func remark(_ one: ServiceStatus) -> String? {
        var parts = one.workers.count > 1 ? ["\(one.workers.count) processes"] : []
        if one.queued > 0 {
            parts.append(
                "its oldest ask has waited for \(Shown.latency(micros: Double(one.oldestMilliseconds * 1000)))")
        }
        if one.state == .paused {
            let resume = "billfold call broker.service.resume.v1 '{\"service\":\"\(one.service.printable)\"}'"
            parts.append("its asks wait; a swap ends its pause by itself, an operator ends another one with \(resume)")
        }
        if one.versions.count > 1 {
            parts.append("its processes have versions \(one.versions.map(\.printable).joined(separator: ", "))")
        }
        for worker in one.workers where worker.seen?.draining == true {
            parts.append("process \(worker.processID.map { "\($0)" } ?? Shown.unknown) is draining")
        }
        parts += one.troubles
        return parts.isEmpty ? nil : "\(one.service.printable): \(parts.joined(separator: "; "))"
    }

    private static func processes(_ services: [ServiceStatus]) -> [String] {
        var table = TextTable("SERVICE", "PROCESS", " PID", "VERSION", " UP", " IN FLIGHT", " MEMORY")
        for one in services {
            for worker in one.workers {
                let milliseconds = worker.stats?.uptimeMilliseconds ?? worker.seen?.connectedMilliseconds
                table.rows.append([
                    one.service.printable,
                    (worker.stats?.instance ?? worker.seen?.dialect ?? Shown.unknown).printable,
                    worker.processID.map { "\($0)" } ?? Shown.unknown,
                    (worker.stats?.version ?? Shown.unknown).printable,
                    Shown.span(seconds: milliseconds.map { Double($0 / 1000) }),
                    worker.seen.map { "\($0.inFlight)/\($0.credit)" } ?? Shown.unknown,
                    worker.stats.map { Shown.bytes($0.residentKiB * 1024) } ?? Shown.unknown
                ])
            }
        }
        return table.lines()
    }

    private static func painted(_ word: String, _ state: ServiceStatus.State, _ paint: Paint) -> String {
        switch state {
        case .ok: paint.good(word)
        case .missing, .unwell: paint.bad(word)
        case .paused, .draining, .untold: paint.waiting(word)
        }
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
            "troubles": .array(one.troubles.map { .string($0) }),
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
