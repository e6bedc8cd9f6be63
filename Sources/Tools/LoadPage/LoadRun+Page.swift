import Checks
import LoadReport
import TerminalText

extension LoadRun {
    /// The run as one page: no network, no other file, readable without its script. It is XML as well as HTML.
    package func page() -> String {
        let page: Markup = """
            <!DOCTYPE html>
            <html lang="en" xmlns="http://www.w3.org/1999/xhtml">
            <head>
            <meta charset="utf-8"/>
            <meta name="viewport" content="width=device-width, initial-scale=1"/>
            <meta name="color-scheme" content="light dark"/>
            <meta http-equiv="Content-Security-Policy" \
            content="default-src 'none'; style-src 'unsafe-inline'; script-src '\(PageScript.hash)'; \
            base-uri 'none'; form-action 'none'"/>
            <title>\(verdict.word): \(title) – Billfold load test</title>
            <style>\(Markup(trusted: PageStyle.text))</style>
            </head>
            <body>
            <header><p class="wordmark">Billfold</p><p>Load test</p></header>
            <main>
            <h1>\(title)</h1>
            <p class="quiet">\(startedWords), \(driver.words), \(shape.words)</p>
            \(pageVerdict)\(pageFigures)<p class="summary">\(summary.tied)</p>
            \(pageWarnings)<nav aria-label="On this page"><a href="#plots">Plots</a> <a href="#money">Money</a> \
            <a href="#figures">Figures</a> <a href="#method">How it was measured</a></nav>
            <section id="plots"><h2>Plots</h2>
            <div class="plots">
            \(LoadPlots(self).all.map(\.markup))</div>
            </section>
            \(pageMoney)<section id="figures"><h2>Figures</h2>
            \(pageTables)</section>
            \(pageMethod)</main>
            <footer><p>\(format), seed \(String(seed)). Billfold load test.</p></footer>
            <script>\(Markup(trusted: PageScript.text))</script>
            </body>
            </html>

            """
        return page.text
    }

    private var pageVerdict: Markup {
        let name = verdict.isUnknown ? "unknown" : verdict.passed ? "good" : "bad"
        let sign = verdict.isUnknown ? "?" : verdict.passed ? "✓" : "✗"
        return """
            <div class="verdict \(name)"><span class="sign" aria-hidden="true">\(sign)</span>
            <div><p class="word">\(verdict.word)</p><p class="headline">\(verdict.headline)</p>\
            <p>\(verdict.detail) <a href="#money">See the checks.</a></p></div></div>

            """
    }

    private var pageFigures: Markup {
        let latency = overall.latency
        func micros(_ value: Double) -> String { Shown.latency(micros: latency.count > 0 ? value : nil) }
        var figures: [(name: String, figure: String, note: String)] = [
            ("Answered ok", Shown.rate(overall.okPerSecond), "\(Shown.count(overall.ok)) in all"),
            ("Half within (p50)", micros(latency.p50Micros), "mean \(micros(latency.meanMicros))"),
            ("99 % within (p99)", micros(latency.p99Micros), "99.9 %: \(micros(latency.p999Micros))"),
            ("Slowest", micros(latency.maxMicros), "of \(Shown.count(latency.count))"),
            (
                "Refused or unknown", Shown.count(overall.refusedCount + overall.errorCount),
                overall.sent > 0
                    ? "\(Shown.share(overall.refusedCount + overall.errorCount, of: overall.sent)) of what was sent; "
                        + "\(Shown.count(overall.refusedCount)) refused" : "nothing was sent"
            ),
            (
                "CPU per operation", Shown.latency(micros: cpuMicrosPerOperation), "all processes but the generator"
            )
        ]
        if let ramp {
            // The mean rate of a ramp says nothing.
            figures[0] = (
                "Highest rate", ramp.highestPerSecond.map { Shown.rate($0) } ?? "none",
                "with p99 within \(Shown.latency(micros: ramp.p99LimitMicros))"
            )
        }
        let all: [Markup] = figures.map {
            "<div><dt>\($0.name)</dt><dd>\($0.figure)</dd><dd class=\"note\">\($0.note)</dd></div>\n"
        }
        return "<dl class=\"headline-figures\">\n\(all)</dl>\n"
    }

    private var pageWarnings: Markup {
        let all: [Markup] = warnings.map { "<p class=\"warning\"><strong>Mind:</strong> \($0)</p>\n" }
        return "\(all)"
    }

    private var pageMoney: Markup {
        let checks: [Markup] = verdict.checks.map { check in
            let findings: [Markup] = check.findings.map { "<li>\($0)</li>" }
            let more = check.findingsTotal - check.findings.count
            let rest: Markup = more > 0 ? "<li>… and \(Shown.count(more)) more</li>" : .none
            let list: Markup =
                findings.isEmpty && more <= 0 ? .none : "<ul class=\"findings\">\(findings)\(rest)</ul>"
            return """
                <li class="\(check.passed ? "good" : "bad")"><p><span class="word"><span aria-hidden="true">\
                \(check.passed ? "✓" : "✗")</span> \(check.passed ? "PASS" : "FAIL")</span> \(check.statement)</p>\
                <p class="note">\(check.name), \(Shown.count(check.examined)) examined, \
                \(Shown.count(check.findingsTotal)) found wrong</p>\(list)</li>

                """
        }
        let list: Markup =
            checks.isEmpty
            ? .none
            : """
            <p>When the load had ended, these statements were checked against the ledger, payments, the other services that were \
            in play, and what the generator remembers.</p>
            <ul class="checks">\(checks)</ul>
            """
        return """
            <section id="money"><h2>\(verdict.headline)</h2>
            <p>\(verdict.detail)</p>
            \(list)
            </section>

            """
    }
}
