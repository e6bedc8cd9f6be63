import Contracts
import Primitives

/// What a backup says of itself: `manifest.json`, written last. A directory without one is no backup.
package struct BackupManifest: Codable, Sendable, Equatable {
    package static let fileName = "manifest.json"
    /// Of this form. A reader refuses a newer one.
    package static let newest = 1

    package var version = BackupManifest.newest
    /// RFC 3339 UTC. All that was answered before `begun` is in the backup.
    package var begun: String
    package var ended: String
    package var services: [Entry]

    package struct Entry: Codable, Sendable, Equatable {
        package var service: String
        /// Path below the backup, and below the data directory.
        package var file: String
        package var bytes: Int64
        package var sha256: String
        /// The newest fact in it.
        package var head: Int64
        /// The last fact of each source that it knows of.
        package var cursors: [String: Int64]
        /// A ledger's newest entry and its hash.
        package var entries: Int64?
        package var hash: String?
        /// The hash of the row of fact `head` in a ledger: what all facts and entries have led to.
        package var chain: String?

        package init(_ service: String, _ copy: DataCopy) {
            self.service = service
            file = copy.file
            bytes = copy.bytes
            sha256 = copy.sha256
            head = copy.head
            cursors = copy.cursors
            entries = copy.entries
            hash = copy.hash
            chain = copy.chain
        }
    }

    /// The ledger's head when it was copied; nil in a manifest from before ledgers had such a chain.
    package var anchor: Wallet.Anchor? {
        guard let wallet = services.first(where: { $0.service == Wallet.service }), let chain = wallet.chain else {
            return nil
        }
        return Wallet.Anchor(sequence: wallet.head, chain: chain)
    }

    package init(begun: Timestamp, ended: Timestamp, services: [Entry]) {
        self.begun = begun.rfc3339
        self.ended = ended.rfc3339
        self.services = services
    }

    /// Why this is no backup that could be restored; empty when it is one. About the manifest alone, not the files.
    package var problems: [String] {
        guard version <= Self.newest else { return ["it was written by a newer version of this program"] }
        var problems: [String] = []
        var heads: [String: Int64] = [:]
        for entry in services {
            if heads.updateValue(entry.head, forKey: entry.service) != nil {
                problems.append("\(entry.service) is in it twice")
            }
            let parts = entry.file.split(separator: "/", omittingEmptySubsequences: false)
            if parts.count != 2 || parts[0] != entry.service || parts[1].isEmpty || parts[1].hasPrefix(".") {
                problems.append("\(entry.service) has its data in '\(entry.file)'")
            }
        }
        // A service that came into the set after the backup is in none of its copies.
        let sources = Set(services.flatMap(\.cursors.keys))
        for source in sources.sorted() where heads[source] == nil { problems.append("\(source) is not in it") }
        for entry in services {
            for (source, cursor) in entry.cursors.sorted(by: { $0.key < $1.key }) {
                if let head = heads[source], cursor > head {
                    problems.append("\(entry.service) knows \(cursor) facts of \(source), which has \(head)")
                }
            }
        }
        return problems
    }
}
