import ArgumentParser
import Bus
import Contracts
import Foundation
import Primitives
import Schemas
import Supervision
import Watch
import Wire

/// What runs, and how it goes.
struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows what runs: services, their processes and versions, queues, rates, latencies.",
        discussion: """
            STATE is ok, unwell (what is wrong is printed below the table), missing (no process answers for it; the \
            reason is printed below where 'billfold up' runs the set), paused (its asks wait), draining (it finishes \
            what it has) or untold (its process publishes no figures, such as one in another language). Rates, \
            percentiles and faults are of one second, or of --over; the gateway's count HTTP requests, the others' asks. \
            FAULTS counts refusals; a refusal is not always an error.

            \(ExitStatus.help(
                "somebody answers for every service of the set", no: "a service is unwell, missing, paused or draining",
                unreachable: "no set runs, or its broker does not answer"))

            Examples:
              billfold status
              billfold status --instances
              billfold status --watch
              billfold status --json | python3 -m json.tool
            """)

    @Flag(help: "On a terminal: refresh until Ctrl-C.")
    var watch = false

    @Flag(help: "Show each process: its number, version, time since its start, asks in flight of those it takes.")
    var instances = false

    @Option(help: "Seconds that rates are of, 0.1 to 60.")
    var over = 1.0

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var connection: BusOptions

    func validate() throws {
        guard (0.1...60).contains(over) else { throw ValidationError("--over is 0.1 to 60 seconds.") }
        guard !watch || !json else { throw ValidationError("--watch draws for people, --json is for machines.") }
        guard !watch || isatty(STDOUT_FILENO) == 1 else { throw ValidationError("--watch needs a terminal.") }
    }

    func run() async throws {
        let (reactor, bus) = try connection.open()
        let reader = SetReader(bus: bus)
        let outcome: Result<[ServiceStatus], Fault>
        do throws(Fault) { outcome = .success(try await show(reader)) } catch { outcome = .failure(error) }
        await reactor.stop()
        switch outcome {
        case .failure(let fault):
            throw CommandFailure.unreachable("no broker answers, nothing is known of the set: \(fault.words)")
        case .success(let services):
            let expected = services.filter { SetLook.expected.contains($0.service) }
            guard expected.allSatisfy({ $0.state == .ok || $0.state == .untold }) else {
                throw ExitStatus.no.code
            }
        }
    }

    private func show(_ reader: SetReader) async throws(Fault) -> [ServiceStatus] {
        let colour = LoadScreen.wantsColour(STDOUT_FILENO)
        var before = try await reader.look()
        while true {
            try? await Task.sleep(for: .seconds(over))  // cut short: the figures are of a shorter time
            let now = try await reader.look()
            let services = explained(now.status(since: before))
            let seconds = Double(now.nanoseconds - before.nanoseconds) / 1e9
            if json {
                print(SetStatusText.json(services, at: now.time, overSeconds: seconds).indented)
            } else {
                let table = SetStatusText.table(services, colour: colour, instances: instances)
                // The screen is drawn over, not emptied: nothing flickers.
                print(watch ? "\u{1B}[H\u{1B}[J\(now.time.rfc3339)  Ctrl-C ends\n\n\(table)" : table)
            }
            guard watch else { return services }
            before = now
        }
    }

    /// With what the logs of processes that are not there say, of a set that `billfold up` runs.
    private func explained(_ services: [ServiceStatus]) -> [ServiceStatus] {
        guard services.contains(where: { $0.state == .missing }) else { return services }
        let absent = connection.supervised.filter { $0.state != "healthy" }
        return services.map { service in
            let processes = absent.filter { $0.name == service.service }
            return service.missing(because: processes.flatMap { ["its process is \($0.condition)"] + $0.causes })
        }
    }
}
