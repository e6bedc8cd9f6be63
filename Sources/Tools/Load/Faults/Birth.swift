import CLinux
import Glibc
import Primitives

/// How a process was started, read off while it lived: enough to start it again.
struct Birth {
    let name: String
    /// The supervisor that has started it and starts it again; nil: nobody does.
    let supervisor: Int32?
    let executable: String
    let arguments: [String]
    let environment: [String]
    let directory: String
    /// Open on what its standard output and error go to; -1 where that cannot be opened anew.
    let output: Int32
    let error: Int32

    /// Nil for a process that is gone or another user's.
    init?(of process: ProcessTable.Entry) {
        guard let executable = ProcFile.executable(of: process.id) else { return nil }
        name = process.name
        // A process that this program has started again is its own child.
        supervisor = ProcFile.parent(of: process.id).flatMap { parent in
            parent != getpid() && ProcFile.executable(of: parent)?.hasSuffix("/billfold") == true ? parent : nil
        }
        self.executable = executable
        arguments = ProcFile.list(process.id, "cmdline")
        environment = ProcFile.environment(of: process.id)
        directory = ProcFile.link("/proc/\(process.id)/cwd") ?? "/"
        output = open("/proc/\(process.id)/fd/1", O_WRONLY | O_APPEND | O_CLOEXEC)
        error = open("/proc/\(process.id)/fd/2", O_WRONLY | O_APPEND | O_CLOEXEC)
    }

    /// Whether its supervisor has started it again, also under an executable that says nothing of the set.
    var isBack: Bool {
        guard let supervisor else { return false }
        return ProcFile.children(of: supervisor).contains { ProcFile.list($0, "cmdline") == arguments }
    }

    func forget() {
        if output >= 0 { close(output) }
        if error >= 0 { close(error) }
    }

    /// Starts it again, in a session of its own: it outlives the load test, and its Ctrl-C.
    func again() throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        for (descriptor, number) in [(output, Int32(1)), (error, Int32(2))] {
            if descriptor >= 0 {
                posix_spawn_file_actions_adddup2(&actions, descriptor, number)
            } else {
                posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_WRONLY, 0)
            }
        }
        posix_spawn_file_actions_addchdir_np(&actions, directory)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var usual = sigset_t()
        sigfillset(&usual)
        posix_spawnattr_setsigdefault(&attributes, &usual)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // 0x80: POSIX_SPAWN_SETSID, a macro of its own that Swift does not import.
        posix_spawnattr_setflags(&attributes, Int16(0x80 | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

        var id: pid_t = 0
        let words = (arguments.isEmpty ? [executable] : arguments).map { strdup($0) } + [nil]
        // The one that is to take a state over has done so.
        let settings = environment.filter { !$0.hasPrefix("BILLFOLD_TAKE_OVER=") }.map { strdup($0) } + [nil]
        defer { for text in words + settings { free(text) } }
        let failure = posix_spawn(&id, executable, &actions, &attributes, words, settings)
        guard failure == 0 else {
            throw LoadFailure("cannot start \(name) again: \(String(cString: strerror(failure)))")
        }
        return id
    }
}
