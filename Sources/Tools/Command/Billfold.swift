import ArgumentParser
import CLinux
import Contracts
import ServiceKit

/// The people's tool.
@main
struct Billfold: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "billfold", abstract: "Runs, monitors, load-tests and replaces the services of a Billfold set.",
        discussion: """
            'billfold up' starts the set that docker-compose.yml describes, 'billfold demo' plays a scenario on it, 'billfold \
            status' shows how it does, 'billfold down' stops it.

            Exit status of every command: 0 yes, 1 no, 2 nothing answers, 64 a wrong option, value or name. Each command's \
            help says what that means there.
            """,
        version: Release.version,
        groupedSubcommands: [
            CommandGroup(
                name: "Running a set",
                subcommands: [
                    UpCommand.self, DownCommand.self, PsCommand.self, LogsCommand.self, KeysCommand.self,
                    AdministratorCommand.self
                ]),
            CommandGroup(
                name: "Swapping a part",
                subcommands: [
                    CheckCommand.self, ShadowCommand.self, SwapCommand.self, UpgradeCommand.self,
                    ContractsCommand.self, NewCommand.self
                ]),
            CommandGroup(name: "Using and measuring it", subcommands: [Demo.self, TouchCommand.self, LoadCommand.self]),
            CommandGroup(name: "Watching it", subcommands: [Status.self, Listen.self, Call.self, Trace.self]),
            CommandGroup(
                name: "Keeping it right",
                subcommands: [Verify.self, CureCommand.self, Backup.self, Restore.self, MoveCommand.self])
        ])

    /// What every error of every command begins with.
    static let _errorPrefix = "billfold: "

    static func main() async {
        // Each line at once, also into a pipe: many steps take seconds.
        billfold_buffer_lines()
        var command: any ParsableCommand
        do { command = try await asyncParseAsRoot() } catch { exit(withError: unknownCommand() ?? error) }
        do {
            if var waiting = command as? any AsyncParsableCommand {
                try await waiting.run()
            } else {
                try command.run()
            }
            if billfold_has_lost_output() {
                throw CommandFailure.unreachable("what was printed could not be written: is the disk full?")
            }
        } catch {
            ExitStatus.end(type(of: command), with: error)
        }
    }

    /// The parser calls the name of a command that there is not an unexpected argument.
    private static func unknownCommand() -> ValidationError? {
        let names = configuration.groupedSubcommands.flatMap { $0.subcommands.map { $0._commandName } }
        guard let name = CommandLine.arguments.dropFirst().first, !name.hasPrefix("-"), name != "help",
            !names.contains(name)
        else { return nil }
        let near = NearestName.nearest(to: name, among: names).map { " Did you mean '\($0)'?" } ?? ""
        return ValidationError("there is no command '\(name)'.\(near)")
    }
}
