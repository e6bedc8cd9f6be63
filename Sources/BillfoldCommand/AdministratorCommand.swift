import ArgumentParser
import Bus
import Contracts
import Foundation
import Sodium

/// Makes an administrator: over the bus, where nobody acts for anybody, as HTTP never makes one.
struct AdministratorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "administrator", abstract: "Makes an administrator's account in a running set.",
        discussion: """
            The password, of 8 to 128 bytes, is asked for at the terminal; without one, it is the first line of standard \
            input. Whoever may use the bus may make administrators: its directory is for the operator only.

            \(ExitStatus.help(
                "the account is there", no: "the name or the password was refused",
                unreachable: "no set runs, or auth does not answer"))
            """)

    @Argument(help: "1 to 64 letters, digits and ._@+-.")
    var username: String

    @OptionGroup var connection: BusOptions

    func run() async throws {
        let password = try PasswordPrompt.read(for: username)
        let (reactor, bus) = try connection.open()
        let outcome: Result<Auth.RegisterAccount.Reply, Fault>
        do throws(Fault) {
            let ask = Auth.RegisterAccount(
                account: Randomness.shared.identifier(at: bus.clock.now()), role: .administrator, username: username,
                password: password, name: nil)
            outcome = .success(try await bus.ask(ask, in: connection.context(bus)))
        } catch {
            outcome = .failure(error)
        }
        await reactor.stop()
        switch outcome {
        case .success(let made):
            print("\(made.account.username) is an administrator (\(made.account.account.hex)) and can log in")
        case .failure(let fault): throw fault
        }
    }
}
