import CLinux
import Foundation
import Synchronization

/// A process that this one has started, with all that it starts: they are a group, and signals go to all of it.
package final class Child: Sendable {
    package let name: String
    private let id: pid_t
    /// Its exit status as people know it; nil while it runs.
    private let ended = Mutex<Int32?>(nil)

    /// - Parameters:
    ///   - words: the command and its arguments; the command is looked for on the `PATH`.
    ///   - log: the file that its output goes to, at the end.
    /// - Throws: `CannotCheck` when it cannot be started.
    package init(_ name: String, _ words: [String], environment: [String: String], log: String) throws {
        self.name = name
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

        let arguments = words.map { strdup($0) } + [nil]
        let settings = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + settings { free(text) } }
        var id: pid_t = 0
        let failure = posix_spawnp(&id, words[0], &actions, &attributes, arguments, settings)
        guard failure == 0 else { throw CannotCheck("cannot start \(words[0]): \(String(cString: strerror(failure)))") }
        self.id = id
    }

    func send(_ signal: Int32) {
        // The group is there for as long as one of it is, which this one is until it is waited for.
        if status == nil { kill(-id, signal) }
    }

    /// Freezes it, and returns when it is frozen: a signal takes a moment to reach every thread.
    func freeze() async {
        send(SIGSTOP)
        let end = ContinuousClock.now + .seconds(2)
        while !isFrozen, status == nil, ContinuousClock.now < end {
            try? await Task.sleep(for: .milliseconds(1))  // cut short: looks once more
        }
    }

    /// Whether none of its threads runs, from /proc.
    private var isFrozen: Bool {
        let tasks = "/proc/\(id)/task"
        guard let threads = try? FileManager.default.contentsOfDirectory(atPath: tasks) else { return true }  // gone
        return threads.allSatisfy { thread in
            guard let text = try? String(contentsOfFile: "\(tasks)/\(thread)/stat", encoding: .utf8) else {
                return true
            }
            // proc(5): the state follows the name, which stands in parentheses and may hold any.
            return text[(text.lastIndex(of: ")") ?? text.startIndex)...].dropFirst(2).first == "T"
        }
    }

    /// How it ended: its exit status, or 128 and the signal; nil while it runs.
    package var status: Int32? {
        ended.withLock { ended in
            if ended == nil {
                var status: Int32 = 0
                guard waitpid(id, &status, WNOHANG) == id else { return nil }
                ended = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
            }
            return ended
        }
    }

    /// Whether it ends within a time.
    package func ends(within patience: Duration) async -> Bool {
        let end = ContinuousClock.now + patience
        while status == nil {
            guard ContinuousClock.now < end else { return false }
            try? await Task.sleep(for: .milliseconds(5))  // cut short: looks once more
        }
        return true
    }

    /// Ends it and what is left of its group, at once if it does not end by itself.
    package func end(within patience: Duration) async {
        send(SIGCONT)
        send(SIGTERM)
        if await !ends(within: patience) {
            send(SIGKILL)
            _ = await ends(within: .seconds(2))
        }
        kill(-id, SIGKILL)
    }
}
