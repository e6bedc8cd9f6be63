import Bus
import BusZMQ
import Glibc
import LoadReport
import Primitives
import Synchronization

/// Does to the set's processes what the plan says, on a thread of its own, and leaves all of them running.
package final class FaultInjector: Sendable {
    private struct State {
        var disturbances: [Disturbance] = []
        var warnings: [String] = []
        var happened: [FaultPlan.Fault] = []
        var note: String?
        var isDone = false
    }

    private let table: ProcessTable
    private let events: [FaultPlan.Event]
    /// How long the set's launcher has to bring a killed process back.
    private let grace: Span
    /// Whether the load is ended early: what is stopped goes on at once.
    private let isCutShort: @Sendable () -> Bool
    /// How long a supervisor has to start one again that was killed often.
    private static let supervisorMax: UInt64 = 30_000_000_000
    private let state = Mutex(State())
    private let stopping = Atomic(false)

    package init(
        _ table: ProcessTable, events: [FaultPlan.Event], grace: Span, isCutShort: @escaping @Sendable () -> Bool
    ) {
        self.isCutShort = isCutShort
        self.table = table
        self.events = events
        self.grace = grace
    }

    /// - Parameter zero: the run's start, monotonic nanoseconds.
    package func start(at zero: UInt64) {
        OSThread { [self] in
            for event in events {
                while !isStopping, monotonicNanoseconds() < zero + event.offset.nanoseconds { usleep(5_000) }
                if isStopping { break }
                perform(event, zero)
            }
            state.withLock { $0.isDone = true }
        }.detach()
    }

    /// No further event; what is under way is finished.
    package func stop() { stopping.store(true, ordering: .relaxed) }
    private var isStopping: Bool { stopping.load(ordering: .relaxed) }

    package var isDone: Bool { state.withLock { $0.isDone } }
    package var note: String? { state.withLock { $0.note } }
    package var disturbances: [Disturbance] { state.withLock { $0.disturbances } }
    package var warnings: [String] { state.withLock { $0.warnings } }
    /// The faults that have been done to a process, once or more.
    package var happened: [FaultPlan.Fault] { state.withLock { $0.happened } }

    private func perform(_ event: FaultPlan.Event, _ zero: UInt64) {
        let fault = event.fault
        let targets = table.find().filter { fault.target == "all" || $0.name == fault.target }
        guard !targets.isEmpty else {
            state.withLock { $0.warnings.append("\(fault.target) was not running at \(event.offset): no fault then") }
            return
        }
        state.withLock { $0.happened.append(fault) }
        switch fault.kind {
        case .kill: kill(targets, zero)
        case .stop(let length): halt(targets, length, zero)
        }
    }

    private func record(_ kind: Disturbance.Kind, _ name: String, _ zero: UInt64, away: Double? = nil) {
        let offset = Double(monotonicNanoseconds() - zero) / 1e9
        state.withLock { state in
            state.disturbances.append(
                Disturbance(offsetSeconds: offset, kind: kind, process: name, durationSeconds: away))
            let verb = kind == .kill ? "killed" : kind == .stop ? "stopped" : "started"
            state.note = "\(verb) \(name)"
        }
    }

    // MARK: Stop

    private func halt(_ targets: [ProcessTable.Entry], _ length: Span, _ zero: UInt64) {
        for target in targets {
            Glibc.kill(target.id, SIGSTOP)
            record(.stop, target.name, zero, away: length.seconds)
        }
        let end = monotonicNanoseconds() + length.nanoseconds
        while monotonicNanoseconds() < end, !isCutShort() { usleep(2_000) }
        for target in targets {
            Glibc.kill(target.id, SIGCONT)
            record(.start, target.name, zero)
        }
    }

    // MARK: Kill

    private func kill(_ targets: [ProcessTable.Entry], _ zero: UInt64) {
        let births = targets.compactMap(Birth.init)
        defer { for birth in births { birth.forget() } }
        let killed = monotonicNanoseconds()
        for target in targets {
            Glibc.kill(target.id, SIGKILL)
            record(.kill, target.name, zero)
        }
        for target in targets { while ProcFile.isAlive(target.id) { bury(target.id) } }
        // Whoever launched the set may bring it back; two of a kind would fight over one file.
        var missing = Set(births.map(\.name))
        let isSupervised = births.contains { $0.supervisor != nil }
        let end = monotonicNanoseconds() + (isSupervised ? Self.supervisorMax : grace.nanoseconds)
        while !missing.isEmpty, monotonicNanoseconds() < end {
            usleep(20_000)
            let back = table.find().map(\.name) + births.filter(\.isBack).map(\.name)
            for name in back where missing.remove(name) != nil {
                record(.start, name, zero, away: Double(monotonicNanoseconds() - killed) / 1e9)
            }
        }
        for birth in births where birth.supervisor != nil && missing.remove(birth.name) != nil {
            state.withLock { $0.warnings.append("\(birth.name) was not started again by its supervisor within 30 s") }
        }
        // The broker first: the others look for it.
        for birth in births.sorted(by: { $0.name == "broker" && $1.name != "broker" })
        where missing.contains(birth.name) {
            do {
                _ = try birth.again()
                record(.start, birth.name, zero, away: Double(monotonicNanoseconds() - killed) / 1e9)
            } catch {
                state.withLock { $0.warnings.append("\(error)") }
            }
        }
    }

    /// A process that this one has started, and killed, is a zombie until it is waited for.
    private func bury(_ id: pid_t) {
        var status: Int32 = 0
        if waitpid(id, &status, WNOHANG) == 0 || errno == ECHILD { usleep(1_000) }
    }
}
