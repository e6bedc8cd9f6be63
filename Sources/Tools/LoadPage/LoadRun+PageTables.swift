import LoadReport
import TerminalText

extension LoadRun {
    private var rows: [LoadTotals] { scenarios.isEmpty ? [overall] : scenarios + [overall] }

    /// Rows of the table of intervals; a longer run shows every second, third, … of them.
    package static let intervalRowsMax = 1200

    /// Every figure of the run that has no plot of its own, and those that have one.
    var pageTables: Markup {
        """
        \(countTable.markup)\(latencyTable.markup)\(codeTable.markup)\(processTable.markup)\(queueTable.markup)\
        \(rampTable.markup)\(disturbanceTable.markup)\(intervals.isEmpty ? Markup.none : intervalDetails)
        """
    }

    private var countTable: PageTable {
        PageTable(
            "Operations by scenario",
            ["Scenario", " planned", " sent", " ok", " refused", " errors", " repeated", " ok/s"],
            rows.map { totals in
                [totals.name]
                    + [
                        totals.planned, totals.sent, totals.ok, totals.refusedCount, totals.errorCount, totals.repeated
                    ].map(Shown.count) + [Shown.rate(totals.okPerSecond)]
            }, hasSum: true)
    }

    private var latencyTable: PageTable {
        PageTable(
            "Latency of what was answered ok",
            ["Scenario", " min", " mean", " p50", " p90", " p99", " p99.9", " p99.99", " max"],
            rows.map { totals in
                let latency = totals.latency
                let figures = [
                    latency.minMicros, latency.meanMicros, latency.p50Micros, latency.p90Micros, latency.p99Micros,
                    latency.p999Micros, latency.p9999Micros, latency.maxMicros
                ]
                return [totals.name] + figures.map { Shown.latency(micros: latency.count > 0 ? $0 : nil) }
            }, hasSum: true)
    }

    /// A row a code, a column a scenario.
    private var codeTable: PageTable {
        func table(_ what: String, _ counts: (LoadTotals) -> [CodeCount]) -> [[String]] {
            var codes: [String] = []
            for count in rows.flatMap(counts) where !codes.contains(count.code) { codes.append(count.code) }
            return codes.map { code in
                [code, what]
                    + rows.map { totals in
                        Shown.count(counts(totals).reduce(0) { $0 + ($1.code == code ? $1.count : 0) })
                    }
            }
        }
        return PageTable(
            "Refusals and errors by code", ["Code", "what"] + rows.map { " \($0.name)" },
            table("refused", \.refused) + table("error", \.errors))
    }

    private var processTable: PageTable {
        PageTable(
            "Processes",
            ["Process", " CPU per operation", " cores, mean", " cores, most", " memory, most", " restarts"],
            processes.map { process in
                [
                    process.name, Shown.latency(micros: process.cpuMicrosPerOperation),
                    Shown.cores(process.meanCores), Shown.cores(process.maxCores),
                    Shown.bytes(process.maxResidentBytes), Shown.count(process.restarts)
                ]
            })
    }

    private var queueTable: PageTable {
        PageTable(
            "Queues at the broker",
            ["Service", " waiting, mean", " waiting, most", " at workers, mean", " at workers, most"],
            queues.filter { !$0.samples.isEmpty }.map { queue in
                func mean(_ figure: (QueueSample) -> Int) -> String {
                    Shown.fixed(
                        queue.samples.reduce(0) { $0 + Double(figure($1)) } / Double(queue.samples.count), 1)
                }
                func most(_ figure: (QueueSample) -> Int) -> String {
                    Shown.count(queue.samples.map(figure).max() ?? 0)
                }
                return [queue.service, mean(\.depth), most(\.depth), mean(\.inFlight), most(\.inFlight)]
            })
    }

    private var rampTable: PageTable {
        PageTable(
            "Steps of the ramp", [" Rate", " answered ok", " p99", " errors", "within the limit"],
            (ramp?.steps ?? []).map { step in
                [
                    Shown.rate(step.ratePerSecond), Shown.rate(step.okPerSecond),
                    Shown.latency(micros: step.p99Micros), Shown.count(step.errors), step.metLimit ? "yes" : "no"
                ]
            })
    }

    private var disturbanceTable: PageTable {
        PageTable(
            "Done to the set on purpose", [" At", "what", "process", " for"],
            disturbances.map {
                [
                    Shown.span(seconds: $0.offsetSeconds), $0.kind.rawValue, $0.process,
                    Shown.span(seconds: $0.durationSeconds)
                ]
            })
    }

    private var intervalDetails: Markup {
        let every = (intervals.count + Self.intervalRowsMax - 1) / Self.intervalRowsMax
        let shown = intervals.enumerated().filter { $0.offset % every == 0 }.map(\.element)
        let table = PageTable(
            every == 1 ? "Every interval" : "One interval in \(every); the others are in the run's JSON",
            [" From", " ok", " refused", " asked again", " p50", " p99", " max", " in flight", "phase"],
            shown.map { interval in
                [
                    Shown.span(seconds: interval.offsetSeconds), Shown.rate(interval.okPerSecond),
                    Shown.rate(interval.refusedPerSecond), Shown.rate(interval.errorsPerSecond),
                    Shown.latency(micros: interval.p50Micros), Shown.latency(micros: interval.p99Micros),
                    Shown.latency(micros: interval.maxMicros), Shown.count(interval.inFlight),
                    interval.isMeasured ? "measured" : interval.isWarmUp ? "warm-up" : "after the load"
                ]
            })
        return """
            <details><summary>All \(Shown.count(intervals.count)) intervals</summary>
            \(table.markup)</details>

            """
    }

    /// How the figures came about, and on what.
    var pageMethod: Markup {
        var facts: [(name: String, words: String)] = [
            ("Load", shape.words + ", " + driver.words),
            ("How latency counts", shape.omission),
            (
                "What counts",
                "Latencies are of operations that were answered ok, from the generator's side. "
                    + "\(Shown.span(seconds: warmUpSeconds)) of warm-up are in the plots and in no total; "
                    + "\(Shown.span(seconds: measuredSeconds)) were measured. An operation that was asked again under "
                    + "the same key counts once."
            )
        ]
        if !weights.isEmpty { facts.append(("Mix", weightWords)) }
        if population != LoadPopulation() { facts.append(("Population", populationWords)) }
        let isKnown = machine != LoadMachine()
        facts.append(("Machine", isKnown ? machineWords + ". The set and the generator shared it." : "Not known."))
        facts.append(("Seed", "\(seed): the same seed makes the same random choices."))
        let list: [Markup] = facts.map { "<dt>\($0.name)</dt><dd>\($0.words.tied)</dd>\n" }
        let probes = PageTable(
            "How fast the disk made 4 KiB durable (fdatasync)", ["When", " p50", " p99", " max"],
            [("before the load", probeBefore), ("after it", probeAfter)].compactMap { name, probe in
                probe.map { [name] + [$0.p50Micros, $0.p99Micros, $0.maxMicros].map { Shown.latency(micros: $0) } }
            })
        let known = PageTable("Settings", ["Setting", "value"], settings.map { [$0.name, $0.value] })
        return """
            <section id="method"><h2>How it was measured</h2>
            <dl class="facts">
            \(list)</dl>
            \(probes.markup)\(known.markup)</section>

            """
    }
}
