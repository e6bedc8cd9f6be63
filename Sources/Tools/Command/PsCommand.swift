import ArgumentParser
import Foundation
import Primitives
import ServiceKit
import Supervision
import Wire

/// Shows the processes of a set that `billfold up` runs.
struct PsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ps", abstract: "Lists the processes of the set that 'billfold up' runs.",
        discussion: """
            STATE is waiting (for those it depends on), starting, healthy, backing-off (it has ended and is started again), \
            ended, stopping or swapping. A process that has been healthy once stays so until it ends; whether all answer at \
            this moment, the gateway's /health says.

            \(ExitStatus.help("all are healthy", no: "one is not", unreachable: "no set runs"))
            """)

    @Flag(help: "For machines: one JSON object.")
    var json = false

    @OptionGroup var place: SetPlace

    func run() async throws {
        let listing = try place.client().list()
        if json {
            print(listing.json.text)
        } else {
            let rows = [["SERVICE", "STATE", "PID", "UP", "RESTARTS", "COMMAND"]] + listing.processes.map(Self.row)
            let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
            let isColoured = LoadScreen.wantsColour(STDOUT_FILENO)
            for (number, row) in rows.enumerated() {
                var cells = zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }
                cells[5] = row[5]
                if isColoured, number > 0 {
                    cells[1] =
                        "\u{1B}[\(listing.processes[number - 1].state == "healthy" ? 32 : 33)m\(cells[1])\u{1B}[0m"
                }
                print(cells.joined(separator: "  "))
            }
        }
        guard listing.processes.allSatisfy({ $0.state == "healthy" }) else { throw ExitStatus.no.code }
    }

    private static func row(_ process: SetControl.Listing.Process) -> [String] {
        let state = process.state + (process.id == nil ? process.status.map { " (\($0))" } ?? "" : "")
        let (minutes, seconds) = process.seconds.quotientAndRemainder(dividingBy: 60)
        let age = minutes < 60 ? "\(minutes)m\(seconds)s" : "\(minutes / 60)h\(minutes % 60)m"
        let command = process.command.joined(separator: " ")
        return [
            process.name, state, process.id.map(String.init) ?? "-", process.id == nil ? "-" : age,
            "\(process.restarts)",
            (process.isSwapped ? "swapped: " : "") + (command.count > 60 ? command.prefix(59) + "…" : command)
        ]
    }
}
