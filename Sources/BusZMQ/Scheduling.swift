import Glibc

/// `SCHED_BATCH` of <sched.h>, a macro that Swift does not import.
private let schedBatch: Int32 = 3

/// How Linux shares its cores among a process's threads and others (sched(7)).
package enum Scheduling: String, Sendable {
    /// A woken thread waits until the running ones pause: batches get larger, and each message costs less.
    case batch
    /// A woken thread may preempt others at once: for the process that all others wait for.
    case other
}

/// Schedules all threads of this process, and those that they start, as a batch. On few cores, messages that are read
/// together cost less than messages that each wake a thread.
package func useBatchScheduling() {
    guard let tasks = opendir("/proc/self/task") else { return }
    defer { closedir(tasks) }
    var parameters = sched_param()
    while let item = readdir(tasks) {
        let name = withUnsafePointer(to: &item.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        // Refused only where the kernel does not know it; then the default serves.
        if let id = Int32(name) { _ = sched_setscheduler(id, schedBatch, &parameters) }
    }
}
