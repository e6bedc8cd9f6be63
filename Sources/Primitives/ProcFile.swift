import Glibc

/// Files of the kernel's about processes and sockets (proc(5)).
package enum ProcFile {
    /// All of a file; nil where it cannot be read.
    ///
    /// The kernel gives such a file in pieces of 4 KiB at most, the first of which Foundation takes for the whole.
    package static func read(_ path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = Glibc.read(file, &buffer, buffer.count)
            guard count > 0 else { return count == 0 ? bytes : nil }
            bytes += buffer[..<count]
        }
    }
}
