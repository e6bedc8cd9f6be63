import Checks
import TerminalText

extension LoadRun {
    /// The run for a terminal, each line ended; ANSI colours only on request.
    package func table(colour: Bool) -> String {
        let paint = Paint(isOn: colour)
        let parts = [
            head(paint), counts(paint), latencies(), codes(), usage(), disk(), disturbed(), ramped(paint), money(paint)
        ]
        return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }

    private func head(_ paint: Paint) -> [String] {
        [
            paint.strong(title.printable),
            "\(startedWords), \(driver.words), \(shape.words)",
            "\(Shown.span(seconds: warmUpSeconds)) of warm-up, \(Shown.span(seconds: measuredSeconds)) measured, "
                + "seed \(seed)",
            weights.isEmpty ? "" : weightWords.printable,
            population == LoadPopulation() ? "" : populationWords.printable,
            machine == LoadMachine() ? "" : machineWords.printable
        ].filter { !$0.isEmpty } + warnings.map { paint.waiting("Mind: \($0.printable)") }
    }

    private var rows: [LoadTotals] { scenarios.isEmpty ? [overall] : scenarios + [overall] }

    private func counts(_ paint: Paint) -> [String] {
        var table = TextTable(
            "scenario", " planned", " sent", " ok", " refused", " errors", " repeated", " ok/s")
        table.rows = rows.map { totals in
            [totals.name.printable]
                + [
                    totals.planned, totals.sent, totals.ok, totals.refusedCount, totals.errorCount, totals.repeated
                ].map(Shown.count) + [Shown.rate(totals.okPerSecond)]
        }
        return emphasised(table.lines(), paint)
    }

    private func latencies() -> [String] {
        var table = TextTable(
            "latency", " min", " mean", " p50", " p90", " p99", " p99.9", " p99.99", " max")
        table.rows = rows.map { totals in
            let latency = totals.latency
            let figures = [
                latency.minMicros, latency.meanMicros, latency.p50Micros, latency.p90Micros, latency.p99Micros,
                latency.p999Micros, latency.p9999Micros, latency.maxMicros
            ]
            return [totals.name.printable] + figures.map { Shown.latency(micros: latency.count > 0 ? $0 : nil) }
        }
        return table.lines()
    }

    private func codes() -> [String] {
        var table = TextTable("code", "what", " operations")
        table.rows =
            overall.refused.map { [$0.code.printable, "refused", Shown.count($0.count)] }
            + overall.errors.map { [$0.code.printable, "error", Shown.count($0.count)] }
        return table.rows.isEmpty ? [] : table.lines()
    }

    private func usage() -> [String] {
        var table = TextTable(
            "process", " CPU/operation", " cores, mean", " cores, max", " memory, max", " restarts")
        table.rows = processes.map { process in
            [
                process.name.printable, Shown.latency(micros: process.cpuMicrosPerOperation),
                Shown.cores(process.meanCores), Shown.cores(process.maxCores), Shown.bytes(process.maxResidentBytes),
                Shown.count(process.restarts)
            ]
        }
        return table.rows.isEmpty ? [] : table.lines()
    }

    private func disk() -> [String] {
        var table = TextTable("fdatasync, 4 KiB", " p50", " p99", " max")
        table.rows = [("before", probeBefore), ("after", probeAfter)].compactMap { name, probe in
            probe.map { [name] + [$0.p50Micros, $0.p99Micros, $0.maxMicros].map { Shown.latency(micros: $0) } }
        }
        return table.rows.isEmpty ? [] : table.lines()
    }

    private func disturbed() -> [String] {
        var table = TextTable(" at", "done to the set")
        table.rows = disturbances.map { [Shown.span(seconds: $0.offsetSeconds), $0.words.printable] }
        return table.rows.isEmpty ? [] : table.lines()
    }

    private func ramped(_ paint: Paint) -> [String] {
        guard let ramp else { return [] }
        var table = TextTable(" rate", " answered ok", " p99", " errors", "within the limit")
        table.rows = ramp.steps.map { step in
            [
                Shown.rate(step.ratePerSecond), Shown.rate(step.okPerSecond), Shown.latency(micros: step.p99Micros),
                Shown.count(step.errors), step.metLimit ? "yes" : "no"
            ]
        }
        return (ramp.steps.isEmpty ? [] : table.lines()) + [paint.strong(ramp.words)]
    }

    private func money(_ paint: Paint) -> [String] {
        let word =
            verdict.isUnknown
            ? paint.waiting(verdict.word) : verdict.passed ? paint.good(verdict.word) : paint.bad(verdict.word)
        var lines = ["money: \(word)  \(verdict.headline). \(verdict.detail)"]
        for check in verdict.checks {
            lines.append(
                "  \(check.passed ? paint.good("PASS") : paint.bad("FAIL"))  \(check.statement.printable) "
                    + paint.quiet("(\(check.name.printable), \(Shown.count(check.examined)) examined)"))
            lines += check.findings.map { "        - \($0.printable)" }
            let more = check.findingsTotal - check.findings.count
            if more > 0 { lines.append("        … and \(Shown.count(more)) more") }
        }
        return lines
    }

    /// The last row, of all scenarios, stands out.
    private func emphasised(_ lines: [String], _ paint: Paint) -> [String] {
        Array(lines.dropLast()) + lines.suffix(1).map { paint.strong($0) }
    }
}

extension LoadRamp {
    package var words: String {
        let limit = Shown.latency(micros: p99LimitMicros)
        guard let highestPerSecond else { return "No rate had p99 within \(limit)." }
        return "Highest rate with p99 within \(limit): \(Shown.rate(highestPerSecond))."
    }
}
