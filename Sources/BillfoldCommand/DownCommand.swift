import ArgumentParser
import Supervision

/// Ends a set that `billfold up` runs.
struct DownCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "down", abstract: "Stops the set that 'billfold up' runs, within 2 s.",
        discussion: """
            Services finish what they have; data stays. Exit status 0 when the set has ended, and when none was running, as \
            nothing is left to do then.
            """)

    @OptionGroup var place: SetPlace

    func run() throws {
        let client: SetClient
        do { client = try SetClient(run: place.directory) } catch let none as SetClient.NoSet {
            return print("nothing to stop: \(none)")
        }
        guard case .done = try orFail("down", { try client.carryOut(.stop) }) else { fail("down", "the set did not end") }
        print("the set has ended")
    }
}
