import ArgumentParser
import Foundation
import Load
import Supervision

/// Puts another process in a service's place while the set serves.
struct SwapCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "swap",
        abstract: "Puts another process in a service's place, while the set serves and no client notices.",
        usage: """
            billfold swap <service> [<options>] -- <command> ...
            billfold swap <service> --back [<options>]
            """,
        discussion: """
            The set has to run under 'billfold up'. The command gets the environment that the service has: it finds the bus \
            through BILLFOLD_RUN and its data through BILLFOLD_DATA. What happens:

              1. rehearsal  the kit of 'billfold check', on a set of its own
              2. pause      asks wait in the broker's queue, within their deadlines
              3. stop       the old process gets SIGTERM, finishes its asks and ends
              4. start      the new one is started and says READY
              5. check      the kit's cases that change nothing, past the queue
                            the new one's log has to contain the old one's last fact
              6. resume     the queue flows, to the new one

            Whatever fails, the old one comes back and the queue flows again; that takes less than the ten seconds that a \
            request has. A swap that has begun is ended by the set, whether this command still runs or not.

            With --take-over the new process is started beside the old one before the pause. It reads the old one's state and \
            follows its changes while asks are answered as before; during the pause it reads the rest. A program that cannot \
            do so is refused before the pause. docs/replace-a-service.md says what it has to do. Step 5 then comes after \
            step 6, but for the log: a program that fails it hands its state over to the old one again.

            A new version of our own service is put in place the same way. The broker cannot be swapped: all sockets end there. \
            What the gateway serves does not wait in a queue: of several gateways (BILLFOLD_GATEWAYS) one after the other is \
            replaced while the others serve, each when the one before answers; at the first that does not, all go back. With \
            --share a part of them is replaced first (at least one, never all) and compared with the others for --for: if more \
            of its requests fail, or the slowest take much longer, it goes back. No other service can be shared: a state has \
            one writer.

            \(ExitStatus.help(
                "the new process serves", no: "the old one serves, and which step failed is said",
                unreachable: "no set runs"))

            Examples:
              billfold swap location --take-over -- python3 deploy/examples/location.py
              billfold swap location --back --take-over    # with what happened meanwhile
              billfold swap notifications --empty -- \\
                python3 deploy/examples/notifications.py
              billfold swap wallet -- /opt/billfold-2.0/billfold-wallet
              billfold swap wallet --back    # the compose file's own again
              billfold swap gateway -- /opt/billfold-2.0/billfold-gateway
              billfold swap gateway --share 5% -- /opt/billfold-2.0/billfold-gateway
            """)

    @Argument(help: "The service, as 'billfold ps' names it.")
    var service: String

    @Argument(parsing: .postTerminator, help: "What is started in its place, after --.")
    var command: [String] = []

    @Flag(help: "Starts what the compose file says: ends a swap, or starts a new build in the place of the old one.")
    var back = false

    @Flag(help: "Leaves the rehearsal out: the new process is tried only where it will serve.")
    var unrehearsed = false

    @Flag(help: "Skips both checks; READY is enough.")
    var unchecked = false

    @Flag(
        help: """
            The command is meant to begin with an empty store: its log may lack all that was published. Readers of that log stop \
            until 'billfold cure' moves their cursors: for services whose facts nobody reads, as notifications.
            """)
    var empty = false

    @Flag(help: "The new process reads the state of the old one, which it does not have, before it takes its place.")
    var takeOver = false

    @Flag(help: "With --back: gives up what was published since, which the old store lacks.")
    var forget = false

    @Option(help: "Of gateways: so many of 100 are replaced first and compared with the others, as 5%.")
    var share: String?

    @Option(name: .customLong("for"), help: "With --share: how long they are compared, as 30s or 2m.")
    var time = "30s"

    @OptionGroup var place: SetPlace

    /// Percent; nil for what is none.
    private var percent: Int? {
        share.flatMap { $0.hasSuffix("%") ? Int($0.dropLast()) : nil }.flatMap { (1...99).contains($0) ? $0 : nil }
    }

    /// Whole seconds; nil for what is none.
    private var seconds: Int? {
        Span(time).map { Int($0.nanoseconds / 1_000_000_000) }.flatMap { (1...86_400).contains($0) ? $0 : nil }
    }

    func validate() throws {
        guard share == nil || percent != nil else { throw ValidationError("--share is 1% to 99%.") }
        guard seconds != nil else { throw ValidationError("--for is 1s to 24h.") }
        guard share == nil || !(back || takeOver || empty || forget) else {
            throw ValidationError("--share goes with a command only.")
        }
        guard back != !command.isEmpty else {
            throw ValidationError("Either a command after --, or --back.")
        }
        guard !(takeOver && (empty || forget)) else {
            throw ValidationError("--take-over takes the whole state: neither --empty nor --forget goes with it.")
        }
        guard service != Self.gateway || !(takeOver || empty || forget) else {
            throw ValidationError("The gateway has no state and no log: no such option goes with it.")
        }
        guard !(back && empty), back || !forget else {
            throw ValidationError("--empty is for a command, --forget for --back.")
        }
    }

    func run() async throws {
        let client = try place.client()
        let listing = try client.list()
        guard let before = listing.processes.first(where: { $0.name == service }) else {
            throw CommandFailure.usage(
                "there is no service '\(service)'; there are \(listing.processes.map(\.name).joined(separator: ", "))")
        }
        if let percent { return try giveShare(percent, client) }
        // Before a rehearsal, which takes its time.
        if case .failed(_, let reason) = try client.carryOut(.maySwap(service: service)) {
            throw CommandFailure.no(reason)
        }
        let words = back ? nil : try Self.located(command)
        let isGateway = service == Self.gateway
        if let words, !unrehearsed, !unchecked, !isGateway { try Self.rehearse(service, words) }
        let request = SetControl.Request.swap(
            service: service, command: words, directory: FileManager.default.currentDirectoryPath,
            isChecked: !unchecked,
            continuity: empty || forget ? .forgotten : .needed, takesOver: takeOver
        )
        switch try client.carryOut(request, show: { print("  \($0)") }) {
        case .done(let milliseconds):
            let outcome =
                switch (back, before.isSwapped) {
                case (false, _): "\(service) is swapped: the new process serves"
                case (true, true): "\(service) is swapped back: the compose file's own command serves again"
                case (true, false): "\(service) was not swapped: the compose file's own command was started anew"
                }
            print(
                isGateway
                    ? "\(outcome), at each address; one after the other in \(milliseconds) ms"
                    : "\(outcome); asks waited for \(milliseconds) ms")
        case .failed("begin", let reason), .failed(Swap.Step.down.rawValue, let reason):
            throw CommandFailure.no(reason)
        case .failed(Swap.Step.goBack.rawValue, let reason):
            throw CommandFailure.no("failed at check: \(reason)\nTHE NEW \(service.uppercased()) SERVES ON")
        case .failed(let step, let reason):
            throw CommandFailure.no("failed at \(step): \(reason)\nthe old \(service) serves again")
        case .step: break
        }
    }

    private func giveShare(_ percent: Int, _ client: SetClient) throws {
        let request = SetControl.Request.share(
            service: service, command: try Self.located(command),
            directory: FileManager.default.currentDirectoryPath, share: percent, seconds: seconds ?? 1)
        switch try client.carryOut(request, show: { print("  \($0)") }) {
        case .done(let milliseconds):
            print("\(service) is swapped: the new process serves, at each address; after \(milliseconds / 1000) s")
        case .failed("begin", let reason), .failed(Swap.Step.down.rawValue, let reason):
            throw CommandFailure.no(reason)
        case .failed(let step, let reason):
            throw CommandFailure.no("failed at \(step): \(reason)\nthe old \(service) serves again")
        case .step: break
        }
    }

    /// Has no contract of asks: it is not rehearsed.
    static let gateway = "gateway"

    /// The kit on a set of its own: nothing of this one is touched before the candidate has passed.
    static func rehearse(_ service: String, _ words: [String]) throws {
        print("  rehearsing: billfold check \(service) -- \(words.joined(separator: " "))")
        let check = Process()
        check.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        check.arguments = ["check", service, "--"] + words
        try check.run()
        check.waitUntilExit()
        guard check.terminationStatus == 0 else {
            throw CommandFailure.no("failed at rehearsal, with status \(check.terminationStatus): nothing was changed")
        }
    }

    /// The command with its executable's path, found as a shell would find it.
    static func located(_ command: [String]) throws -> [String] {
        guard let name = command.first else { return command }
        guard !name.contains("/") else {
            guard access(name, X_OK) == 0, !isDirectory(name) else {
                throw CommandFailure.usage("'\(name)' cannot be executed")
            }
            return command
        }
        let path = ProcessInfo.processInfo.environment["PATH", default: "/usr/bin:/bin"]
        for directory in path.split(separator: ":")
        where access("\(directory)/\(name)", X_OK) == 0 && !isDirectory("\(directory)/\(name)") {
            return ["\(directory)/\(name)"] + command.dropFirst()
        }
        throw CommandFailure.usage("there is no executable '\(name)' in PATH")
    }

    private static func isDirectory(_ path: String) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
    }
}
