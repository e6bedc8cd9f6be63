import ArgumentParser
import BusZMQ
import Dispatch
import Foundation
import Primitives
import ServiceKit
import Supervision

/// Runs the set that `docker-compose.yml` describes, as processes of this machine.
struct UpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "up",
        abstract: "Starts the set that docker-compose.yml describes, as local processes, and keeps it running.",
        discussion: """
            Each process is started when those it depends on are healthy, and started again when it ends: after 100 ms, \
            then twice as long each time, 10 s at most. Executables are taken from beside this command, then from PATH.

            Without -d, logs are shown as they come and Ctrl-C stops the set within 2 s. With -d, the set goes on in the \
            background; the command returns when all processes are healthy and says which page is for whom. A set of which a \
            process cannot be started is stopped again; one that is only late goes on after --wait-timeout, and so does one \
            of which a process says that something is wrong with it. Nothing is started where the gateway's port is taken, or \
            where a setting (BILLFOLD_…) is misspelt, or .env has one that only the shell can have.

            What the file says of containers is put into this machine's terms: the shared volume becomes BILLFOLD_RUN \
            (default: /tmp/billfold-UID), the others BILLFOLD_DATA (default: .billfold/data beside the file), published \
            ports the address to listen on (BILLFOLD_HTTP, if it is set). Other settings are taken from the environment and \
            from a file .env, as docs/settings.md lists them. Logs are in .billfold/logs beside the file, or in BILLFOLD_DATA/logs \
            where that is set: 16 MiB for each service.

            \(ExitStatus.help(
                "the set has ended as it was told to; with -d, all processes are healthy",
                no: "it cannot be started, is not healthy in time, or is not all well"))

            Examples:
              billfold up
              billfold up -d && billfold ps && billfold logs -f wallet
              BILLFOLD_HTTP=127.0.0.1:9090 BILLFOLD_RUN=/tmp/second \\
                BILLFOLD_DATA=/tmp/second/data billfold up -d
            """)

    @Option(
        name: .shortAndLong,
        help: "The compose file. Default: docker-compose.yml here, or in the nearest directory above.")
    var file: String?

    @Option(help: "Also starts the services of this profile. Can be given again.")
    var profile: [String] = []

    @Flag(name: [.customShort("d"), .customLong("detach")], help: "Goes on in the background.")
    var isDetached = false

    @Option(help: "With -d: how many seconds the set may take to be healthy, 1 to 600.")
    var waitTimeout = 30

    @Flag(help: "Shows log lines as they are written: JSON.")
    var json = false

    @Flag(help: "Shows no log lines.")
    var quiet = false

    @OptionGroup var place: SetPlace

    func validate() throws {
        guard (1...600).contains(waitTimeout) else { throw ValidationError("--wait-timeout can be 1 to 600") }
    }

    func run() async throws {
        let project = try Project(file: file)
        let unknown = try project.unknownSettings(ProcessInfo.processInfo.environment)
        guard unknown.isEmpty else {
            let lines = unknown.map(\.description) + ["nothing was started; docs/settings.md has all settings"]
            throw CommandFailure.usage(lines.joined(separator: "\n"))
        }
        let misplaced = project.misplacedSettings(ProcessInfo.processInfo.environment)
        guard misplaced.isEmpty else {
            throw CommandFailure.usage(
                "nothing was started: \(misplaced.joined(separator: ", ")) in .env would hide the running set from commands such as "
                    + "'billfold status', which do not read that file. Take it out there and set it in the shell")
        }
        let settings = try self.settings(project)
        try await OtherSet.refuse(for: settings)
        if isDetached { return try await detach(project, settings) }
        let supervisor = try Supervisor(settings)
        let interrupts = Interrupts(atMost: 2) { _ in supervisor.stop() }
        defer { interrupts.end() }
        let status: Int32 = await withCheckedContinuation { continuation in
            // Its end is the end of all processes of the set, which is why it is no thread of a pool.
            OSThread { continuation.resume(returning: supervisor.run()) }.detach()
        }
        throw ExitCode(status)
    }

    private func settings(_ project: Project) throws -> Supervisor.Settings {
        var shell = project.environment(ProcessInfo.processInfo.environment)
        let run = try place.directory
        let (data, logs) = project.directories(shell)
        // For those of its processes that the file says nothing of: the files have JSON, terminals get words.
        shell["BILLFOLD_LOG_FORMAT"] = shell["BILLFOLD_LOG_FORMAT"] ?? "json"
        let places = LocalSet.Places(
            project: project.directory, run: run, data: data, executables: try Self.executables())
        let isTerminal = LoadScreen.wantsColour(STDOUT_FILENO)
        return Supervisor.Settings(
            set: try project.set(at: places, profiles: Set(profile), shell: shell), places: places,
            bus: try place.bus, logs: logs, isPrinting: !quiet, isColoured: isTerminal, isRaw: json)
    }

    /// The directory of this executable.
    private static func executables() throws -> String {
        let path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }

    // MARK: In the background

    private func detach(_ project: Project, _ settings: Supervisor.Settings) async throws {
        let run = settings.places.run
        if (try? SetClient(run: run)) != nil { throw Supervisor.Refusal.running(in: run) }
        try RunDirectoryCheck.verify(run)
        try Directories.make(run, mode: 0o770)
        let log = "\(run)/up.log"
        var words = ["billfold", "up", "--quiet", "--file", project.file, "--run", run]
        for name in profile { words += ["--profile", name] }
        let supervisor = try Background.start(words, output: log)
        let interrupts = Interrupts([SIGINT, SIGTERM]) { _ in supervisor.terminate() }
        defer { interrupts.end() }
        let end = ContinuousClock.now + .seconds(waitTimeout)
        while ContinuousClock.now < end {
            if let status = supervisor.ended() {
                if interrupts.hasCome { throw CommandFailure.no("interrupted: the set was stopped") }
                let said = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""  // nothing to show then
                throw CommandFailure(
                    status: ExitStatus(rawValue: status) ?? .no,
                    description: said.isEmpty
                        ? "it ended with status \(status)"
                        : said.replacing(#/^billfold: /#.anchorsMatchLineEndings(), with: "")
                            .trimmingCharacters(in: .newlines))
            }
            if !interrupts.hasCome, let client = try? SetClient(run: run) {
                client.setPatience(end - .now)
                switch try? client.carryOut(.awaitHealth) {  // no answer in time: said below
                case .done(let milliseconds): return try await tell(run, milliseconds)
                case .failed where interrupts.hasCome: break
                case .failed(_, let reason):
                    let causes = Self.causes(run)
                    _ = try? SetClient(run: run).carryOut(.stop)  // it has ended by itself then
                    throw CommandFailure.no((["\(reason); the set was stopped"] + causes).joined(separator: "\n"))
                case .step, nil: break
                }
            }
            usleep(2000)
        }
        let late = "the set is not healthy after \(waitTimeout) s; it goes on trying ('billfold down' ends it)"
        throw CommandFailure.no(([late] + Self.causes(run)).joined(separator: "\n"))
    }

    /// Says that all processes run, where the pages are, and what is wrong nevertheless.
    private func tell(_ run: String, _ milliseconds: Int) async throws {
        let list = try? SetClient(run: run).list()  // nil when the set has ended
        let troubles = await place.troubles(of: list?.healthy ?? []).sorted { $0.key < $1.key }
        let successors = (list?.processes ?? []).filter(\.isSwapped).map { process in
            "\(process.name) is '\(process.command.joined(separator: " "))', which has taken its state over "
                + "('billfold swap \(process.name) --back --take-over' returns it)"
        }
        let links = successors + SetLinks.lines(run: run)
        guard !troubles.isEmpty else {
            return print((["the set is healthy after \(milliseconds) ms"] + links).joined(separator: "\n"))
        }
        print((["the set runs after \(milliseconds) ms"] + links).joined(separator: "\n"))
        let lines = troubles.map { "  \($0.key): \($0.value.joined(separator: "; "))" }
        throw CommandFailure.no(
            (["the set goes on ('billfold down' ends it), but not all of it is well:"] + lines).joined(separator: "\n"))
    }

    /// What is the matter with the processes that are not healthy.
    private static func causes(_ run: String) -> [String] {
        let processes = (try? SetClient(run: run).list())?.processes ?? []  // the set has ended
        return processes.filter { $0.state != "healthy" }.flatMap { process in
            ["  \(process.name) is \(process.condition)"] + process.causes.map { "    \($0)" }
        }
    }
}

/// Which running set is meant.
struct SetPlace: ParsableArguments, Sendable {
    @Option(name: .customLong("run"), help: "Directory of the bus's sockets (BILLFOLD_RUN).")
    var runDirectory: String?

    var directory: String {
        get throws {
            let path = try runDirectory ?? HostConfig.fromEnvironment().runDirectory
            return path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
        }
    }

    /// Where the set's services are asked: NATS where BILLFOLD_BUS names it, else in the run directory.
    var bus: BusAddress {
        get throws {
            let bus = try HostConfig.fromEnvironment().bus
            if case .nats = bus { return bus }
            return .directory(try directory)
        }
    }

    /// - Throws: where no set runs.
    func client() throws -> SetClient { try SetClient(run: directory) }
}
