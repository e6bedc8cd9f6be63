import ArgumentParser
import Contracts

/// The people's tool.
@main
struct Billfold: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "billfold", abstract: "Drives and inspects a running set of Billfold services.",
        version: Release.version,
        subcommands: [
            AdministratorCommand.self, Call.self, Demo.self, Listen.self, LoadCommand.self, Status.self,
            TouchCommand.self,
            Trace.self, Verify.self
        ])
}
