import ArgumentParser
import Audit
import Bus
import Contracts
import Foundation
import Primitives
import ServiceKit

/// Copies a running set's data.
struct Backup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copies the data of a running set into a directory.",
        discussion: """
            Each service copies its own file while it goes on working, and writes it below the directory, which has to be \
            empty or not there, and which the services have to see under the same path. A manifest with sizes, digests and \
            positions is written last: a directory without one is no backup. Services that read others' facts are copied \
            before those, so that a restored set catches up by itself. Every payment acknowledged before the beginning is in \
            it. Services that are paused are copied, too.

            Keys (of PINs, card numbers, pay codes and web pushes) are copied only with --keys, into another directory. Keep \
            them apart: a stolen copy of both lets its holder try out PINs.

            \(ExitStatus.help(
                "the backup is whole", no: "a service refused, or the copies do not fit together: there is no backup",
                unreachable: "no set runs, or a service does not answer: there is no backup"))

            Examples:
              billfold backup /var/backups/billfold/$(date +%F)
              billfold backup /var/backups/billfold/first --keys /media/vault/billfold
            """)

    @Argument(help: "A new directory for the copies.", completion: .directory)
    var directory: String

    @Option(help: ArgumentHelp("Copies the keys too, into this new directory.", valueName: "directory"))
    var keys: String?

    @Flag(help: "Prints the manifest as JSON instead.")
    var json = false

    @OptionGroup var connection: BusOptions

    func run() async throws {
        signal(SIGPIPE, SIG_IGN)  // whoever reads the output may leave, and the backup goes on
        var (reactor, bus) = try connection.open()
        do { bus = try await PausedServices.passing(bus) } catch {
            await reactor.stop()
            throw error
        }
        do { try Directories.make(absolute(directory), mode: 0o700) } catch {
            await reactor.stop()
            throw CommandFailure.usage("\(error)")
        }
        let writer = BackupWriter(bus, to: absolute(directory), keys: keys.map(absolute))
        let outcome: Result<BackupWriter.Written, BackupWriter.Trouble>
        do throws(BackupWriter.Trouble) {
            outcome = .success(
                try await writer.write { copy in
                    if !json { print("\(copy.file): \(copy.bytes) bytes, \(copy.head) facts") }
                })
        } catch { outcome = .failure(error) }
        await reactor.stop()
        switch outcome {
        case .failure(let trouble): throw Self.failure(trouble)
        case .success(let written):
            if json {
                return print(try String(contentsOfFile: "\(directory)/\(BackupManifest.fileName)", encoding: .utf8))
            }
            for key in written.keys { print("\(keys ?? "")/\(key)") }
            let longest = written.pauses.max { $0.value < $1.value }
            print(
                "everything up to \(written.manifest.begun) is in \(directory)"
                    + (longest.map { "; the longest pause was \(Double($0.value) / 1000) ms, in \($0.key)" } ?? ""))
        }
    }
}

extension Backup {
    fileprivate static func failure(_ trouble: BackupWriter.Trouble) -> CommandFailure {
        switch trouble {
        case .directory: .usage("\(trouble)")
        case .missing: .unreachable("\(trouble)")
        case .notUsable: .no("\(trouble): there is no backup. Remove the directory before the next one")
        case .refused(_, let fault):
            CommandFailure(
                status: ExitStatus(of: fault),
                description: "\(trouble): there is no backup. Remove the directory before the next one")
        }
    }
}

/// What the services see as the same place as this process.
func absolute(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }
