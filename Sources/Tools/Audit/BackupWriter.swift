import Bus
import Contracts
import Foundation
import Primitives
import ServiceKit

/// Has each service of a running set copy its data into one directory, and says there what it all is.
package struct BackupWriter: Sendable {
    package enum Trouble: Error, CustomStringConvertible {
        case missing(MissingServices)
        case refused(service: String, Fault)
        case notUsable([String])
        case directory(String)

        package var description: String {
            switch self {
            case .missing(let missing): "nothing was copied: \(missing)"
            case .refused(let service, let fault):
                "\(service) has made no copy: \(fault.detail ?? fault.code.title) (\(fault.code))"
            case .notUsable(let problems): "the copies do not fit together: \(problems.joined(separator: "; "))"
            case .directory(let what): what
            }
        }
    }

    package struct Written: Sendable {
        package let manifest: BackupManifest
        package let keys: [String]
        /// The longest time that each service's writer has waited for the copying, in microseconds.
        package let pauses: [String: Int64]
    }

    /// How long one service may take. A file of 10 GB has some two minutes of a disk.
    private static let patience = Duration.seconds(1800)

    private let bus: Bus
    private let directory: String
    private let keys: String?

    /// - Parameters:
    ///   - directory: absolute; made if need be. It has to be empty.
    ///   - keys: the same, for keys; nil for none.
    package init(_ bus: Bus, to directory: String, keys: String?) {
        self.bus = bus
        self.directory = directory
        self.keys = keys
    }

    /// - Throws: `Trouble`. What has been copied by then stays, without a manifest, and is no backup.
    package func write(progress: (DataCopy) -> Void) async throws(Trouble) -> Written {
        // A copy is waited for long, a service that is not there is not.
        do throws(MissingServices) { try await MissingServices.expectNone(on: bus) } catch { throw .missing(error) }
        try Self.makeEmpty(directory)
        if let keys {
            guard !(keys + "/").hasPrefix(directory + "/"), !(directory + "/").hasPrefix(keys + "/") else {
                throw .directory("keys are kept apart from the data: neither directory can be in the other")
            }
            try Self.makeEmpty(keys)
        }
        let begun = bus.clock.now()
        var entries: [BackupManifest.Entry] = []
        var (copiedKeys, pauses): ([String], [String: Int64]) = ([], [:])
        for service in Catalogue.dataOwners {
            let copy: DataCopy
            do throws(Fault) { copy = try await self.copy(of: service) } catch {
                throw .refused(service: service.service, error)
            }
            entries.append(BackupManifest.Entry(service.service, copy))
            copiedKeys += copy.keys
            pauses[service.service] = copy.pauseMicroseconds
            progress(copy)
        }
        let manifest = BackupManifest(begun: begun, ended: bus.clock.now(), services: entries)
        guard manifest.problems.isEmpty else { throw .notUsable(manifest.problems) }
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            let path = "\(directory)/\(BackupManifest.fileName)"
            try DurableFile.write(Array(try encoder.encode(manifest)) + [UInt8(ascii: "\n")], to: path)
        } catch { throw .directory("\(error)") }
        return Written(manifest: manifest, keys: copiedKeys, pauses: pauses)
    }

    private func copy<Service: DataOwner>(of service: Service.Type) async throws(Fault) -> DataCopy {
        try await bus.ask(
            WriteBackup<Service>(directory: directory, keys: keys),
            in: AskContext(deadline: bus.clock.now() + Self.patience))
    }

    private static func makeEmpty(_ directory: String) throws(Trouble) {
        do {
            let files = FileManager.default
            try files.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            guard try files.contentsOfDirectory(atPath: directory).isEmpty else {
                throw Trouble.directory("\(directory) is not empty: a backup has a directory of its own")
            }
        } catch let trouble as Trouble { throw trouble } catch {
            throw .directory("\(directory) cannot be used: \(error.localizedDescription)")
        }
    }
}
