import ArgumentParser
import Foundation
import Supervision
import Wire

/// Shows the processes of a set that `billfold up` runs.
struct PsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ps", abstract: "Lists the processes of the set that 'billfold up' runs.",
        discussion: """
            STATE is waiting (for those it depends on), starting, healthy, backing-off (it has ended and is started again), \
            ended, stopping or swapping. A process that has been healthy once stays so until it ends, unless it says that \
            something is wrong with it, or the broker has heard nothing of it for 10 s: then it is unwell, and the reason \
            stands below.

            \(ExitStatus.help("all are healthy", no: "one is not", unreachable: "no set runs"))
            """)

    @Flag(help: "For machines: one JSON object.")
    var json = false

    @OptionGroup var place: SetPlace

    func run() async throws {
        let listing = try place.client().list()
        let troubles = await place.troubles(of: listing.healthy)
        if json {
            print(Self.json(listing, troubles).text)
        } else {
            let rows =
                [["SERVICE", "STATE", "PID", "UP", "RESTARTS", "COMMAND"]]
                + listing.processes.map { row($0, isUnwell: troubles[$0.name] != nil) }
            let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
            let isColoured = LoadScreen.wantsColour(STDOUT_FILENO)
            for (number, row) in rows.enumerated() {
                var cells = zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }
                cells[5] = row[5]
                if isColoured, number > 0 {
                    cells[1] = "\u{1B}[\(rows[number][1] == "healthy" ? 32 : 33)m\(cells[1])\u{1B}[0m"
                }
                print(cells.joined(separator: "  "))
            }
            for process in listing.processes where process.state != "healthy" {
                for cause in process.causes { print("\(process.name): \(cause)") }
            }
            for (service, sentences) in troubles.sorted(by: { $0.key < $1.key }) {
                print("\(service): \(sentences.joined(separator: "; "))")
            }
        }
        guard troubles.isEmpty, listing.processes.allSatisfy({ $0.state == "healthy" }) else {
            throw ExitStatus.no.code
        }
    }

    private static func json(_ listing: SetControl.Listing, _ troubles: [String: [String]]) -> JSONValue {
        guard case .object(let members) = listing.json else { return listing.json }
        let unwell = troubles.sorted { $0.key < $1.key }.map { service in
            JSONValue.Member(service.key, .array(service.value.map { .string($0) }))
        }
        return .object(members + [.init("troubles", .object(unwell))])
    }

    private func row(_ process: SetControl.Listing.Process, isUnwell: Bool) -> [String] {
        let known = isUnwell && process.state == "healthy" ? "unwell" : process.state
        let state = known + (process.id == nil ? process.status.map { " (\($0))" } ?? "" : "")
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
