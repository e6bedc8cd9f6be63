import Glibc

/// Files that are whole or absent, for this user only, and on the disk before they are reported.
package enum DurableFile {
    package struct Trouble: Error, CustomStringConvertible {
        package let path: String
        package let reason: String

        init(_ path: String) {
            self.path = path
            reason = String(cString: strerror(errno))
        }

        package var description: String { "\(path): \(reason)" }
    }

    /// Bytes moved at once.
    private static let chunk = 1 << 20

    package static func write(_ bytes: [UInt8], to path: String) throws(Trouble) {
        let draft = path + ".draft"
        let target = try create(draft)
        defer { close(target) }
        try put(bytes[...], into: target, draft)
        guard fsync(target) == 0 else { throw Trouble(draft) }
        try rename(draft, to: path)
    }

    package static func copy(_ source: String, to path: String) throws(Trouble) {
        let from = open(source, O_RDONLY | O_CLOEXEC)
        guard from >= 0 else { throw Trouble(source) }
        defer { close(from) }
        let target = try create(path)
        defer { close(target) }
        var buffer = [UInt8](repeating: 0, count: chunk)
        while true {
            let count = read(from, &buffer, chunk)
            guard count >= 0 else { throw Trouble(source) }
            if count == 0 { break }
            try put(buffer[..<count], into: target, path)
        }
        guard fsync(target) == 0 else { throw Trouble(path) }
    }

    /// In the place of whatever has that name. Durable when it returns.
    package static func rename(_ source: String, to path: String) throws(Trouble) {
        guard Glibc.rename(source, path) == 0 else { throw Trouble(path) }
        try syncDirectory(of: path)
    }

    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    private static func create(_ path: String) throws(Trouble) -> Int32 {
        let descriptor = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Trouble(path) }
        return descriptor
    }

    private static func put(_ bytes: ArraySlice<UInt8>, into target: Int32, _ path: String) throws(Trouble) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(target, $0.baseAddress, $0.count) }
            guard count > 0 else { throw Trouble(path) }
            rest = rest.dropFirst(count)
        }
    }

    private static func syncDirectory(of path: String) throws(Trouble) {
        let directory = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Trouble(directory) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw Trouble(directory) }
    }
}
