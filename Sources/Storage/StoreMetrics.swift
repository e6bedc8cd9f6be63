import Bus
import CoreMetrics
import Logging
import Primitives
import Synchronization

/// What a store counts of its commits: how many pieces of work each took in, how long it took, the disk included, and
/// whether the disk takes any.
package final class StoreMetrics: Sendable {
    private let sizes = Recorder(label: "store_group_size", aggregate: true)
    private let durations = CoreMetrics.Timer(label: "store_commit_seconds")
    private let failures = Counter(label: "store_failures_total")
    private let refusing = Gauge(label: "store_refusing")
    private let logger = Logger(label: "store")
    private let path: String
    private let refuses = Atomic(false)
    private let refusal = Mutex(Refusal())

    private struct Refusal {
        /// When it was logged, on the monotonic clock; 0 before.
        var logged: UInt64 = 0
        /// Commits that were refused since then.
        var count = 0
    }

    /// As long as nothing can be written, the log says so this often.
    private static let logPause: UInt64 = 60_000_000_000

    /// - Parameter path: of the store's file, for the log.
    package init(_ path: String) {
        self.path = path
        refusing.record(0)
    }

    /// Whether the disk has taken nothing since a commit that it refused.
    package var isRefusing: Bool { refuses.load(ordering: .relaxed) }

    /// - Parameter hasWritten: whether the disk was needed for it.
    package func committed(_ works: Int, nanoseconds: UInt64, hasWritten: Bool = true) {
        sizes.record(works)
        durations.recordNanoseconds(Int64(clamping: nanoseconds))
        if hasWritten, isRefusing { recovered() }
    }

    package func failed(_ error: any Error) {
        failures.increment()
        guard StoreFailure.isOfDisk(error) else { return }
        refuses.store(true, ordering: .relaxed)
        refusing.record(1)
        let now = monotonicNanoseconds()
        let refused: Int? = refusal.withLock { refusal in
            refusal.count += 1
            guard refusal.logged == 0 || now - refusal.logged >= Self.logPause else { return nil }
            defer { refusal = Refusal(logged: now) }
            return refusal.count
        }
        guard let refused else { return }
        logger.error(
            """
            the disk takes no data: requests are refused, and no money moves. Make room on the disk of the file, \
            or look at the disk's own log; the service goes on by itself
            """,
            metadata: ["file": "\(path)", "error": "\(error)", "commits": "\(refused)"])
    }

    /// Logs why a piece of work failed, unless the disk did: `failed` logs that.
    func failedWork(_ error: any Error) {
        guard !StoreFailure.isOfDisk(error) else { return }
        logger.error("a transaction failed", metadata: ["file": "\(path)", "error": "\(error)"])
    }

    func failedRead(_ error: any Error) {
        logger.error("a read failed", metadata: ["file": "\(path)", "error": "\(error)"])
    }

    /// To be called when the disk takes data again.
    package func recovered() {
        guard refuses.exchange(false, ordering: .relaxed) else { return }
        refusal.withLock { $0 = Refusal() }
        refusing.record(0)
        logger.notice("the disk takes data again", metadata: ["file": "\(path)"])
    }
}
