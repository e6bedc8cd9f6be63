import Primitives
import TerminalText

// Sentences that the terminal and the page have in common.

extension LoadShape {
    package var words: String {
        switch self {
        case .closed(let inFlight): "closed loop, \(Shown.count(inFlight)) in flight"
        case .open(let perSecond): "open loop at \(Shown.rate(perSecond))"
        case .ramp(let start, let step, let limit):
            "ramp from \(Shown.rate(start)), steps of \(Shown.span(seconds: step)), "
                + "p99 limit \(Shown.latency(micros: limit))"
        }
    }

    /// What a reader has to know before believing a latency.
    package var omission: String {
        switch self {
        case .closed:
            """
            Closed loop: an operation is sent when an earlier one has been answered. While the set is slow, fewer are \
            sent, so the operations that would have suffered most are missing from the latencies (coordinated \
            omission). Read them as service times under this concurrency; for what a crowd of independent customers \
            would see, use an open loop.
            """
        case .open, .ramp:
            """
            Open loop: operations are due at a fixed rate, whatever the answers do, and latency counts from the moment \
            at which an operation was due, not from when it could be sent. A stall therefore shows in every operation \
            that it delayed; nothing is hidden by coordinated omission.
            """
        }
    }
}

extension LoadDriver {
    package var words: String {
        switch self {
        case .http: "over HTTP, through the gateway"
        case .bus: "as asks on the bus, without the gateway"
        }
    }
}

extension Disturbance {
    /// `kill wallet, away 1.4 s`.
    package var words: String {
        "\(kind.rawValue) \(process)"
            + (durationSeconds.map { ", \(kind == .start ? "after" : "away") \(Shown.span(seconds: $0))" } ?? "")
    }
}

extension LoadRun {
    /// The run in two sentences.
    package var summary: String {
        guard overall.sent > 0 else { return "Nothing was sent, so nothing is known." }
        let counts =
            "In \(Shown.span(seconds: measuredSeconds)), \(Shown.count(overall.ok)) operations were answered ok, "
            + "\(Shown.rate(overall.okPerSecond)); \(Shown.count(overall.refusedCount)) were refused and "
            + "\(Shown.count(overall.errorCount)) failed or stayed unknown."
        let latency = overall.latency
        guard latency.count > 0 else { return counts + " There is no latency to show." }
        return counts
            + " Half of the answers came within \(Shown.latency(micros: latency.p50Micros)), 99 % within "
            + "\(Shown.latency(micros: latency.p99Micros)), the slowest after "
            + "\(Shown.latency(micros: latency.maxMicros))."
    }

    /// `60 % pay, 40 % code`.
    package var weightWords: String {
        let sum = weights.reduce(0) { $0 + $1.weight }
        guard sum > 0 else { return weights.map(\.name).joined(separator: ", ") }
        return weights.map { "\(Shown.percentile(($0.weight / sum * 1000).rounded() / 10)) \($0.name)" }
            .joined(separator: ", ")
    }

    package var populationWords: String {
        "\(Shown.count(population.customers)) customers, \(Shown.count(population.cards)) cards, "
            + "\(Shown.count(population.merchants)) merchants, chosen \(population.distribution)"
    }

    package var machineWords: String {
        let parts = [
            machine.cores > 0 ? "\(machine.cores) \(machine.cores == 1 ? "core" : "cores")" : "", machine.cpuModel,
            machine.memoryBytes > 0 ? Shown.bytes(machine.memoryBytes) + " of memory" : "",
            machine.kernel.isEmpty ? "" : "kernel \(machine.kernel)"
        ].filter { !$0.isEmpty }
        return parts.isEmpty ? Shown.unknown : parts.joined(separator: ", ")
    }

    /// `2026-11-21 10:00:00 UTC`.
    package var startedWords: String {
        let text = started.rfc3339
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8)) UTC"
    }

    /// Processor time for each operation, over all processes but the generator; nil when not known.
    package var cpuMicrosPerOperation: Double? {
        let known = processes.filter { $0.name != Self.generatorName }.compactMap(\.cpuMicrosPerOperation)
        return known.isEmpty ? nil : known.reduce(0, +)
    }
}

extension ProcessSeries {
    package var meanCores: Double? {
        samples.isEmpty ? nil : samples.reduce(0) { $0 + $1.cores } / Double(samples.count)
    }

    package var maxCores: Double? { samples.map(\.cores).max() }
    package var restarts: Int { samples.map(\.restarts).max() ?? 0 }
}
