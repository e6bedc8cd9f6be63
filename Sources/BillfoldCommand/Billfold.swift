import ArgumentParser

/// The people's tool.
@main
struct Billfold: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "billfold", abstract: "Drives and inspects a running set of Billfold services.",
        subcommands: [
            UpCommand.self, DownCommand.self, PsCommand.self, LogsCommand.self, SwapCommand.self,
            AdministratorCommand.self, Demo.self, LoadCommand.self, TouchCommand.self, Verify.self,
        ])
}
