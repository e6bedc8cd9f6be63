import CLinux
import Glibc

/// A process that runs at the head of a group of its own, and what it writes.
struct ChildProcess {
    let id: pid_t
    /// Readable when it has ended.
    let end: Int32
    /// What it and those that it starts write to standard output and error. Never blocks.
    let output: Int32

    struct Failure: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    /// - Parameter command: its executable with a slash, or else found in one of `paths`.
    init(
        _ command: [String], environment: [String: String], directory: String, lookingIn paths: [String]
    ) throws(Failure) {
        guard let name = command.first else { throw Failure("there is no command") }
        guard let path = Self.path(of: name, directory: directory, paths) else {
            throw Failure(
                "there is no executable '\(name)'\(name.contains("/") ? "" : " in \(paths.joined(separator: ":"))")")
        }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Failure("cannot open a pipe: \(systemError())") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        let arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        let settings: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + settings { free(text) } }
        let started = billfold_start(path, arguments, settings, directory, ends[1])
        close(ends[1])
        guard started > 0 else {
            close(ends[0])
            throw Failure("cannot start \(path): \(String(cString: strerror(-started)))")
        }
        id = started
        output = ends[0]
        end = billfold_pidfd_open(started)
        guard end >= 0 else {
            let reason = systemError()
            kill(-id, SIGKILL)
            waitpid(id, nil, 0)
            close(output)
            throw Failure("cannot watch \(path): \(reason)")
        }
    }

    /// To the process and those that it has started.
    func signal(_ number: Int32) { kill(-id, number) }

    /// Takes off what is left of it, once ``end`` is readable. An exit status, or 128 and the signal's number.
    func reap() -> Int32 {
        var status: Int32 = 0
        waitpid(id, &status, 0)
        close(end)
        return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
    }

    /// Whether anybody whom it has started still runs.
    var hasLeftOthers: Bool {
        // Orphans come to us (PR_SET_CHILD_SUBREAPER): whoever has ended is taken off first.
        while waitpid(-id, nil, WNOHANG) > 0 {}
        return kill(-id, 0) == 0
    }

    private static func path(of name: String, directory: String, _ paths: [String]) -> String? {
        if name.contains("/") {
            let path = name.hasPrefix("/") ? name : "\(directory)/\(name)"
            return access(path, X_OK) == 0 ? path : nil
        }
        return paths.lazy.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }
}

/// Ends the groups of a set's processes when the supervisor is gone without having ended them, as after kill -9.
struct Guard {
    private let input: Int32

    /// Called before there are other threads that hold anything.
    init() throws(ChildProcess.Failure) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .init("cannot open a pipe: \(systemError())") }
        _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
        let process = billfold_post_guard(ends[0])
        close(ends[0])
        guard process > 0 else { throw .init("cannot post a guard: \(String(cString: strerror(-process)))") }
        input = ends[1]
    }

    func began(_ group: pid_t) { send(group) }
    func ended(_ group: pid_t) { send(-group) }

    private func send(_ word: Int32) {
        var word = word
        _ = write(input, &word, MemoryLayout<Int32>.size)
    }
}

func systemError() -> String { String(cString: strerror(errno)) }
