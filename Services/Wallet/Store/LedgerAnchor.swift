import Foundation
import Primitives
import Wire

/// A head of the ledger that is stored outside of its file: a change or loss of earlier rows is noticed.
///
/// Stored in the form of a backup's manifest: an object with `services`, one of which is the wallet's.
package struct LedgerAnchor: Equatable, Sendable {
    /// The fact's sequence, and its row's hash in hex.
    package let sequence: Int64
    package let chain: String
    /// The path where it was found.
    package let origin: String

    package init(sequence: Int64, chain: String, origin: String) {
        self.sequence = sequence
        self.chain = chain
        self.origin = origin
    }

    package enum Trouble: Error, CustomStringConvertible {
        case unreadable(path: String)
        case notWritten(path: String, reason: String)

        package var description: String {
            switch self {
            case .unreadable(let path): "\(path) has no head of the ledger in it: it is no manifest of a backup"
            case .notWritten(let path, let reason): "\(path) cannot be written: \(reason)"
            }
        }
    }

    private struct Manifest: Codable {
        struct Entry: Codable {
            let service: String
            let head: Int64
            let chain: String?
        }
        let services: [Entry]
    }

    /// - Returns: nil if there is no file, or the manifest is older than the chain.
    /// - Throws: `Trouble` if the file is something else.
    package init?(path: String) throws {
        guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
        guard let manifest = try? JSONDecoder().decode(Manifest.self, from: bytes),
            let entry = manifest.services.first(where: { $0.service == "wallet" })
        else { throw Trouble.unreadable(path: path) }
        guard let chain = entry.chain else { return nil }
        self.init(sequence: entry.head, chain: chain, origin: path)
    }

    /// Replaces the file.
    ///
    /// - Parameter durably: blocks until it is on the disk.
    /// - Throws: `Trouble.notWritten`.
    package func write(to path: String, durably: Bool = true) throws {
        let manifest = Manifest(services: [.init(service: "wallet", head: sequence, chain: chain)])
        let bytes = [UInt8](try JSONEncoder().encode(manifest))
        // Two processes of one host may write at a time.
        let draft = "\(path).\(UInt32.random(in: 0...(.max))).draft"
        let descriptor = open(draft, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Trouble.notWritten(path: path, reason: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count, !durably || fsync(descriptor) == 0,
            rename(draft, path) == 0
        else {
            let reason = String(cString: strerror(errno))
            unlink(draft)
            throw Trouble.notWritten(path: path, reason: reason)
        }
    }
}

extension LedgerInspecting {
    /// Describes how the ledger lacks this anchor; nil if it has it.
    package func problem(with anchor: LedgerAnchor) throws -> String? {
        let head = try head()
        guard anchor.sequence <= head.fact else {
            return "the ledger ends at fact \(head.fact), and \(anchor.origin) names fact \(anchor.sequence): "
                + "facts are missing at its end"
        }
        guard anchor.sequence > 0 else { return nil }
        guard let row = try journalRow(anchor.sequence), hexDigits(row.hash) == anchor.chain else {
            return
                "fact \(anchor.sequence) is not the one that \(anchor.origin) names: the ledger was changed before it"
        }
        return nil
    }
}
