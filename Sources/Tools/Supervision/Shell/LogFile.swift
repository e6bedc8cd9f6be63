import Glibc

/// What a process has written, line by line, in a file that is never longer than its bound: a full one becomes
/// `….log.1`, in the place of the one before.
package final class LogFile {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// With the one before: 16 MiB for each service.
    package static let bytesMax = 8 * 1024 * 1024
    /// A longer line is broken.
    package static let lineBytesMax = 64 * 1024
    /// Lines that are kept to be shown when the process has ended.
    package static let tailMax = 10

    private let path: String
    private var file: Int32
    private var size: Int
    private var rest: [UInt8] = []
    /// Lines that could not be written since the last one that was.
    private var lost = 0
    /// The last lines.
    package private(set) var tail: [String] = []

    package init(_ path: String) throws(Failure) {
        self.path = path
        (file, size) = try Self.open(path)
    }

    deinit { close(file) }

    /// Takes what was read of a process; gives the lines that are complete now.
    package func take(_ bytes: ArraySlice<UInt8>) -> [String] {
        rest += bytes
        var lines: [String] = []
        var start = 0
        while start < rest.count {
            if let end = rest[start...].firstIndex(of: 10) {
                lines.append(String(decoding: rest[start..<end], as: UTF8.self))
                start = end + 1
            } else if rest.count - start >= Self.lineBytesMax {
                lines.append(String(decoding: rest[start..<(start + Self.lineBytesMax)], as: UTF8.self))
                start += Self.lineBytesMax
            } else {
                break
            }
        }
        rest.removeFirst(start)
        for line in lines { write(line) }
        return lines
    }

    /// What a process that has ended left without the end of a line.
    package func takeRest() -> [String] { rest.isEmpty ? [] : take([10]) }

    private func write(_ line: String) {
        tail.append(line)
        if tail.count > Self.tailMax { tail.removeFirst() }
        if lost > 0, append("lines that could not be written here: \(lost)") { lost = 0 }
        // A log that cannot be written must not stop a payment.
        if lost > 0 || !append(line) { lost += 1 }
    }

    /// Writes a line whole or, where the disk is full, not at all.
    private func append(_ line: String) -> Bool {
        let bytes = Array((line + "\n").utf8)
        if size + bytes.count > Self.bytesMax { rotate() }
        let count = Glibc.write(file, bytes, bytes.count)
        guard count == bytes.count else {
            if count > 0 { ftruncate(file, off_t(size)) }
            return false
        }
        size += count
        return true
    }

    private func rotate() {
        guard rename(path, path + ".1") == 0, let (next, _) = try? Self.open(path) else { return }  // it grows on
        close(file)
        (file, size) = (next, 0)
    }

    private static func open(_ path: String) throws(Failure) -> (Int32, Int) {
        let file = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Failure(description: "cannot write \(path): \(systemError())") }
        var status = stat()
        fstat(file, &status)
        return (file, Int(status.st_size))
    }
}
