import ArgumentParser
import BusZMQ
import Foundation
import NATS

/// Speed, measured against a set that runs for nothing else. `deploy/bench` starts one and runs this.
@main
struct BillfoldBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "billfold-bench",
        abstract:
            "Measures asks/s through the broker, ledger posts/s, positions/s and how long offers look. Payments: billfold load."
    )

    enum Subject: String, CaseIterable, ExpressibleByArgument {
        case echo, ledger, location
        case locationSearches = "location-searches"
        case locationBus = "location-bus"
        case offers
        case offersMany = "offers-many"
        case offersAll = "offers-all"
        case spans
    }

    @Option(
        help: """
            Figures, separated by commas: echo, ledger, location, location-searches, location-bus, offers, offers-many, \
            offers-all, spans.
            """,
        transform: { try $0.split(separator: ",").map { try Subject(named: $0) } })
    var only = Subject.allCases

    @Option(name: .customLong("run"), help: "Directory of the bus's sockets (BILLFOLD_RUN).")
    var runDirectory = ""

    @Option(help: "NATS servers for the echo instead, as nats://HOST:PORT.", transform: { try NATSServers($0) })
    var nats: NATSServers?

    @Option(help: "Directory for the ledger that is measured alone; on the disk that is to be measured.")
    var scratch = "."

    @Option(help: "Seconds for each figure.")
    var seconds = 4.0

    @Option(help: "Bytes in the body of an echo.")
    var body = 256

    @Option(help: "Asks in flight.")
    var inFlight = 100

    @Option(help: "Who waits for the answers of an echo: tasks, or functions that are called (calls).")
    var callers = EchoBench.Callers.tasks

    @Option(help: "Payments in one commit of the ledger that is measured alone; positions or searches at a time.")
    var group = 256

    @Option(help: "Processes whose processor time per operation is measured: broker=123,wallet=456.")
    var processes = ""

    @Option(help: "File for the figures as JSON.")
    var json: String?

    func validate() throws {
        let least = min(seconds, Double(inFlight), Double(group))
        guard least > 0, (0...60_000).contains(body) else {
            throw ValidationError("seconds and counts are above 0, a body has up to 60000 bytes")
        }
    }

    func run() async throws {
        useBatchScheduling()
        var time = ProcessorTime(processes)
        var figures: [Figure] = []
        for subject in only {
            let figure = try await measure(subject, &time)
            print(figure.text)
            figures.append(figure)
        }
        guard let json else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(figures).write(to: URL(fileURLWithPath: json))
    }

    private func measure(_ subject: Subject, _ time: inout ProcessorTime) async throws -> Figure {
        switch subject {
        case .echo:
            try await EchoBench(
                bus: nats.map { .nats(NATSAccess(servers: $0)) } ?? .directory(runDirectory), seconds: seconds,
                body: [UInt8](repeating: UInt8(ascii: "x"), count: body), inFlight: inFlight, callers: callers
            ).run(&time)
        case .ledger:
            try LedgerBench(directory: scratch, seconds: seconds, group: group).run(&time)
        case .location: try LocationBench(deed: .updates, seconds: seconds, group: group).run(&time)
        case .locationBus:
            try await LocationBusBench(
                runDirectory: runDirectory, seconds: seconds, inFlight: min(inFlight, 8)
            ).run(&time)
        case .offers: OffersBench(subscriptions: 50, seconds: seconds).run(&time)
        case .offersMany: OffersBench(subscriptions: 1_000, seconds: seconds).run(&time)
        case .offersAll: OffersBench(subscriptions: OffersBench.merchants, seconds: seconds).run(&time)
        case .spans: SpanBench(seconds: seconds).run(&time)
        case .locationSearches: try LocationBench(deed: .searches, seconds: seconds, group: group).run(&time)
        }
    }
}

extension BillfoldBench.Subject {
    fileprivate init(named name: Substring) throws {
        guard let subject = Self(rawValue: String(name)) else { throw ValidationError("there is no figure '\(name)'") }
        self = subject
    }
}

extension EchoBench.Callers: ExpressibleByArgument {}
