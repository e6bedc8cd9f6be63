import ArgumentParser
import Audit
import Bus
import Contracts
import Foundation
import Primitives
import ServiceKit
import Supervision

/// Puts a backup in the place of a stopped set's data.
struct Restore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Puts a backup in the place of a stopped set's data.",
        discussion: """
            Checks every file of the backup before it changes anything. A service that runs, data that is there, and a set \
            whose keys are missing or are others are refused; with --replace the data is set aside, under its name with \
            '.replaced-' and the time behind it. Keys are those beside the data, those of --keys, and the files that \
            BILLFOLD_AUTH_KEY_FILE and its like name.

            Where BILLFOLD_STORE is set nothing is restored, as a backup is restored into files.

            The backup lacks what happened after it: with --only, services whose data is newer notice that the \
            restored one lacks facts that they have read: payments and offers refuse asks, the others read no new facts \
            (docs/operations.md). Restore all of them.

            \(ExitStatus.help(
                "the data is in place", no: "a service runs, there is data already, or the backup is damaged"))

            Examples:
              billfold restore /var/backups/billfold/2026-11-21
              billfold restore /var/backups/billfold/first \\
                --keys /media/vault/billfold --data /srv/billfold
            """)

    @Argument(help: "The directory that 'billfold backup' has written.", completion: .directory)
    var directory: String

    @OptionGroup var place: DataPlace

    @Option(
        help: ArgumentHelp(
            "Puts the keys in place that were copied there, where there are none.", valueName: "directory"))
    var keys: String?

    @Option(help: ArgumentHelp("One service only; can be given several times.", valueName: "service"))
    var only: [String] = []

    @Flag(help: "Sets aside the data that is there.")
    var replace = false

    func run() async throws {
        let config = try HostConfig.fromEnvironment()
        guard try place.store() == nil else {
            throw CommandFailure.usage(
                "nothing was restored: a backup is restored into files, and BILLFOLD_STORE names PostgreSQL. Unset it, "
                    + "also in .env, restore, and move the data into a new database with 'billfold move' "
                    + "(docs/operations.md, \"Backup and restore\")"
            )
        }
        let data = try place.directory(config)
        let settings = try place.settings()
        let refusal = Supervisor.Refusal(
            description: "a set runs on \(data); nothing was restored. 'billfold down' ends it")
        // Held until this process ends.
        if DurableFile.exists(data) { _ = try SetLock.data(data, otherwise: refusal) }
        let restorer = BackupRestorer(
            from: absolute(directory), into: data, keys: keys.map(absolute), services: only,
            replaces: replace, now: WallClock.system.now(), environment: settings)
        let restored: BackupRestorer.Restored
        do throws(BackupRestorer.Trouble) { restored = try restorer.restore { print($0) } } catch {
            switch error {
            case .noBackup: throw CommandFailure.usage("\(error); nothing was restored")
            case .noService, .noKeys: throw CommandFailure.usage("\(error)")
            default: throw CommandFailure.no("\(error)")
            }
        }
        if let head = restored.forgottenHead {
            let restoredHead = restored.manifest.anchor?.sequence
            print(
                "the ledger goes back from fact \(head)" + (restoredHead.map { " to \($0)" } ?? "")
                    + ": what was paid in between is undone, whoever paid has the money back")
        }
        for file in restored.aside { print("set aside: \(file)") }
        var successors = try Successors(in: data)
        for service in restored.services where successors.programs[service] != nil {
            try successors.note(nil, of: service)
            print(
                "\(service): the program of the set's description serves again, not the one that had taken its state "
                    + "over")
        }
        if restored.services.contains(Wallet.service), let anchor = settings["BILLFOLD_LEDGER_ANCHOR"],
            !anchor.isEmpty
        {
            print(
                "BILLFOLD_LEDGER_ANCHOR names \(anchor): where that is a later backup's manifest, the wallet moves no "
                    + "money until it names this one's")
        }
        for entry in restored.manifest.services where restored.services.contains(entry.service) {
            let readers = Catalogue.dataOwners.filter { reader in
                !restored.services.contains(reader.service) && reader.consumes.contains { $0.service == entry.service }
            }.map { $0.service }
            guard !readers.isEmpty else { continue }
            print(
                "\(readers.joined(separator: ", ")) may have read facts that \(entry.service) has no more: where 'billfold "
                    + "status' says so, 'billfold cure READER --source \(entry.service) --to \(entry.head)' lets it go on "
                    + "behind what both have")
        }
        print("\(data) is as of \(restored.manifest.begun); 'billfold verify' checks it once the set runs")
    }
}
