import Bus
import BusZMQ
import Contracts
import Foundation
import Primitives

/// A set of the kit's own around a command: the broker, the services that the one under test needs, and the command in
/// that one's place. Its sockets, data and logs are in a directory of its own, which is removed.
package actor PrivateSet {
    /// How long a service may take from its start to its first answer.
    private static let startPatience = Duration.seconds(30)
    /// Ours end within 1.6 s of SIGTERM.
    private static let endPatience = Duration.seconds(3)

    private let specification: Specification
    private let command: [String]
    /// Where the set's own executables are: beside this one.
    private let executables: String
    private let home: String
    private let reactor: Reactor
    package nonisolated let bus: Bus
    private var beside: [Child] = []
    private var tested: Child?
    private var ending: Task<Void, Never>?

    /// Makes its directory; nothing is started yet.
    package init(around command: [String], as specification: Specification, executables: String) throws {
        self.command = command
        self.specification = specification
        self.executables = executables
        // Short: the path of a Unix socket may have 107 bytes.
        var template = Array("\(FileManager.default.temporaryDirectory.path)/bfcheck-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw CannotCheck("cannot make a directory for the set: errno \(errno)")
        }
        home = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        reactor = try Reactor(Reactor.Settings(runDirectory: "\(home)/run"))
        bus = Bus(name: "billfold-check", transport: reactor)
    }

    /// Starts broker, neighbours and command, and returns when all of them answer. To be ended also where it fails.
    ///
    /// - Throws: `CannotCheck` when one of the kit's own does not start, `Wrong` when the command does not.
    package func start() async throws {
        reactor.start()
        try begin("broker")
        try await awaitAnswer("broker", beside[0])
        for name in specification.needs { try begin(name) }
        tested = try startTested()
        // Together: some of ours wait for others.
        for child in beside { try await awaitAnswer(child.name, child) }
        try await awaitTested()
    }

    /// Ends all of it and removes its directory. Whoever calls it again waits for the same end.
    package func end() async {
        let ending = ending ?? Task { await endOnce() }
        self.ending = ending
        await ending.value
    }

    private func endOnce() async {
        await withTaskGroup(of: Void.self) { group in
            for child in beside.dropFirst() + [tested].compactMap({ $0 }) {
                group.addTask { await child.end(within: Self.endPatience) }
            }
        }
        await beside.first?.end(within: Self.endPatience)
        await reactor.stop()
        try? FileManager.default.removeItem(atPath: home)  // left over in the directory for such things
    }

    // MARK: Processes

    private func begin(_ name: String) throws {
        try expectNoEnd()
        let executable = "\(executables)/billfold-\(name)"
        guard access(executable, X_OK) == 0 else { throw CannotCheck("there is no \(executable)") }
        var environment = Self.environmentWithoutSettings
        environment["BILLFOLD_MERCHANT_APPROVAL"] = "automatic"
        beside.append(
            try Child(name, [executable], environment: environment.merging(places) { $1 }, log: log(of: name)))
    }

    private func startTested() throws -> Child {
        try expectNoEnd()
        return try Child(
            specification.service, command, environment: Self.environmentWithoutSettings.merging(places) { $1 },
            log: log(of: specification.service))
    }

    /// Nothing starts behind the end of all.
    private func expectNoEnd() throws {
        guard ending == nil else { throw CannotCheck("the set was ended") }
    }

    /// The kit's cases know the default rules. What is set for this process is meant for a live set.
    private static var environmentWithoutSettings: [String: String] {
        ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("BILLFOLD_") }
    }

    private var places: [String: String] {
        ["BILLFOLD_RUN": "\(home)/run", "BILLFOLD_DATA": "\(home)/data", "BILLFOLD_LOG_FORMAT": "json"]
    }

    private func log(of name: String) -> String { "\(home)/\(name).log" }

    private func awaitTested() async throws {
        guard let tested else { return }
        do { try await awaitAnswer(specification.service, tested) } catch let failure as CannotCheck {
            throw Wrong(failure.description)
        }
    }

    /// Waits until a service answers for its stats.
    private func awaitAnswer(_ service: String, _ child: Child) async throws {
        let end = ContinuousClock.now + Self.startPatience
        let asker = Asker(service: service, route: service, bus: bus, patience: .milliseconds(500))
        let type = "\(service).stats.read.v1"
        while true {
            if let status = child.status {
                throw CannotCheck("\(service) ended with status \(status)\(lastWords(of: service))")
            }
            // Whatever it answers, it answers: what is wrong about it is for the cases to say.
            let outcome = await asker.deliver(asker.frame(ReadStats<Broker>(), type: type).frame)
            if case .envelope = outcome { return }
            guard ContinuousClock.now < end else {
                throw CannotCheck(
                    "\(service) does not answer \(type) within \(Self.startPatience)\(lastWords(of: service))"
                )
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// The end of what a process has written.
    private func lastWords(of name: String) -> String {
        guard let text = try? String(contentsOfFile: log(of: name), encoding: .utf8) else { return "" }
        let lines = text.split(separator: "\n").suffix(5)
        return lines.isEmpty ? "" : "; its last words:\n" + lines.map { "    \($0)" }.joined(separator: "\n")
    }
}

extension PrivateSet: ControlledProcess {
    package func send(_ signal: Int32) { tested?.send(signal) }

    package func freeze() async { await tested?.freeze() }

    package func awaitEnd(seconds: Int) async throws {
        guard let tested, await !tested.ends(within: .seconds(seconds)) else { return }
        throw Wrong("it still runs \(seconds) s after the signal")
    }

    package func startAgain() async throws {
        tested = try startTested()
        try await awaitTested()
    }
}
