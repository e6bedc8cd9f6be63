import Contracts
import Foundation
import LoadPage
import LoadReport
import Sodium
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

@Suite("Page")
struct PageTests {
    static let runs: [LoadRun] = [.small, .disturbed, .ramped, .empty, .odd, .hostile, .allErrors, .onePoint]

    @Test("well-formed XML, with ids that are unique and links that lead somewhere", arguments: runs)
    func wellFormed(run: LoadRun) throws {
        let reader = PageReader()
        let parser = XMLParser(data: Data(run.page().utf8))
        parser.delegate = reader
        #expect(parser.parse(), "\(String(describing: parser.parserError)) at line \(parser.lineNumber)")
        #expect(Set(reader.ids).count == reader.ids.count)
        #expect(reader.links.allSatisfy { $0.hasPrefix("#") && reader.ids.contains(String($0.dropFirst())) })
        #expect(reader.labels.allSatisfy(reader.ids.contains))
        #expect(reader.elements.isDisjoint(with: ["link", "img", "iframe", "object", "image", "use", "form"]))
        #expect(reader.elements.isSuperset(of: ["main", "h1", "h2", "title", "style", "script"]))
        #expect(!reader.hasHandlers)
    }

    @Test("nothing is fetched and no figure is broken", arguments: runs)
    func selfContained(run: LoadRun) {
        let page = run.page()
        for word in ["url(", "@import", "src=", "fetch(", "//"] where run != .hostile {
            #expect(!page.replacing("http://www.w3.org/1999/xhtml", with: "").contains(word), "\(word)")
        }
        for word in ["\"nan", "nan%", "NaN", "inf%", "Optional("] { #expect(!page.contains(word), "\(word)") }
    }

    @Test("only the page's own script may run")
    func scriptDigest() {
        let digest = Data(Digest.sha256(Array(PageScript.text.utf8))).base64EncodedString()
        #expect(PageScript.hash == "sha256-\(digest)")
        let page = LoadRun.small.page()
        #expect(page.contains("script-src '\(PageScript.hash)'"))
        #expect(page.contains("<script>\(PageScript.text)</script>"))
        #expect(page.components(separatedBy: "<script").count == 2)
        // What would have to be escaped in XML would be another text in HTML.
        #expect(!PageScript.text.contains("<") && !PageScript.text.contains("&"))
    }

    @Test("text from outside is text")
    func escaping() {
        let page = LoadRun.hostile.page()
        #expect(!page.contains("<script>alert") && !page.contains("<img") && !page.contains("</title><b>"))
        #expect(page.contains("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;"))
        #expect(!page.unicodeScalars.contains { $0.value < 32 && $0 != "\n" && $0 != "\t" || $0.value == 0x202E })
        let markup: Markup = "<b title=\"\("\"a\"<b>&'c'")\">\(Markup.none)</b>"
        #expect(markup.text == "<b title=\"&quot;a&quot;&lt;b&gt;&amp;&#39;c&#39;\"></b>")
    }

    @Test(
        "each plot is there, with axes, title and description",
        arguments: [
            "ramp", "latency-over-time", "distribution", "throughput", "failures", "processors", "memory", "queues"
        ])
    func plots(name: String) throws {
        let page = LoadRun.small.page()
        let start = try #require(page.range(of: "<figure class=\"plot")?.lowerBound)
        let figures = page[start...].components(separatedBy: "<figure class=\"plot").dropFirst()
        let figure = try #require(
            figures.first { $0.hasPrefix("\" id=\"\(name)\"") || $0.hasPrefix(" wide\" id=\"\(name)\"") })
        for part in [
            "<svg class=\"area\" role=\"img\"", "<desc", "class=\"axis-title\"", "class=\"y\"", "class=\"x", "<path "
        ] {
            #expect(figure.contains(part), "\(part)")
        }
        // Where time is across, what was done to the set is marked, and the warm-up is tinted.
        if name != "ramp" && name != "distribution" {
            #expect(figure.contains("class=\"mark\"") && figure.contains("2.1 s: kill wallet, away 0.6 s"))
            #expect(figure.contains("<rect class=\"shade\""))
        }
    }

    @Test("the same process has the same colour in each plot")
    func colours() throws {
        let plots = LoadPlots(.disturbed)
        let inCPU = Dictionary(uniqueKeysWithValues: plots.processors.lines.map { ($0.name, $0.hue) })
        let inMemory = Dictionary(uniqueKeysWithValues: plots.memory.lines.map { ($0.name, $0.hue) })
        #expect(inCPU == inMemory && Set(inCPU.values).count == inCPU.count)
        for line in plots.queues.lines where inCPU[line.name] != nil { #expect(inCPU[line.name] == line.hue) }
    }

    @Test("a service has the same colour in each report, whoever else is in it, and no two of the set's own share one")
    func coloursByName() {
        let looks = (Catalogue.services.map { $0.service } + [LoadRun.generatorName]).map { name in
            let look = LoadPlots.look(ofProcess: name)
            return "\(look.hue) \(look.stroke)"
        }
        #expect(Set(looks).count == looks.count)
        let hues = Set(Catalogue.services.map { LoadPlots.look(ofProcess: $0.service).hue })
        #expect(hues.count == Catalogue.services.count)
        var run = LoadRun.disturbed
        run.queues = ["notifications", "rates", "offers"].map { QueueSeries(service: $0) }
        run.processes = ["offers", "rates", "notifications", "wallet"].map { ProcessSeries(name: $0) }
        let plots = LoadPlots(run)
        for line in plots.queues.lines.prefix(3) {
            #expect(plots.processors.lines.first { $0.name == line.name }?.hue == line.hue, "\(line.name)")
        }
    }

    @Test("the time after the load is neither its slowest nor its worst second")
    func afterTheLoad() {
        var run = LoadRun.disturbed
        let last = run.intervals.count - 1
        for index in run.intervals.indices where !run.intervals[index].isWarmUp {
            run.intervals[index].okPerSecond = 1000
            run.intervals[index].p99Micros = 2000
        }
        run.intervals[last].okPerSecond = 3
        run.intervals[last].p99Micros = 9_000_000
        #expect(LoadPlots(run).throughput.summary.contains("3.0/s in the slowest second"))
        run.intervals[last].isAfterLoad = true
        #expect(LoadPlots(run).throughput.summary.contains("1,000/s in the slowest second"))
        #expect(LoadPlots(run).latencyOverTime.summary.contains("2.00 ms in the worst"))
    }

    @Test("verdict and figures come first, then plots, money, tables, method")
    func order() throws {
        let page = LoadRun.disturbed.page()
        let parts = [
            "class=\"verdict good\"", "The money is right", "class=\"headline-figures\"", "2,387/s", "id=\"plots\"",
            "id=\"money\"", "id=\"figures\"", "id=\"method\"", "coordinated omission"
        ]
        let places = try parts.map { part in try #require(page.range(of: part)?.lowerBound, "\(part)") }
        #expect(places == places.sorted())
    }

    @Test("a failed check shows what it found and how much more there is")
    func findings() {
        let page = LoadRun.small.page()
        #expect(page.contains("class=\"verdict bad\"") && page.contains("The money is not right"))
        #expect(page.contains("payment 2c3d is missing") && page.contains("… and 3 more"))
        #expect(page.contains("<title>FAIL: Three seconds"))
    }

    @Test("no check is neither a pass nor a failure")
    func unchecked() {
        #expect(LoadRun.empty.page().contains("class=\"verdict unknown\""))
        #expect(LoadRun.empty.page().contains("The money was not checked"))
    }

    @Test("a run without anything, or of errors alone, says so")
    func emptyStates() {
        #expect(LoadRun.empty.page().contains("Nothing was sent"))
        #expect(LoadRun.empty.page().contains("Nothing was recorded for this plot."))
        let errors = LoadRun.allErrors.page()
        #expect(errors.contains("no latency to show") && errors.contains("bus.no_worker"))
        #expect(LoadRun.disturbed.page().contains("asked again in 1 interval."))
    }

    @Test("a long run makes no endless table")
    func long() {
        let page = LoadRun.long.page()
        #expect(page.contains("One interval in 3"))
        #expect(page.utf8.count < 3_000_000)
    }
}

private final class PageReader: NSObject, XMLParserDelegate {
    var elements: Set<String> = []
    var ids: [String] = []
    var links: [String] = []
    var labels: [String] = []
    var hasHandlers = false

    func parser(
        _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String] = [:]
    ) {
        elements.insert(element)
        if let id = attributes["id"] { ids.append(id) }
        if let link = attributes["href"] { links.append(link) }
        labels += (attributes["aria-labelledby"] ?? "").split(separator: " ").map(String.init)
        if attributes.keys.contains(where: { $0.hasPrefix("on") }) { hasHandlers = true }
    }
}
