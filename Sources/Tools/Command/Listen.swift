import ArgumentParser
import Bus
import BusZMQ
import Contracts
import Foundation
import Primitives
import Watch
import Wire

/// What passes on the bus.
struct Listen: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows facts as they are published, one per line; with --asks, asks too.",
        discussion: """
            A type is a whole name, the beginning of one (`payments`, `wallet.payment`), or a pattern in which * is any \
            text; without one all facts are shown, but not the head that each service publishes once a second. A line has the time, \
            the source, the type, the sequence, the content and the trace. Secrets and positions are never shown.

            A listener may miss published facts; a gap in the sequence is printed. All facts are in their service's log: \
            --last begins with the newest of them.

            With --asks the asks that pass through the broker are shown too, and their answers with the time they took. \
            They are private: the broker gives copies only to those who can read operator.key in its run directory.

            At its start the command prints on standard error what it listens to. It ends with Ctrl-C, or after --count \
            lines.

            \(ExitStatus.help(
                "it has shown --count lines",
                no: "the broker gives no copies of asks, or the logs cannot be read",
                unreachable: "no set runs"))

            Examples:
              billfold listen
              billfold listen 'payments.charge.*' --last 20
              billfold listen wallet --card 019a9c3d2c400004cacacacacacacaca
              billfold listen --charge 019a9c3d2c400005cececececececece --json
              billfold listen wallet.payment.posted.v1 --count 1
              billfold listen auth --asks
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

    @Flag(help: "Show asks and their answers too; for who may read the broker's operator.key.")
    var asks = false

    @Option(help: "The file with the broker's key, where it is not in the run directory.")
    var key: String?

    @Option(help: "End after so many lines.")
    var count: Int?

    @Flag(help: "Show identifiers with all their digits, and texts in full length.")
    var full = false

    @Flag(help: "Print each as JSON on a line.")
    var json = false

    @OptionGroup var connection: BusOptions

    /// Lines that may wait for a slow terminal. Beyond it the oldest are dropped, and their number is printed.
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
        let strange = try patterns.filter { try !isKnown($0) }
        let (reactor, bus) = try connection.open()
        do {
            try await listen(on: bus, to: strange, filter)
            await reactor.stop()
        } catch {
            await reactor.stop()
            throw error
        }
    }

    /// - Parameter strange: patterns that the catalogue does not know.
    private func listen(on bus: Bus, to strange: [TypePattern], _ filter: MessageFilter) async throws {
        // Without a broker nothing will ever come.
        let queues = try await bus.queues()
        for pattern in strange
        where !queues.services.contains(where: { $0.service == pattern.service && $0.workers > 0 }) {
            throw unknown(pattern)
        }
        let (received, mailbox) = AsyncStream.makeStream(
            of: Received.self, bufferingPolicy: .bufferingNewest(Self.waitingMax))
        // All of a source, whatever is wanted of it: a number that is passed over is a fact that was lost.
        let services = Set(patterns.map(\.service))
        for prefix in services.isEmpty || services.contains(nil) ? [""] : services.compactMap({ $0.map { $0 + "." } }) {
            bus.transport.subscribe(to: prefix) { frames in
                // What cannot be read is nobody's fact.
                for frame in frames { if let fact = try? Envelope(json: frame) { mailbox.yield(.fact(fact)) } }
            }
        }
        let copying = asks ? try copies(services, to: mailbox) : nil
        defer { copying?.cancel() }
        var printer = MessagePrinter(filter: filter, json: json, isWhole: full, countMax: count)
        if let last {
            do { try await showNewest(last, bus, services, &printer) } catch {
                throw CommandFailure(
                    status: ExitStatus(of: error),
                    description: "the logs cannot be read: \((error as? Fault)?.words ?? "\(error)")")
            }
        }
        // Whatever reads JSON has no use for it, unless a person looks on.
        if !json || isatty(STDERR_FILENO) == 1, !printer.isDone { complain(try subject) }
        guard !printer.isDone else { return }
        for await message in received {
            switch message {
            case .fact(let fact): printer.receive(fact, at: bus.clock.now())
            case .copy(let copy): printer.receive(copy)
            case .end(let error): throw error
            }
            if printer.isDone { return }
        }
    }

    /// Whether the catalogue has a type of this pattern. Of a service that it does not have, others may know more.
    ///
    /// - Throws: for a pattern that nothing will ever match.
    private func isKnown(_ pattern: TypePattern) throws -> Bool {
        if (CatalogueTypes.facts + (asks ? CatalogueTypes.asks : [])).contains(where: pattern.matches) { return true }
        if CatalogueTypes.asks.contains(where: pattern.matches) {
            throw CommandFailure.usage("'\(pattern.text)' is an ask, not a fact: --asks shows asks too")
        }
        guard let service = pattern.service, !CatalogueTypes.knows(service: service) else { throw unknown(pattern) }
        return false
    }

    private func unknown(_ pattern: TypePattern) -> CommandFailure {
        let near = CatalogueTypes.near(pattern, isOfAsks: asks)
        return .usage(
            "there is no \(asks ? "ask and no fact" : "fact") '\(pattern.text)'"
                + (near.isEmpty
                    ? "; 'billfold contracts' lists all" : "; did you mean \(near.joined(separator: ", "))?"))
    }

    /// What is listened to, and how that ends.
    private var subject: String {
        get throws {
            let what = types.isEmpty ? "all facts" : types.joined(separator: ", ")
            let end = count.map { "ends after \($0) \($0 == 1 ? "line" : "lines"), or with Ctrl-C" } ?? "Ctrl-C ends"
            let more = asks ? ", asks and answers too," : ""
            return "listening to \(what)\(more) on the bus \(try connection.address()); \(end)"
        }
    }

    private enum Received: Sendable {
        case fact(Envelope)
        case copy(AskTap.Copy)
        /// No copies come any more, and why.
        case end(any Error)
    }

    /// Copies of one service's asks where one is meant, else of all.
    private func copies(
        _ services: Set<String?>, to mailbox: AsyncStream<Received>.Continuation
    ) throws -> Task<Void, Never> {
        let address = try connection.address()
        var file = key
        if file == nil { file = AskTap.keyFile(of: address) }
        guard let file else { throw ValidationError("--key is the file with the key of a broker on another host.") }
        let service = services.count == 1 ? services.first.flatMap { $0 } : nil
        let copies = try AskTap.copies(of: service, on: address, keyFile: file)
        return Task {
            do {
                for try await copy in copies { mailbox.yield(.copy(copy)) }
            } catch {
                mailbox.yield(.end(error))
            }
        }
    }

    /// How long one page of facts may take.
    private static let patience = Duration.seconds(5)

    /// The newest facts of each log, in the order of their times.
    private func showNewest(
        _ count: Int, _ bus: Bus, _ services: Set<String?>, _ printer: inout MessagePrinter
    ) async throws {
        let logs = LogReader(bus) { AskContext(deadline: bus.clock.now() + Self.patience) }
        var facts: [Envelope] = []
        for source in LogReader.sources
        where services.isEmpty || services.contains(nil) || services.contains(source.service) {
            facts += try await logs.newest(Int64(count), of: source)
        }
        func isEarlier(_ one: Envelope, _ other: Envelope) -> Bool {
            (one.time?.milliseconds ?? 0, one.sequence ?? 0) < (other.time?.milliseconds ?? 0, other.sequence ?? 0)
        }
        for fact in facts.sorted(by: isEarlier) where !printer.isDone { printer.receive(fact, at: bus.clock.now()) }
    }
}

/// Writes the messages that were asked for, and reports those that were missed.
private struct MessagePrinter {
    let filter: MessageFilter
    let json: Bool
    let isWhole: Bool
    let countMax: Int?
    private var gaps = SequenceGaps()
    /// Asks that were shown and have no answer yet, by the broker's number: when they passed.
    private var open: [UInt64: Int64] = [:]
    private var printed = 0
    private let colour = LoadScreen.wantsColour(STDOUT_FILENO)

    init(filter: MessageFilter, json: Bool, isWhole: Bool, countMax: Int?) {
        self.filter = filter
        self.json = json
        self.isWhole = isWhole
        self.countMax = countMax
    }

    var isDone: Bool { countMax.map { printed >= $0 } ?? false }

    mutating func receive(_ fact: Envelope, at now: Timestamp) {
        if let sequence = fact.sequence {
            switch gaps.receive(sequence, of: fact.source) {
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
        show(MessageLine(.fact, fact, data, received: now))
    }

    /// An answer is shown where its ask was.
    mutating func receive(_ copy: AskTap.Copy) {
        guard let message = try? Envelope(json: copy.body), let data = try? JSONValue(parsing: message.data) else {
            return
        }
        let received = Timestamp(milliseconds: Int64(copy.unixMicroseconds / 1000))
        let passed = Int64(clamping: copy.unixMicroseconds)
        if copy.kind == .ask {
            guard filter.wants(message, data), open.count < Self.openMax else { return }
            open[copy.number] = passed
            return show(MessageLine(.ask, message, data, received: received))
        }
        guard let asked = open[copy.number] else { return }
        if copy.kind != .partial { open[copy.number] = nil }
        let kind: MessageLine.Kind = message.type.hasSuffix(".reply") ? .reply : .fault
        show(MessageLine(kind, message, data, received: received, took: passed - asked))
    }

    /// Asks without an answer that are remembered; beyond, asks are not shown until some are answered.
    private static let openMax = 65_536

    private mutating func show(_ line: MessageLine) {
        let text = json ? line.json.text : line.text(colour: colour, isWhole: isWhole)
        // At once: somebody waits for it at the other end of a pipe.
        FileHandle.standardOutput.write(Data("\(text)\n".utf8))
        printed += 1
    }
}
