import ArgumentParser
import Bus
import BusZMQ
import Conformance
import Contracts
import Foundation
import Primitives
import ServiceKit
import Wire

/// Checks whether a service in any language does what its contract says.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Checks a service against its contract, whatever it is written in.",
        usage: "billfold check <service> [<options>] [-- <command> ...]",
        discussion: """
            Asks the service over the bus, in JSON, what its contract says that it answers, and looks at each answer: right \
            asks, repeated ones, broken ones, late ones. Each case has a name; one that fails is told with what is wrong.

            With a command behind --, the kit starts a set of its own around it (other directories, other sockets, removed \
            at the end) and also stops, kills and freezes it. The command finds the bus by BILLFOLD_RUN, and its directory \
            by BILLFOLD_DATA. Without one, a running set is asked; what the cases make there (accounts, cards, charges \
            under random ids) stays, unless --live is given.

            \(ExitStatus.help(
                "the service conforms", no: "a case failed",
                unreachable: "it could not be checked: no set runs, or nothing answers for it"))

            Examples:
              billfold check notifications -- python3 deploy/examples/notifications.py
              billfold check wallet --live
              billfold check wallet --list
              billfold check wallet --case wallet.payment.post.v1/again -- ./my-wallet
            """)

    private static let services = Specification.all.map(\.service)

    @Argument(
        help: ArgumentHelp("One of \(services.joined(separator: ", "))."), completion: .list(services))
    var service: String

    @Flag(help: "Only cases that change nothing that lasts: for a set that serves people. Stops at the first failure.")
    var live = false

    @Flag(name: .customLong("try"), help: "Ask try.SERVICE: its workers get these asks even while it is paused.")
    var isTry = false

    @Flag(help: "Nothing may be left out, not even what no other service asks for.")
    var complete = false

    @Flag(name: .customLong("first"), help: "Stop at the first failure.")
    var stopsAtFirst = false

    @Flag(help: "List the cases and what each asserts; run none.")
    var list = false

    @Option(
        name: .customLong("case"), help: "Run this case only, or those of an ask (wallet.payment.post.v1). Repeatable.")
    var only: [String] = []

    @Option(help: "What random sequences follow from: a failure names it. Random where it is absent.")
    var seed: UInt64?

    @Flag(help: "Results as JSON, one object.")
    var json = false

    @OptionGroup var connection: BusOptions

    @Argument(parsing: .postTerminator, help: "What to start in the service's place.")
    var command: [String] = []

    /// An ask of `--live` may take so long: the service's queue may be paused meanwhile.
    private static let livePatience = Duration.seconds(1)
    private static let patience = Duration.seconds(8)

    func validate() throws {
        guard Specification.of(service) != nil else {
            throw ValidationError(
                "there is no contract for '\(service)'; there are: \(Self.services.joined(separator: ", "))")
        }
        guard command.isEmpty || !(live || isTry) else {
            throw ValidationError("--live and --try are for a running set, a command behind -- has one of its own")
        }
        guard command.isEmpty || (connection.runDirectory == nil && connection.bus == nil) else {
            throw ValidationError("--run and --bus are for a running set, a command behind -- has one of its own")
        }
    }

    func run() async throws {
        guard let specification = Specification.of(service) else { return }  // validated
        _ = try SwapCommand.located(command)
        let cases = try chosen(of: specification)
        if list { return show(cases) }
        let report = CheckReport(service: service, isPart: !only.isEmpty, isJSON: json)
        do {
            if command.isEmpty {
                try await checkRunning(specification, cases, report)
            } else {
                try await checkCommand(specification, cases, report)
            }
        } catch let wrong as Wrong {
            report.add(CaseResult(name: "\(service)/start", outcome: .failed(wrong.description), milliseconds: 0))
        } catch let failure as CannotCheck where report.failures > 0 {
            complain("\(failure)")
        } catch {
            guard case .no = ExitStatus(of: error) else { throw error }
            throw CommandFailure.unreachable("cannot check \(service): \(error)")
        }
        report.end()
        guard report.failures == 0 else { throw ExitStatus.no.code }
    }

    /// The cases that are to be run, as far as they can be.
    private func chosen(of specification: Specification) throws -> [Case] {
        let possible = specification.cases.filter { one in
            switch one.reach {
            case .reading: true
            case .changing: !live
            case .controlling: !command.isEmpty || list
            }
        }
        guard !only.isEmpty else { return possible }
        for name in only where !specification.cases.contains(where: { $0.name == name || $0.type?.name == name }) {
            throw CommandFailure.usage(
                "\(service) has no case '\(name)'; 'billfold check \(service) --list' lists them")
        }
        let chosen = possible.filter { one in only.contains { one.name == $0 || one.type?.name == $0 } }
        guard !chosen.isEmpty else {
            throw CommandFailure.usage(
                "\(only.joined(separator: ", ")) cannot be run like this: it takes a command behind --, or no --live")
        }
        return chosen
    }

    // MARK: Running

    private func checkRunning(_ specification: Specification, _ cases: [Case], _ report: CheckReport) async throws {
        let (reactor, bus) = try connection.open()
        do {
            try await expectWorker(bus)
            let asker = Asker(
                service: service, route: isTry ? TrialName.of(service) : service, bus: bus,
                patience: live ? Self.livePatience : Self.patience)
            let world = World(bus: bus, services: Set(Specification.all.map(\.service)), mayChange: !live)
            try await run(specification, cases, asker, world, nil, report)
        } catch {
            await reactor.stop()
            throw error
        }
        await reactor.stop()
    }

    /// Whether there is anybody to check.
    private func expectWorker(_ bus: Bus) async throws {
        let queues: Broker.ReadQueues.Reply
        do throws(Fault) {
            queues = try await bus.ask(
                Broker.ReadQueues(), in: AskContext(deadline: bus.clock.now() + Self.livePatience))
        } catch {
            throw CannotCheck("cannot check \(service): no broker answers (\(error.code))")
        }
        guard let queue = queues.services.first(where: { $0.service == service }), queue.workers > 0 else {
            throw CannotCheck("cannot check \(service): nobody answers for it on this bus")
        }
    }

    private func checkCommand(_ specification: Specification, _ cases: [Case], _ report: CheckReport) async throws {
        let executables = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .path
        let set = try PrivateSet(around: command, as: specification, executables: executables)
        // Signals that end this process take the private set along.
        let interrupts = Interrupts { number in
            Task {
                await set.end()
                _exit(128 + number)
            }
        }
        do {
            try await set.start()
            let asker = Asker(service: service, route: service, bus: set.bus, patience: Self.patience)
            let world = World(bus: set.bus, services: Set(specification.needs + [service]), mayChange: true)
            try await run(specification, cases, asker, world, set, report) { interrupts.hasCome }
        } catch {
            await interrupts.outlast()
            await set.end()
            throw error
        }
        await interrupts.outlast()
        await set.end()
        interrupts.end()
    }

    private func run(
        _ specification: Specification, _ cases: [Case], _ asker: Asker, _ world: World,
        _ process: (any ControlledProcess)?, _ report: CheckReport, isInterrupted: () -> Bool = { false }
    ) async throws {
        let run = CheckRun(
            specification, asker: asker, world: world, process: process, isComplete: complete,
            seed: seed ?? .random(in: 1...999_999))
        try await run.run(cases) { result in
            // A case during which the set was ended has not failed by itself.
            if isInterrupted() { return false }
            report.add(result)
            return !((live || stopsAtFirst) && report.failures > 0)
        }
    }

    // MARK: Telling

    private func show(_ cases: [Case]) {
        guard !json else {
            let list = cases.map { one -> JSONValue in
                ["name": .string(one.name), "asserts": .string(one.asserts), "reach": .string("\(one.reach)")]
            }
            return print(JSONValue.array(list).text)
        }
        let width = cases.map(\.name.count).max() ?? 0
        for one in cases { print(one.name.padding(toLength: width + 2, withPad: " ", startingAt: 0) + one.asserts) }
    }
}
