import ArgumentParser
import Bus
import Contracts
import Foundation
import Primitives
import Sodium

/// Makes, lists, renews and removes administrators: over the bus and without an actor, which HTTP never allows.
struct AdministratorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "administrator", abstract: "Makes, lists and removes administrators of a running set.",
        discussion: """
            'billfold administrator NAME' makes one, as 'billfold administrator add NAME' does. A password, of 8 to 128 \
            bytes, is asked for at the terminal; without one, it is the first line of standard input. Every program that can \
            open the bus can make administrators: its directory is for the operator only.

            \(ExitStatus.help(
                "the account is there, listed, changed or removed", no: "the name or the password was refused",
                unreachable: unreachable))
            """,
        subcommands: [Add.self, List.self, Password.self, Remove.self], defaultSubcommand: Add.self)

    private static let unreachable = "no set runs, or auth does not answer"

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes an administrator's account.",
            discussion: ExitStatus.help(
                "the account is there", no: "the name or the password was refused", unreachable: unreachable))

        @Argument(help: "1 to 64 letters, digits and ._@+-.")
        var username: String

        @OptionGroup var connection: BusOptions

        func run() async throws {
            let password = try PasswordPrompt.read(for: username)
            let ask = Auth.RegisterAccount(
                account: Randomness.shared.identifier(at: WallClock.system.now()), role: .administrator,
                username: username, password: password, name: nil)
            let made = try await AdministratorCommand.answer(ask, over: connection).account
            print("\(made.username) is an administrator (\(made.account.hex)) and can log in")
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists administrators: username, account, and when it was made.",
            discussion: ExitStatus.help("the administrators are listed", unreachable: unreachable))

        @OptionGroup var connection: BusOptions

        func run() async throws {
            var after: PartyID?
            repeat {
                let ask = Auth.ReadAdministrators(after: after, limit: 100)
                let page = try await AdministratorCommand.answer(ask, over: connection)
                for one in page.administrators {
                    print("\(one.username)  \(one.account.hex)  \(one.registered.rfc3339)")
                }
                after = page.next
            } while after != nil
        }
    }

    struct Password: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sets an administrator's password and ends the account's sessions.",
            discussion: ExitStatus.help(
                "the password is set", no: "no administrator has the name, or the password was refused",
                unreachable: unreachable))

        @Argument(help: "The administrator's username.")
        var username: String

        @OptionGroup var connection: BusOptions

        func run() async throws {
            let password = try PasswordPrompt.read(for: username)
            let ask = Auth.RenewAdministrator(username: username, newPassword: password)
            let renewed = try await AdministratorCommand.answer(ask, over: connection)
            print("\(username) has another password; sessions ended: \(renewed.closed.count)")
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes an administrator's account and ends its sessions.",
            discussion: ExitStatus.help(
                "the account was removed", no: "no administrator has the name, or it is the only one",
                unreachable: unreachable))

        @Argument(help: "The administrator's username.")
        var username: String

        @Flag(help: "Remove it even if it is the only administrator.")
        var evenLast = false

        @OptionGroup var connection: BusOptions

        func run() async throws {
            let ask = Auth.RemoveAdministrator(username: username, evenLast: evenLast ? true : nil)
            let removed = try await AdministratorCommand.answer(
                ask, over: connection, advice: [.lastAdministrator: "--even-last removes it all the same"])
            print("\(username) (\(removed.account.hex)) was removed; sessions ended: \(removed.closed.count)")
        }
    }

    /// The answer to one ask; a refusal is a line on standard error and exit status 1.
    ///
    /// - Parameter advice: what to do about a refusal.
    private static func answer<A: Ask>(
        _ ask: A, over connection: BusOptions, advice: [FaultCode: String] = [:]
    ) async throws -> A.Reply {
        let (reactor, bus) = try connection.open()
        let outcome: Result<A.Reply, Fault>
        do throws(Fault) {
            outcome = .success(try await bus.ask(ask, in: connection.context(bus)))
        } catch {
            outcome = .failure(error)
        }
        await reactor.stop()
        switch outcome {
        case .success(let reply): return reply
        case .failure(let fault):
            guard let advice = advice[fault.code] else { throw fault }
            throw CommandFailure.no("\(fault.words): \(advice)")
        }
    }
}
