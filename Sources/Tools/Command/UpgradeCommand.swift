import ArgumentParser
import Contracts
import Foundation
import Supervision

/// Puts the programs of another release in the places of all services, one after the other.
struct UpgradeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upgrade",
        abstract: "Puts another release in the place of all services, one after the other, while the set serves.",
        usage: "billfold upgrade <directory> [<options>]",
        discussion: """
            The directory holds the programs of the release, 'billfold-wallet' and so on. Each service is swapped as \
            'billfold swap' does, auth first and notifications last: each service before those that ask it.

            At the first swap that fails, and at Ctrl-C, the services swapped before go back, the last one first. A store that the new \
            release has migrated cannot be opened by the old one: its service then stays, and the command says so.

            Several gateways (BILLFOLD_GATEWAYS) follow, one after the other while the others serve. The broker stays as it is, \
            and so does a gateway that is the only one: start the set anew for them.

            \(ExitStatus.help(
                "all services run the release", no: "one could not be swapped; which services went back is said",
                unreachable: "no set runs"))

            Example:
              billfold upgrade /opt/billfold-2.0
            """)

    @Argument(help: "The directory of the release's programs.")
    var directory: String

    @Flag(help: "Leaves the rehearsals out: each new process is tried only where it will serve.")
    var unrehearsed = false

    @OptionGroup var place: SetPlace

    /// Processes whose clients cannot wait in a queue meanwhile.
    private static let staying = ["broker", SwapCommand.gateway]

    /// A service that runs, what runs in its place now, and what is to.
    private struct Upgrade {
        let service: String
        let command: [String]
        /// The process that runs, while its command is not the description's own.
        let before: SetControl.Listing.Process?

        init(_ service: String, _ command: [String], inPlaceOf process: SetControl.Listing.Process) {
            (self.service, self.command) = (service, command)
            before = process.isSwapped ? process : nil
        }
    }

    func run() async throws {
        let client = try place.client()
        let upgrades = try plan(client.list())
        for upgrade in upgrades {
            if case .failed(_, let reason) = try client.carryOut(.maySwap(service: upgrade.service)) {
                throw CommandFailure.no("nothing was changed: \(reason)")
            }
        }
        if !unrehearsed {
            for upgrade in upgrades where upgrade.service != SwapCommand.gateway {
                try SwapCommand.rehearse(upgrade.service, upgrade.command)
            }
        }
        let interrupts = Interrupts()
        defer { interrupts.end() }
        var done: [Upgrade] = []
        for upgrade in upgrades {
            let reason = interrupts.hasCome ? "interrupted" : try swap(upgrade.service, upgrade.command, client)
            guard let reason else {
                done.append(upgrade)
                continue
            }
            let kept = try goBack(done, client)
            let state =
                kept.isEmpty
                ? "all services run as before"
                : "as before run all but \(kept.joined(separator: ", ")), which did not go back"
            throw CommandFailure.no("\(upgrade.service) cannot be upgraded: \(reason)\n\(state)")
        }
        let isWhole = upgrades.contains { $0.service == SwapCommand.gateway }
        let old = isWhole ? "the broker is" : "the broker and the gateway are"
        print("\(done.count) services run the programs of \(directory); \(old) of the release before")
    }

    /// All services of the set that can be swapped, each before those that ask it, and then several gateways.
    private func plan(_ listing: SetControl.Listing) throws -> [Upgrade] {
        let release = URL(fileURLWithPath: directory).standardizedFileURL.path
        var upgrades: [Upgrade] = []
        for service in ServiceOrder.services {
            let name = service.service
            guard !Self.staying.contains(name), let process = listing.processes.first(where: { $0.name == name })
            else { continue }
            let command = try SwapCommand.located(["\(release)/billfold-\(name)"])
            upgrades.append(Upgrade(name, command, inPlaceOf: process))
        }
        let gateways = listing.processes.filter { $0.name.hasPrefix(SwapCommand.gateway) }
        if gateways.count > 1, let first = gateways.first {
            let command = try SwapCommand.located(["\(release)/billfold-\(SwapCommand.gateway)"])
            upgrades.append(Upgrade(SwapCommand.gateway, command, inPlaceOf: first))
        }
        return upgrades
    }

    /// Why the swap has failed; nil if the command serves.
    private func swap(
        _ service: String, _ command: [String]?, in directory: String? = nil, _ client: SetClient,
        isChecked: Bool = true
    ) throws -> String? {
        let request = SetControl.Request.swap(
            service: service, command: command, directory: directory ?? FileManager.default.currentDirectoryPath,
            isChecked: isChecked, continuity: .needed, takesOver: false)
        switch try client.carryOut(request) {
        case .done(let milliseconds):
            print(
                service == SwapCommand.gateway
                    ? "  \(service): serves, at each address"
                    : "  \(service): serves; asks waited for \(milliseconds) ms")
        case .failed(let step, let reason): return "failed at \(step): \(reason)"
        case .step: break
        }
        return nil
    }

    /// The last first, without a check: those programs have served. Returns those that could not go back.
    private func goBack(_ done: [Upgrade], _ client: SetClient) throws -> [String] {
        var kept: [String] = []
        for upgrade in done.reversed() {
            let reason = try swap(
                upgrade.service, upgrade.before?.command, in: upgrade.before?.directory, client, isChecked: false)
            guard let reason else { continue }
            print("  \(upgrade.service): does not go back: \(reason)")
            kept.append(upgrade.service)
        }
        return kept
    }
}
