import ArgumentParser

/// The people's tool.
@main
struct Billfold: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "billfold", abstract: "Runs, watches, measures and takes apart a set of Billfold services.",
        discussion: """
            'billfold up' starts the set that docker-compose.yml describes, 'billfold demo' plays a scenario on it, 'billfold \
            status' shows how it does, 'billfold down' stops it.
            """,
        groupedSubcommands: [
            CommandGroup(
                name: "Running a set",
                subcommands: [
                    UpCommand.self, DownCommand.self, PsCommand.self, LogsCommand.self, KeysCommand.self,
                    AdministratorCommand.self
                ]),
            CommandGroup(name: "Swapping a part", subcommands: [SwapCommand.self]),
            CommandGroup(name: "Using and measuring it", subcommands: [Demo.self, TouchCommand.self, LoadCommand.self]),
            CommandGroup(name: "Keeping it right", subcommands: [Verify.self])
        ])
}
