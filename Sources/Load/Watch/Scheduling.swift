import Glibc

/// `SCHED_BATCH` of <sched.h>, a macro that Swift does not import.
private let schedBatch: Int32 = 3

/// All threads of this process, and those that they start, let others finish their turn: as the services do. The
/// generator shares their cores, and what it reads in one go costs less than what it is woken for one by one.
func useBatchScheduling() {
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
