import ArgumentParser

/// The people's tool.
@main
struct Billfold: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "billfold", abstract: "Drives and inspects a running set of Billfold services.",
        subcommands: [
            AdministratorCommand.self, Backup.self, Demo.self, LoadCommand.self, Restore.self, TouchCommand.self,
            Verify.self
        ])
}
