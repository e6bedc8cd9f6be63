import ArgumentParser
import Bus
import Contracts
import Foundation
import Primitives
import Watch
import Wire

/// What passes on the bus.
struct Listen: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows facts as they are told, one line each.",
        discussion: """
            A type is a whole name, the beginning of one (`payments`, `wallet.payment`), or a pattern in which * is any \
            text; without one all facts are shown, but not the heads that each service tells once a second. A line is: time, \
            who told it, the fact, its number, what it says, and the trace that it belongs to. Secrets and positions are \
            never shown.

            Published facts may be lost on the way to who listens; a number that was passed over is told of. They are all in \
            their service's log: --last shows its newest first.

            Examples:
              billfold listen
              billfold listen 'payments.charge.*' --last 20
              billfold listen wallet --card 019a9c3d2c400004cacacacacacacaca
              billfold listen --charge 019a9c3d2c400005cececececececece --json
              billfold listen wallet.payment.posted.v1 --count 1
            """)

    @Argument(
        help: "Types, or patterns of them.",
        completion: .custom { _, _, _ in CatalogueTypes.facts + CatalogueTypes.asks })
    var types: [String] = []

    @Option(help: "Only what names this card.")
    var card: String?

    @Option(help: "Only what names this charge.")
    var charge: String?

    @Option(help: "Only what names this customer, merchant or other account.")
    var account: String?

    @Option(help: "Only what belongs to this trace, or correlation id.")
    var trace: String?

    @Option(help: "Show the newest so many facts of each service's log first, 1 to 100000.")
    var last: Int?

    @Option(help: "End after so many lines.")
    var count: Int?

    @Flag(help: "Show identifiers with all their digits, and texts in full length.")
    var full = false

    @Flag(help: "Print each as JSON on a line.")
    var json = false

    @OptionGroup var connection: BusOptions

    /// Lines that may wait for a slow terminal; the oldest are lost beyond it, and told of.
    private static let waitingMax = 10_000

    func validate() throws {
        for type in types where TypePattern(type) == nil {
            throw ValidationError("'\(type)' is no type: they look like wallet.payment.posted.v1, or wallet.*")
        }
        for (name, id) in [("card", card), ("charge", charge), ("account", account)] {
            if let id, Identifier<Never>(id) == nil { throw ValidationError("--\(name) is an id of 32 hex digits.") }
        }
        if let last, !(1...100_000).contains(last) { throw ValidationError("--last is 1 to 100000.") }
        if let count, count < 1 { throw ValidationError("--count is 1 or more.") }
    }

    private var patterns: [TypePattern] { types.compactMap { TypePattern($0) } }

    func run() async throws {
        let filter = MessageFilter(
            types: patterns, subjects: [card, charge, account].compactMap(\.self),
            trace: trace.map { TraceID(traceparent: $0)?.hex ?? $0 })
        let (reactor, bus) = try connection.open()
        let (heard, mailbox) = AsyncStream.makeStream(
            of: Envelope.self, bufferingPolicy: .bufferingNewest(Self.waitingMax))
        // All of a source, whatever is wanted of it: a number that is passed over is a fact that was lost.
        let services = Set(patterns.map(\.service))
        for prefix in services.isEmpty || services.contains(nil) ? [""] : services.compactMap({ $0.map { $0 + "." } }) {
            bus.transport.listen(to: prefix) { frames in
                // What cannot be read is nobody's fact.
                for frame in frames { if let fact = try? Envelope(json: frame) { mailbox.yield(fact) } }
            }
        }
        var printer = FactPrinter(filter: filter, json: json, isWhole: full, countMax: count)
        do {
            if let last { try await tellNewest(last, bus, services, &printer) }
            if !json, isatty(STDERR_FILENO) == 1, !printer.isDone { complain("listening; Ctrl-C ends") }
            for await fact in heard {
                if printer.isDone { break }
                printer.hear(fact, at: bus.clock.now())
            }
        } catch {
            await reactor.stop()
            complain("the logs cannot be read: \((error as? Fault)?.words ?? "\(error)")")
            throw ExitCode.failure
        }
        await reactor.stop()
    }

    /// The newest facts of each log, in the order of their times.
    private func tellNewest(
        _ count: Int, _ bus: Bus, _ services: Set<String?>, _ printer: inout FactPrinter
    ) async throws {
        let sources = FactSources(bus: bus)
        var facts: [Envelope] = []
        for source in FactSources.names where services.isEmpty || services.contains(nil) || services.contains(source) {
            var after = max(0, try await sources.head(of: source) - Int64(count))
            while true {
                let page = try await sources.page(of: source, after: after)
                facts += page.facts
                after += Int64(page.facts.count)
                if page.facts.isEmpty || after >= page.head { break }
            }
        }
        func isEarlier(_ one: Envelope, _ other: Envelope) -> Bool {
            (one.time?.milliseconds ?? 0, one.sequence ?? 0) < (other.time?.milliseconds ?? 0, other.sequence ?? 0)
        }
        for fact in facts.sorted(by: isEarlier) where !printer.isDone { printer.hear(fact, at: bus.clock.now()) }
    }
}

/// Writes what is wanted of what was heard, and tells of what was missed.
private struct FactPrinter {
    let filter: MessageFilter
    let json: Bool
    let isWhole: Bool
    let countMax: Int?
    private var gaps = SequenceGaps()
    private var printed = 0
    private let colour = LoadScreen.wantsColour(STDOUT_FILENO)

    init(filter: MessageFilter, json: Bool, isWhole: Bool, countMax: Int?) {
        self.filter = filter
        self.json = json
        self.isWhole = isWhole
        self.countMax = countMax
    }

    var isDone: Bool { countMax.map { printed >= $0 } ?? false }

    mutating func hear(_ fact: Envelope, at now: Timestamp) {
        if let sequence = fact.sequence {
            switch gaps.hear(sequence, of: fact.source) {
            case .next: break
            case .known: return
            case .gap(let missed):
                complain(
                    "\(missed.count) of \(fact.source)'s facts were not heard: #\(missed.lowerBound) to "
                        + "#\(missed.upperBound); its log has them (--last)")
            }
        }
        guard filter.wants(type: fact.type), let data = try? JSONValue(parsing: fact.data), filter.wants(fact, data)
        else { return }
        let line = MessageLine(.fact, fact, data, heard: now)
        let text = json ? line.json.text : line.text(colour: colour, isWhole: isWhole)
        // At once: somebody waits for it at the other end of a pipe.
        FileHandle.standardOutput.write(Data("\(text)\n".utf8))
        printed += 1
    }
}
