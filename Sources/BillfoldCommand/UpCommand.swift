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
            background; the command returns when all processes are healthy, with exit status 1 if they are not after --wait-timeout.

            What the file says of containers is put into this machine's terms: the shared volume becomes BILLFOLD_RUN \
            (default: /tmp/billfold-UID), the others BILLFOLD_DATA (default: .billfold/data beside the file), published \
            ports the address to listen on (BILLFOLD_HTTP, if it is set). Other settings are taken from the environment and \
            from a file .env, as README.md lists them. Logs are in .billfold/logs beside the file, 16 MiB for each service.

            Examples:
              billfold up
              billfold up -d && billfold ps && billfold logs -f wallet
              BILLFOLD_HTTP=127.0.0.1:9090 BILLFOLD_RUN=/tmp/second BILLFOLD_DATA=/tmp/second/data billfold up -d
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
        let (project, settings) = try orFail("up") { try self.settings() }
        if isDetached { return try detach(project, settings) }
        let supervisor = try orFail("up") { try Supervisor(settings) }
        let interrupts = Interrupts([SIGINT, SIGTERM, SIGHUP], atMost: 2) { _ in supervisor.stop() }
        defer { interrupts.end() }
        let status: Int32 = await withCheckedContinuation { continuation in
            // Its end is the end of all processes of the set, which is why it is no thread of a pool.
            OSThread { continuation.resume(returning: supervisor.run()) }.detach()
        }
        throw ExitCode(status)
    }

    private func settings() throws -> (Project, Supervisor.Settings) {
        let project = try Project(file: file)
        var shell = ProcessInfo.processInfo.environment
        let run = try place.directory
        let data = shell["BILLFOLD_DATA"] ?? "\(project.directory)/.billfold/data"
        // For those of its processes that the file says nothing of: the files have JSON, terminals get words.
        shell["BILLFOLD_LOG_FORMAT"] = shell["BILLFOLD_LOG_FORMAT"] ?? "json"
        let places = LocalSet.Places(
            project: project.directory, run: run, data: data, executables: try Self.executables())
        let isTerminal = LoadScreen.wantsColour(STDOUT_FILENO)
        return (
            project,
            Supervisor.Settings(
                set: try project.set(at: places, profiles: Set(profile), shell: shell), places: places,
                logs: "\(project.directory)/.billfold/logs", isPrinting: !quiet, isColoured: isTerminal, isRaw: json)
        )
    }

    /// The directory of this executable.
    private static func executables() throws -> String {
        let path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }

    // MARK: In the background

    private func detach(_ project: Project, _ settings: Supervisor.Settings) throws {
        if (try? SetClient(run: settings.places.run)) != nil {
            fail("up", "\(Supervisor.Refusal.running(in: settings.places.run))")
        }
        let log = "\(settings.logs)/up.log"
        try FileManager.default.createDirectory(
            atPath: settings.logs, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        var words = ["billfold", "up", "--quiet", "--file", project.file, "--run", settings.places.run]
        for name in profile { words += ["--profile", name] }
        let supervisor = try orFail("up") { try Background.start(words, output: log) }
        let end = ContinuousClock.now + .seconds(waitTimeout)
        while ContinuousClock.now < end {
            if let status = supervisor.ended() {
                let said = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""  // nothing to show then
                fail("up", said.isEmpty ? "it ended with status \(status)" : said.replacing("billfold: ", with: ""))
            }
            if let client = try? SetClient(run: settings.places.run) {
                client.setPatience(end - .now)
                if case .done(let milliseconds)? = try? client.carryOut(.awaitHealth) {
                    let address = settings.set["gateway"]?.environment["BILLFOLD_HTTP"]
                    print(
                        "the set is healthy after \(milliseconds) ms"
                            + (address.map { ": http://\(HealthProbe.reachable($0))" } ?? ""))
                    return
                }
            }
            usleep(2000)
        }
        var lines = ["the set is not healthy after \(waitTimeout) s; it goes on trying ('billfold down' ends it)"]
        if let listing = try? SetClient(run: settings.places.run).list() {
            for process in listing.processes where process.state != "healthy" {
                lines.append("\(process.name) is \(process.state)\(process.status.map { ", last status \($0)" } ?? "")")
                lines += process.tail.suffix(3).map { "  \(LogLine($0).text)" }
            }
        }
        fail("up", lines.joined(separator: "\n"))
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

    /// - Throws: where no set runs.
    func client(_ command: String) throws -> SetClient { try orFail(command) { try SetClient(run: directory) } }
}

/// One line on standard error, and exit status 1.
func fail(_ command: String, _ why: String) -> Never {
    complain(why)
    exit(ExitStatus.no.rawValue)
}

func orFail<Value>(_ command: String, _ body: () throws -> Value) throws -> Value { try body() }
