import ArgumentParser
import BusZMQ
import Checks
import Foundation
import Load
import LoadPage
import LoadReport
import Primitives
import ServiceKit

/// The load test that proves the money.
struct LoadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load",
        abstract: "Drives a running set, measures it, breaks it if asked to, and proves every cent afterwards.",
        discussion: """
            Scenarios for --mix:
            \(ScenarioList.all.map { "  \($0.name.padding(toLength: 8, withPad: " ", startingAt: 0)) \($0.summary)" }.joined(separator: "\n"))

            With --rate operations come at a constant rate and latency counts from the moment each was due (open loop). \
            With --ramp the rate rises until p99 is above --p99. Otherwise --in-flight operations are always under way \
            (closed loop).

            Over HTTP --http may name several gateways, as 127.0.0.1:8080,127.0.0.1:8081: connections and event streams are \
            spread over them.

            An operation without a final answer is asked again under the same key until it has one. Afterwards the \
            ledger, the receipts and the notices are read back and compared with every answer.

            Durations are written 200ms, 5s, 2m or 1h. Ctrl-C ends the load early and still proves and reports; \
            a second Ctrl-C aborts.

            \(ExitStatus.help(
                "all statements hold and nothing stays unknown",
                no: "a statement does not hold, or a fault that was asked for never happened",
                unreachable: "no set, gateway or needed service answers, or nothing was played"))

            Examples:
              billfold load --over http --in-flight 64 --duration 30s
              billfold load --rate 5000 --mix card=8,code=1 --merchants-by hot:0.5
              billfold load --ramp --from 2000 --p99 50ms --html load.html
              billfold load --duration 1m --kill wallet --every 5s
              billfold load --duration 20s --stop broker --for 2s --json load.json
            """)

    @Option(help: "How the set is driven: http or bus.")
    var over = "bus"

    @Option(help: "Scenarios and their weights, as card=8,code=1,charge=1.")
    var mix = "card"

    @Option(
        help:
            "Operations at once (closed loop), or at most at once (open loop); over HTTP also the connections. Default: 256 over the bus, 64 over HTTP; open loop 4096 and 256."
    )
    var inFlight: Int?

    @Option(help: "Open loop: operations a second.")
    var rate: Double?

    @Flag(help: "Finds the highest rate that still meets --p99.")
    var ramp = false

    @Option(help: "The limit of a ramp.")
    var p99 = "50ms"

    @Option(help: "The first rate of a ramp, operations a second.")
    var from = 1000.0

    @Option(help: "How long each step of a ramp is measured.")
    var step = "5s"

    @Option(help: "Time before measuring begins.")
    var warmUp = "2s"

    @Option(help: "Time that is measured.")
    var duration = "10s"

    @Option(help: "How long operations without a final answer are asked again at the end.")
    var settle = "1m"

    @Option(
        help: "Name of the people who pay and are paid; made when they are not there yet, used again when they are.")
    var population = "default"

    @Option(
        help: "Customers. Default: 1000 over the bus, 64 over HTTP (each logs in, which costs two password hashes).")
    var customers: Int?

    @Option(help: "Cards in all, up to 100 for each customer. Default: one each.")
    var cards: Int?

    @Option(help: "Touch devices, up to 16 for each customer; 8 are the default, as each needs a PIN.")
    var devices: Int?

    @Option(help: "Event streams of apps, up to 8 for each customer. Default: one for each.")
    var streams: Int?

    @Option(help: "Merchants.")
    var merchants = 20

    @Option(help: "How cards are chosen: uniform, zipf, zipf:0.9 or hot:0.5 (half of all is one card).")
    var cardsBy = "uniform"

    @Option(help: "How merchants are chosen: uniform, zipf, zipf:0.9 or hot:0.5.")
    var merchantsBy = "uniform"

    @Option(help: "What is paid, in cents: 5, or 1-100.")
    var amount = "1-100"

    @Option(
        help:
            "What each card has at least at the start, in cents. Default: 1000000; with more than 20000 cards the opening balance. Cards that run low are reloaded on the way."
    )
    var balance: Int64?

    @Option(
        help: "Entries that the ledger has at least before the load begins: payments of a cent are made until then.")
    var entries: Int64 = 0

    @Option(help: "What all random choices follow from.")
    var seed: UInt64 = 1

    @Option(
        help: ArgumentHelp(
            "Kills a process (kill -9) and sees that it comes back: \(FaultPlan.processes.joined(separator: ", ")), or all. Can be given again.",
            valueName: "process"))
    var kill: [String] = []

    @Option(help: ArgumentHelp("Stops a process for --for. Can be given again.", valueName: "process"))
    var stop: [String] = []

    @Option(help: "Repeats --kill and --stop so often. Otherwise once.")
    var every: String?

    @Option(name: .customLong("for"), help: "How long --stop stops.")
    var length: String?

    @Option(help: "When --kill and --stop come first. Default: after one --every, or halfway.")
    var at: String?

    @Option(
        help: ArgumentHelp(
            "A fault with times of its own, as 'stop broker for 2s every 10s'. Can be given again.", valueName: "words")
    )
    var fault: [String] = []

    @Option(help: "How long whoever launched the set has to bring a killed process back, before this command does.")
    var grace = "1s"

    @Option(help: "The set's processes, as broker=123,wallet=456. Default: found by executable and BILLFOLD_RUN.")
    var processes: String?

    @Flag(help: "Others use the set too: their entries are no findings.")
    var sharedSet = false

    @Option(help: "What the wallet's own check covers: whole, or run (entries made during the run).")
    var verify = "whole"

    @Option(help: "Cards in play whose entries are read one by one; of more, so many by chance.")
    var walkCards = 50_000

    @Option(help: ArgumentHelp("Writes all figures as JSON.", valueName: "file"))
    var json: String?

    @Option(help: ArgumentHelp("Writes a report to look at.", valueName: "file"))
    var html: String?

    @Flag(help: "Only makes the population, and says when it is there.")
    var prepareOnly = false

    @Flag(help: "No live progress.")
    var quiet = false

    @Option(name: .customLong("run"), help: "Directory of the bus's sockets (BILLFOLD_RUN).")
    var runDirectory: String?

    @OptionGroup var gateway: GatewayOptions

    func run() async throws {
        var plan = try plan()
        let files = try (
            json: json.map { try OutputFile($0, option: "--json") },
            html: html.map { try OutputFile($0, option: "--html") }
        )
        // Over the bus none is asked.
        if plan.driver == .http {
            plan.gateways = Self.addresses(try gateway.address(of: .directory(plan.runDirectory)))
            try plan.check()
        }
        let screen = LoadScreen(isQuiet: quiet)
        let test = try LoadTest(plan) { screen.show($0) }
        let interrupts = Interrupts { number in
            if test.stop() { return }
            screen.clear()
            complain("the load was stopped before it began: nothing was measured. The people it has made stay")
            Foundation.exit(128 + number)
        }
        defer { interrupts.end() }
        defer { screen.clear() }
        guard !prepareOnly else {
            try await test.prepare()
            await test.end()
            screen.clear()
            return print(
                "\(plan.customers) customers, \(plan.customers * plan.cardsEach) cards and \(plan.merchants) merchants are there"
            )
        }
        let run = try await test.run()
        await test.end()
        screen.clear()
        // Before the table, whose reader may have gone; and a full disk does not keep the table back.
        let written = Result {
            try files.json?.write(run.json())
            try files.html?.write(Data(run.page().utf8))
        }
        print(run.table(colour: LoadScreen.wantsColour(STDOUT_FILENO)))
        for setting in run.settings { print("\(setting.name): \(setting.value)") }
        try written.get()
        guard run.verdict.passed else { throw (run.verdict.isUnknown ? ExitStatus.unreachable : .no).code }
    }

    // MARK: Options

    private static func addresses(_ list: String) -> [String] { list.split(separator: ",").map(String.init) }

    private func plan() throws -> LoadPlan {
        let host = try HostConfig.fromEnvironment()
        var plan = LoadPlan()
        guard let driver = LoadDriver(rawValue: over) else {
            throw LoadUsageError("--over is '\(over)'; it can be http or bus")
        }
        plan.driver = driver
        plan.runDirectory = runDirectory ?? host.runDirectory
        plan.bus = runDirectory.map(BusAddress.directory) ?? host.bus
        if case .host = plan.bus {
            throw LoadUsageError(
                "BILLFOLD_BUS names a broker on another host: a load runs where its set does; --run names a set of this host"
            )
        }
        plan.gateways = gateway.http.map(Self.addresses) ?? plan.gateways
        plan.mix = try Mix(mix, known: ScenarioList.names)
        plan.pace = try pace()
        let isOpen = plan.pace != .closed
        plan.warmUp = try span(warmUp, "--warm-up")
        plan.duration = try span(duration, "--duration")
        plan.patience = try span(settle, "--settle")
        plan.populationName = population
        (plan.customers, plan.cardsEach) = try people(driver)
        let usual = driver == .bus ? isOpen ? 4096 : 256 : isOpen ? 256 : 64
        // Nobody is on two walks at once.
        plan.inFlight = inFlight ?? (plan.playsWalks ? min(usual, plan.customers) : usual)
        plan.devices = devices
        plan.streams = streams
        plan.merchants = merchants
        plan.cardChoice = try distribution(cardsBy, "--cards-by")
        plan.merchantChoice = try distribution(merchantsBy, "--merchants-by")
        plan.amounts = try amounts()
        plan.entriesMin = entries
        plan.balanceMin = balance ?? (plan.customers * plan.cardsEach > 20_000 ? 0 : 1_000_000)
        plan.seed = seed
        plan.faults = FaultPlan(faults: try faults())
        plan.grace = try span(grace, "--grace")
        plan.processes = try processes.map { text throws(LoadUsageError) in try ProcessTable.parse(text) } ?? [:]
        plan.isSharedSet = sharedSet
        guard ["whole", "run"].contains(verify) else {
            throw LoadUsageError("--verify is '\(verify)'; it can be whole or run")
        }
        plan.verifiesWhole = verify == "whole"
        plan.cardsWalkedMax = max(1, walkCards)
        try plan.check()
        return plan
    }

    private func pace() throws -> LoadPlan.Pace {
        if ramp {
            guard rate == nil else { throw LoadUsageError("--ramp finds the rate: leave --rate away") }
            return .ramp(from: from, step: try span(step, "--step"), p99: try span(p99, "--p99"))
        }
        return rate.map { .open(perSecond: $0) } ?? .closed
    }

    /// As many as the most customers can have.
    private static let cardsMax = 100_000_000

    private func people(_ driver: LoadDriver) throws -> (customers: Int, cardsEach: Int) {
        let count = customers ?? (driver == .bus ? 1000 : 64)
        guard count > 0 else { throw LoadUsageError("there has to be a customer") }
        guard let cards else { return (count, 1) }
        guard (1...Self.cardsMax).contains(cards) else { throw LoadUsageError("there can be 1 to 100000000 cards") }
        if cards < count { return (cards, 1) }
        let each = (cards + count - 1) / count
        if each <= Population.cardsEachMax { return (count, each) }
        guard customers == nil else {
            throw LoadUsageError("\(count) customers can have \(count * Population.cardsEachMax) cards at most")
        }
        return ((cards + Population.cardsEachMax - 1) / Population.cardsEachMax, Population.cardsEachMax)
    }

    private func amounts() throws -> ClosedRange<Int> {
        let parts = amount.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard let low = parts[0], parts.count < 3, let high = parts.last ?? low, low <= high else {
            throw LoadUsageError("--amount is '\(amount)'; it can be 5 or 1-100")
        }
        return low...high
    }

    private func faults() throws -> [FaultPlan.Fault] {
        let every = try every.map { try span($0, "--every") }
        let length = try length.map { try span($0, "--for") }
        let at = try at.map { try span($0, "--at") }
        if kill.isEmpty, stop.isEmpty, every != nil || length != nil || at != nil {
            throw LoadUsageError("--every, --for and --at belong to --kill and --stop")
        }
        if stop.isEmpty, length != nil { throw LoadUsageError("--for belongs to --stop") }
        return try kill.map { try FaultPlan.fault("kill", $0, for: nil, at: at, every: every) }
            + stop.map { try FaultPlan.fault("stop", $0, for: length, at: at, every: every) }
            + fault.map { try FaultPlan.fault($0) }
    }

    private func span(_ text: String, _ option: String) throws(LoadUsageError) -> Span {
        guard let span = Span(text) else {
            throw LoadUsageError("\(option) is '\(text)'; a duration is written 200ms, 5s, 2m or 1h")
        }
        return span
    }

    private func distribution(_ text: String, _ option: String) throws(LoadUsageError) -> Distribution {
        guard let distribution = Distribution(text) else {
            throw LoadUsageError("\(option) is '\(text)'; it can be uniform, zipf, zipf:0.9 or hot:0.5")
        }
        return distribution
    }
}
