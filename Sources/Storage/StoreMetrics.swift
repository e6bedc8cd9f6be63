import CoreMetrics

/// What a store counts of its commits: how many pieces of work each took in, and how long it took, the disk included.
package struct StoreMetrics: Sendable {
    private let sizes = Recorder(label: "store_group_size", aggregate: true)
    private let durations = CoreMetrics.Timer(label: "store_commit_seconds")
    private let failures = Counter(label: "store_failures_total")

    package init() {}

    package func committed(_ works: Int, nanoseconds: UInt64) {
        sizes.record(works)
        durations.recordNanoseconds(Int64(clamping: nanoseconds))
    }

    package func failed() { failures.increment() }
}
