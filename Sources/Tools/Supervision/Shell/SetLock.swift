import Glibc
import ServiceKit

/// Held by a set in its run directory and in its data's: no second one uses them, and no backup is restored below it.
/// The process's end releases it, too.
package struct SetLock: Sendable {
    private let descriptor: Int32

    /// The lock of a run directory.
    static func run(_ directory: String) throws(Supervisor.Refusal) -> SetLock {
        try SetLock("\(directory)/up.lock", otherwise: .running(in: directory))
    }

    /// The lock of a directory of data, which exists. A program in the place of a service's own holds no lock of the
    /// service's.
    ///
    /// - Parameter refusal: thrown where another process holds it.
    package static func data(
        _ directory: String, otherwise refusal: Supervisor.Refusal
    ) throws(Supervisor.Refusal) -> SetLock {
        try SetLock("\(directory)/set.lock", otherwise: refusal)
    }

    /// - Throws: `refusal`, or why the file cannot be made.
    private init(_ path: String, otherwise refusal: Supervisor.Refusal) throws(Supervisor.Refusal) {
        descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Supervisor.Refusal(description: "cannot open \(path): \(systemError())") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw refusal
        }
    }

    func release() { close(descriptor) }
}
