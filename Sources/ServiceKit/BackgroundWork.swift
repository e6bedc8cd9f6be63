import Contracts
import Logging

/// Work from READY until the service stops, on the reactor's thread between its suspensions.
package struct BackgroundWork: Sendable {
    let run: @Sendable (Logger) async throws -> Void

    /// Runs as long as the service: the service stops when it returns. An error ends the process.
    package static func once(_ body: @escaping @Sendable () async throws -> Void) -> BackgroundWork {
        BackgroundWork { _ in try await body() }
    }

    /// Runs `body` again and again, with a pause before each run. An error is logged as a warning.
    ///
    /// - Parameters:
    ///   - message: what the warning says.
    ///   - retryPause: an additional pause after an error.
    package static func every(
        _ pause: Duration, failing message: String = "background work failed", retryPause: Duration = .zero,
        _ body: @escaping @Sendable () async throws -> Void
    ) -> BackgroundWork {
        BackgroundWork { logger in
            while true {
                try await Task.sleep(for: pause)
                do { try await body() } catch {
                    let error = (error as? Fault).map { "\($0.code)" } ?? "\(error)"
                    logger.warning("\(message)", metadata: ["error": "\(error)"])
                    if retryPause > .zero { try await Task.sleep(for: retryPause) }
                }
            }
        }
    }
}
