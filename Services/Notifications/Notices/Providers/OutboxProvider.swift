import Foundation
import Glibc
import Primitives

/// Puts letters into a directory where no mail server is configured (A42): one `.eml` file each, for this user only.
package struct OutboxProvider: Provider {
    /// Letters kept; the oldest go.
    package static let lettersMax = 1000

    private let directory: String
    private let from: MailAddress

    /// Makes the directory if need be.
    /// - Throws: when it cannot be made.
    package init(directory: String, from: MailAddress) throws {
        self.directory = directory
        self.from = from
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    package func send(_ parcel: Parcel, at now: Timestamp) async -> DeliveryRules.Attempt {
        guard let to = MailAddress(parcel.address) else { return .refused("address_invalid") }
        let message = MailMessage(
            from: from, to: to, subject: parcel.title, text: parcel.text, id: parcel.id.hex, time: parcel.created)
        // Names sort by time; the same letter has the same name.
        let name = "\(parcel.created.rfc3339)-\(parcel.id.hex).eml"
        guard write(message.bytes, name) else { return .failed("outbox") }
        forgetOldest()
        return .delivered()
    }

    /// Appears whole or not at all.
    private func write(_ bytes: [UInt8], _ name: String) -> Bool {
        let (draft, path) = ("\(directory)/.\(name)", "\(directory)/\(name)")
        unlink(draft)
        let descriptor = Glibc.open(draft, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0 else { return false }
        return rename(draft, path) == 0
    }

    private func forgetOldest() {
        // A directory that cannot be read now is tidied behind the next letter.
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else { return }
        let letters = names.filter { $0.hasSuffix(".eml") && !$0.hasPrefix(".") }.sorted()
        for name in letters.dropLast(Self.lettersMax) { unlink("\(directory)/\(name)") }
    }
}
