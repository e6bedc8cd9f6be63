import Foundation

extension ServiceHost {
    /// Runs a process's `main`: an error becomes one line and exit status 1.
    ///
    /// - Parameter health: what `--health` probes.
    package static func main(
        _ name: String, health: HealthProbe = .bus, _ body: () async throws -> Void
    ) async {
        // Until the service group listens for these signals, nothing has begun that has to be finished.
        for stop in [SIGTERM, SIGINT] { signal(stop) { _ in _exit(EXIT_SUCCESS) } }
        switch CommandLine.arguments.dropFirst().first {
        case nil:
            do { try await body() } catch is LoggedEnd { _exit(EXIT_FAILURE) } catch { end(name, "\(error)") }
        case "--health":
            if let trouble = await health.run(name) { end(name, trouble) }
            _exit(EXIT_SUCCESS)
        case "--help", "-h":
            print(help(name))
        case .some(let other):
            end(name, "'\(other)' is no option; settings are environment variables. See --help", status: EX_USAGE)
        }
    }

    private static func help(_ name: String) -> String {
        """
        billfold-\(name): one process of a Billfold set. It runs until SIGTERM or Ctrl-C.

          billfold-\(name)            serves; environment variables configure it (docs/settings.md)
          billfold-\(name) --health   exit status 0 when the \(name) that runs answers within 2 s, else 1

        BILLFOLD_RUN is the directory of the bus's sockets, BILLFOLD_DATA that of the data. Logs are on standard error.
        """
    }

    /// Ends the process with one line.
    static func end(_ name: String, _ why: String, status: Int32 = EXIT_FAILURE) -> Never {
        let line = Array("billfold-\(name): \(why)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
        // Not `exit`: it would destroy the state of C++ libraries under threads that still use them.
        _exit(status)
    }
}

/// Ends the process; the log says why already.
struct LoggedEnd: Error {}
