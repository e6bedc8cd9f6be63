import Bus
import Foundation
import Logging
import Primitives
import Synchronization
import Wire

/// Logs to standard error, one line an event: JSON for machines, plain text for people.
///
/// Callers log codes, types and identifiers, never messages' content: no PIN, password, token or card number passes
/// here.
struct LineLog: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level
    let service: String
    let json: Bool

    /// Lines of one process do not mix.
    private static let writing = Mutex(())

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var line = json ? jsonLine(event) : textLine(event)
        line.append(UInt8(ascii: "\n"))
        Self.writing.withLock { _ in
            // A log that cannot be written must not stop a payment.
            _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        }
    }

    private func jsonLine(_ event: LogEvent) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("time", WallClock.system.now())
        writer.field("level", event.level.rawValue)
        writer.field("service", service)
        writer.field("message", "\(event.message)")
        for (key, value) in merged(event) {
            writer.key(key)
            writer.string("\(value)")
        }
        writer.endObject()
        return writer.bytes
    }

    private func textLine(_ event: LogEvent) -> [UInt8] {
        let fields = merged(event).map { " \(Self.visible($0.key))=\(Self.quoted("\($0.value)"))" }.joined()
        let time = WallClock.system.now().rfc3339.dropFirst(11).dropLast()
        return Array("\(time) \(event.level) \(service): \(Self.visible("\(event.message)"))\(fields)".utf8)
    }

    /// A value that ends where it seems to end: others' words could look like fields.
    private static func quoted(_ value: String) -> String {
        guard value.unicodeScalars.contains(where: { $0 == " " || $0 == "\"" || $0 == "=" }) else {
            return visible(value)
        }
        return "\"" + visible(value).replacingScalar("\"", with: "\\\"") + "\""
    }

    /// Without control characters: others' words can begin no line and drive no terminal.
    private static func visible(_ text: String) -> String {
        func isControl(_ scalar: Unicode.Scalar) -> Bool {
            scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.value == 0x2028
                || scalar.value == 0x2029
        }
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return text.unicodeScalars.map { isControl($0) ? "\\u{\(String($0.value, radix: 16))}" : String($0) }.joined()
    }

    private func merged(_ event: LogEvent) -> [(key: String, value: Logger.Metadata.Value)] {
        metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
    }
}
