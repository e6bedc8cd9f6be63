import Glibc

/// `SCHED_BATCH` of <sched.h>, a macro that Swift does not import.
private let schedBatch: Int32 = 3

/// How Linux shares its cores among a process's threads and others (sched(7)).
package enum Scheduling: String, Sendable {
    /// Whoever is woken waits for others' turns to end: groups get larger, and each message costs less.
    case batch
    /// Whoever is woken may take the core from others at once: for whom all others wait.
    case other
}

/// All threads of this process, and those that they start, let others finish their turn when they are woken: on few
/// cores, what is read in one go costs less than what one is woken for piece by piece. For services and for the loads that
/// share their cores.
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
