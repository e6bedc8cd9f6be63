import ArgumentParser

/// The people's tool.
@main
struct Billfold: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "billfold", abstract: "Drives and inspects a running set of Billfold services.",
        subcommands: [
            AdministratorCommand.self, CheckCommand.self, Demo.self, KeysCommand.self, LoadCommand.self,
            TouchCommand.self, Verify.self
        ])
}
