import CLinux
import Foundation

/// This executable again, in a session of its own: it outlives the terminal, and its Ctrl-C.
struct Background {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let id: pid_t

    /// - Parameter output: the file that standard output and error go to, emptied before.
    static func start(_ words: [String], output: String) throws -> Background {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // 0x80: POSIX_SPAWN_SETSID, a macro of its own that Swift does not import.
        posix_spawnattr_setflags(&attributes, 0x80)
        var id: pid_t = 0
        let arguments = words.map { strdup($0) } + [nil]
        defer { for text in arguments { free(text) } }
        // By its own path: the process has the name of the file by which it is started.
        let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
        let failure = posix_spawn(&id, executable, &actions, &attributes, arguments, environ)
        guard failure == 0 else { throw Failure(description: "cannot start: \(String(cString: strerror(failure)))") }
        return Background(id: id)
    }

    /// Asks it to end; to be called while it was not found to have ended.
    func terminate() { kill(id, SIGTERM) }

    /// Its exit status; nil while it runs.
    func ended() -> Int32? {
        var status: Int32 = 0
        guard waitpid(id, &status, WNOHANG) == id else { return nil }
        return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
    }
}
