import ArgumentParser
import Supervision

/// Ends a set that `billfold up` runs.
struct DownCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "down", abstract: "Stops the set that 'billfold up' runs, within 2 s.",
        discussion: """
            Services finish what they have; data stays.

            \(ExitStatus.help(
                "the set has ended, or none was running", no: "the set did not end",
                unreachable: "the set does not answer"))
            """)

    @OptionGroup var place: SetPlace

    func run() throws {
        let client: SetClient
        do { client = try SetClient(run: place.directory) } catch let none as SetClient.NoSet {
            return print("nothing to stop: \(none)")
        }
        guard case .done = try client.carryOut(.stop) else { throw CommandFailure.no("the set did not end") }
        print("the set has ended")
    }
}
