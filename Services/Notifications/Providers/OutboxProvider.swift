import Foundation
import Glibc
import Primitives

/// Puts letters into a directory where no mail server is configured: one `.eml` file each, for this user only.
/// Each goes when its time is up, as it may hold a code.
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

    package func send(_ delivery: Delivery, at now: Timestamp) async -> DeliveryRules.Attempt {
        guard let to = MailAddress(delivery.address) else { return .refused("address_invalid") }
        let message = MailMessage(
            from: from, to: to, subject: delivery.title, text: delivery.text, id: delivery.id.hex,
            time: delivery.created)
        // Names sort by time; the same letter has the same name.
        let stem = "\(delivery.created.rfc3339)-\(delivery.id.hex)\(Self.endMark)\(delivery.expires.rfc3339)"
        let name = stem + Self.letterMark
        guard write(message.bytes, name) else { return .failed("outbox") }
        forgetOldest()
        return .delivered()
    }

    private static let endMark = "-until-"
    private static let letterMark = ".eml"
    private static let draftMark = ".draft"

    /// Removes letters whose time is up, and what a process that was killed had written of one. To be called every few
    /// seconds.
    package func sweep(at now: Timestamp) {
        for name in names where Self.end(of: name).map({ $0 <= now }) ?? false { unlink("\(directory)/\(name)") }
    }

    /// Until when a letter is of use, by its file's name. One whose name says nothing is from before names did: it is
    /// kept as long as any letter may be. Nil for a file that is no letter of this directory's.
    private static func end(of name: String) -> Timestamp? {
        let whole = name.hasSuffix(draftMark) ? name.dropLast(draftMark.count) : name[...]
        guard whole.hasSuffix(letterMark) else { return nil }
        let stem = whole.dropLast(letterMark.count)
        if let mark = stem.range(of: endMark) { return Timestamp(rfc3339: Array(stem[mark.upperBound...].utf8)) }
        return Timestamp(rfc3339: Array(stem.prefix(24).utf8)).map { $0 + SendOrder.letterLifetimeMax }
    }

    /// Appears whole or not at all.
    private func write(_ bytes: [UInt8], _ name: String) -> Bool {
        let path = "\(directory)/\(name)"
        let draft = path + Self.draftMark
        unlink(draft)
        let descriptor = Glibc.open(draft, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0 else { return false }
        return rename(draft, path) == 0
    }

    private func forgetOldest() {
        let letters = names.filter { $0.hasSuffix(Self.letterMark) }.sorted()
        for name in letters.dropLast(Self.lettersMax) { unlink("\(directory)/\(name)") }
    }

    /// Names of files; none where the directory cannot be read now: it is tidied later.
    private var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    }
}
