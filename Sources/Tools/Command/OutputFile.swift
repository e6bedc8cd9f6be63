import Foundation

/// A file that a command writes at its end, opened at its beginning: a path that cannot be written costs nothing then.
final class OutputFile {
    private let path: String
    private let descriptor: Int32
    /// Whether this command has made it: it is removed again when nothing was written.
    private let isNew: Bool
    private var isWritten = false

    /// - Parameter option: the option that names it.
    init(_ path: String, option: String) throws {
        self.path = path
        var descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        isNew = descriptor >= 0
        if !isNew { descriptor = open(path, O_WRONLY | O_CLOEXEC) }
        guard descriptor >= 0 else {
            let missing = errno == ENOENT ? "the folder does not exist" : String(cString: strerror(errno))
            throw CommandFailure.usage("\(option) cannot be written to \(path): \(missing)")
        }
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
        if isNew, !isWritten { unlink(path) }
    }

    /// Replaces what was in it before.
    func write(_ data: Data) throws {
        isWritten = true
        // A pipe or a terminal cannot be cut, and has nothing to cut.
        ftruncate(descriptor, 0)
        do {
            try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(contentsOf: data)
        } catch {
            throw CommandFailure.no("\(path) could not be written: \(error.localizedDescription)")
        }
    }
}
