import ArgumentParser
import Bus
import BusZMQ
import Contracts
import Foundation
import ServiceKit
import Shadow
import Watch
import Wire

/// Tries a candidate on live asks without letting it do anything.
struct ShadowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shadow",
        abstract: "Sends another implementation of a service what the live one is asked, and compares the answers.",
        usage: "billfold shadow <service> [<options>] -- <command> ...",
        discussion: """
            The candidate runs on a bus of its own (BILLFOLD_RUN and BILLFOLD_DATA say where). It reads from the live \
            services whatever it likes and hears all facts; what it changes and tells goes nowhere. It is given copies of \
            all asks in their order, except those about the process itself (stats, spans, facts, copies). Its data are \
            empty, unless --copy lets the live service copy its own, or --data names a copy.

            Answers are compared field by field. The contracts say what may differ: ids and secrets that the service \
            makes, where each of the candidate's stands for one of the live service's; moments, by no more than the \
            candidate is late; texts of refusals. Facts are held back until the live service shows that it knows them. A \
            read that differs all the same is put to both again. Secrets are not shown.

            Asks hold PINs, passwords and positions: only the broker's own user may watch them (operator.key).

            \(ExitStatus.help(
                "all answers were the same", no: "some answers were not the same",
                unreachable: "nothing was compared: no set, service or candidate answers"))

            Examples:
              billfold shadow offers --for 60 -- python3 my_offers.py
              billfold shadow wallet --copy --asks 10000 -- /opt/new/billfold-wallet
            """)

    @Argument(help: "The service that is shadowed.")
    var service: String

    @Option(name: .customLong("for"), help: "Seconds after which it ends; otherwise at Ctrl-C.")
    var seconds: Int?

    @Option(help: "It ends soon after so many compared asks.")
    var asks: Int?

    @Flag(help: "The candidate begins with a copy of the live service's data, which it has to be able to read.")
    var copy = false

    @Option(help: "A directory that is copied for the candidate's data.")
    var data: String?

    @Option(help: "A path that may differ, as the report names it, such as data.deals[].sentAt. May be repeated.")
    var ignore: [String] = []

    @Flag(help: "The report as JSON.")
    var json = false

    @Option(help: "The broker's operator.key; that of the run directory otherwise.")
    var operatorKey: String?

    @OptionGroup var connection: BusOptions

    @Argument(parsing: .postTerminator, help: "The candidate's command.")
    var command: [String] = []

    func validate() throws {
        guard !command.isEmpty else { throw ValidationError("the candidate's command is missing: … -- COMMAND") }
        guard !copy || data == nil else { throw ValidationError("--copy and --data are two sources of the same data") }
        guard (seconds ?? 1) > 0, (asks ?? 1) > 0 else { throw ValidationError("--for and --asks are above 0") }
        guard service != Broker.service, service != "gateway" else {
            throw ValidationError("asks go to services: \(service) is none that could be shadowed")
        }
    }

    func run() async throws {
        _ = try SwapCommand.located(command)
        for (option, path) in [("--data", data), ("--operator-key", operatorKey)] {
            guard let path, access(path, R_OK) != 0 else { continue }
            throw CommandFailure.usage("\(option) cannot be read: \(path)")
        }
        let isSame: Bool
        do { isSame = try await shadow() } catch {
            guard case .no = ExitStatus(of: error) else { throw error }
            throw CommandFailure.unreachable("nothing could be compared: \(error)")
        }
        guard isSame else { throw ExitStatus.no.code }
    }

    private func shadow() async throws -> Bool {
        let address = try connection.address()
        let (live, bus) = try connection.open()
        let neighbours: [String]
        do throws(Fault) {
            let queues = try await bus.ask(Broker.ReadQueues(), in: connection.context(bus))
            neighbours = queues.services.filter { $0.workers > 0 && $0.service != Broker.service }.map(\.service)
        } catch {
            throw ShadowSet.Failure("no set of Billfold answers: \(error.code.title)")
        }
        guard neighbours.contains(service) else {
            throw ShadowSet.Failure("nobody serves \(service) on the live bus")
        }
        // From here on there are processes that have to be ended.
        let interrupts = Interrupts()
        defer { interrupts.end() }
        let current = SetOnce<ShadowRun>()
        let set = try ShadowSet(
            of: service, live: live, prevented: { current.value?.prevent($0) },
            heard: { current.value?.hear($0, $1) })
        let run: ShadowRun
        do {
            let copies = try AskTap.copies(of: service, on: address, keyFile: operatorKey ?? keyFile(address))
            // Copies of asks wait while data are copied: what is asked then may be in the data, or not.
            if copy { try await set.copyLiveData() }
            run = ShadowRun(
                set, of: service, ignoring: Set(ignore),
                from: copy ? UInt64(bus.clock.now().milliseconds) * 1_000 : 0)
            current.set(run)
            try await set.start(command, neighbours: neighbours, executables: executables, copyOf: data) {
                interrupts.hasCome
            }
            if !json { FileHandle.standardError.write(Data("the shadow of \(service) serves; Ctrl-C ends it\n".utf8)) }
            let giving = Task { await run.giveAll() }
            do { try await watch(copies, run, set, until: interrupts) } catch {
                giving.cancel()
                throw error
            }
            await run.end(giving)
        } catch {
            await set.end()
            await live.stop()
            throw error
        }
        let missed = run.missed
        let report = ShadowReport(service, run.tally, missed: missed.passedOver + missed.lost) { name, value in
            Redaction.withoutSecret(name, value)
        }
        print(json ? report.json.text : report.text)
        await set.end()
        await live.stop()
        guard run.tally.compared > 0 else { throw ShadowSet.Failure("no ask was answered by both") }
        return run.tally.different == 0
    }

    /// Takes copies until one of the reasons to end.
    private func watch(
        _ copies: AsyncThrowingStream<AskTap.Copy, any Error>, _ run: ShadowRun, _ set: ShadowSet,
        until interrupts: Interrupts
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for try await copy in copies { run.take(copy) } }
            if let seconds { group.addTask { try await Task.sleep(for: .seconds(seconds)) } }
            group.addTask {
                // Looked at now and then: how it ends does not depend on it.
                while true {
                    try await Task.sleep(for: .milliseconds(100))
                    if interrupts.hasCome { return }
                    if let asks, run.tally.compared >= asks { return }
                    if let status = set.candidateStatus {
                        throw ShadowSet.Failure("the candidate ended with status \(status)")
                    }
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func keyFile(_ address: BusAddress) throws -> String {
        guard let file = AskTap.keyFile(of: address) else {
            throw ValidationError("the broker is on another host: name its operator.key (--operator-key)")
        }
        return file
    }

    /// Where this executable's siblings are.
    private var executables: String {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
    }
}
