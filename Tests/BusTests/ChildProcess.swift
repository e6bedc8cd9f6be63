import CLinux
import Foundation
import Testing

/// A process that a test starts and waits for. It has none of the tests' descriptors but what its output goes to.
///
/// Foundation's `Process` learns of an end when the last process that inherited a certain socket has closed it, and any
/// child that another test starts meanwhile inherits it, too.
struct ChildProcess {
    private let id: pid_t

    /// - Parameter environment: all of it.
    init(_ path: String, _ arguments: [String], environment: [String: String]) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for number: Int32 in 0...2 { posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0) }
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        let settings = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + settings { free(text) } }
        var id: pid_t = 0
        try #require(posix_spawn(&id, path, &actions, nil, words, settings) == 0, "cannot start \(path)")
        self.id = id
    }

    func kill() { Glibc.kill(id, SIGKILL) }

    /// Blocks until it has ended. To be called once.
    ///
    /// - Returns: whether its exit status is 0.
    @discardableResult
    func wait() -> Bool {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        return status == 0
    }
}
