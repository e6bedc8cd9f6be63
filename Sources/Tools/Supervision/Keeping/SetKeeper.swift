/// Keeps a set running: who is started when, who is started again and how soon, and in which order all end.
///
/// A value: it takes events and returns orders. It has no clock, starts nothing and waits for nothing.
package struct SetKeeper {
    /// The pause before a process that has ended is started again; each further one is twice as long.
    package static let pauseFirst = Duration.milliseconds(100)
    package static let pauseMax = Duration.seconds(10)
    /// A process that has run for so long has started well: its next pause is the first one again.
    package static let runWell = Duration.seconds(10)
    /// A process that has ended so often in a row without ever having been healthy does not start.
    package static let startFailuresMax = 5
    /// The whole of a stop. Services end by themselves within 1.6 s; those that have not ended then are killed.
    package static let stopMax = Duration.milliseconds(1900)
    /// When those that others depend on are stopped too, even if others still run.
    package static let stopFirstMax = Duration.milliseconds(1700)

    package enum Event: Sendable, Equatable {
        case started(String)
        /// Its health check has passed; reported again only after another start.
        case healthy(String)
        /// It has ended, or could not be started: the status is an exit status, or 128 and a signal's number.
        case ended(String, status: Int32)
        case stop
        /// Time has passed.
        case tick
    }

    package enum Order: Sendable, Equatable {
        case start(String)
        /// To end by itself.
        case terminate(String)
        case kill(String)
        /// A process has ended by itself. `again`: the pause before it is started again; nil: never.
        case report(String, status: Int32, again: Duration?)
        /// All processes have ended, or there is nothing more to do.
        case finished
    }

    /// Where a process is in its life.
    package enum Phase: String, Sendable {
        /// For those it depends on.
        case waiting
        /// It runs, and has not answered yet.
        case starting
        case healthy
        /// It has ended and is started again after its pause.
        case backingOff = "backing-off"
        /// It has ended for good.
        case ended
        /// It was asked to end.
        case stopping
    }

    package struct Member: Sendable {
        package let process: LocalProcess
        package internal(set) var phase = Phase.waiting
        /// How often it was started.
        package internal(set) var starts = 0
        /// Status of its last end.
        package internal(set) var status: Int32?
        var failures = 0
        var startedAt = Duration.zero
        var dueAt = Duration.zero
        /// Somebody else says when it starts and ends.
        var isLent = false
        var hasBeenHealthy = false

        package var isRunning: Bool { phase == .starting || phase == .healthy || phase == .stopping }
        /// Whether it ends whenever it is started, or has failed and is not started again.
        package var doesNotStart: Bool {
            guard !hasBeenHealthy else { return false }
            return phase == .ended ? status != 0 : failures >= SetKeeper.startFailuresMax
        }
    }

    /// In the file's order.
    package private(set) var members: [Member]
    private var stopAt: Duration?
    private var hasStoppedFirst = false
    private var isFinished = false

    package init(_ set: LocalSet) { members = set.processes.map { Member(process: $0) } }

    package var isStopping: Bool { stopAt != nil }
    /// Whether each process does its work, or has done it.
    package var isHealthy: Bool {
        members.allSatisfy { $0.phase == .healthy || ($0.phase == .ended && $0.status == 0) }
    }

    package subscript(_ name: String) -> Member? { members.first { $0.process.name == name } }

    /// - Parameter now: of a clock that never jumps.
    package mutating func handle(_ event: Event, at now: Duration) -> [Order] {
        var orders: [Order] = []
        switch event {
        case .started(let name): change(name) { $0.startedAt = now }
        case .healthy(let name):
            change(name) { member in
                if member.phase == .starting { member.phase = .healthy }
                member.hasBeenHealthy = true
            }
        case .ended(let name, let status):
            if let order = ended(name, status, at: now) { orders.append(order) }
        case .stop:
            if stopAt == nil {
                stopAt = now
                // What waits is not started any more.
                for index in members.indices where !members[index].isRunning { members[index].phase = .ended }
                orders += terminate { !$0.process.dependencies.isEmpty }
            }
        case .tick: break
        }
        orders += isStopping ? stopping(at: now) : starting(at: now)
        return orders
    }

    /// When something is due without anything happening; nil: never.
    package func nextDue(at now: Duration) -> Duration? {
        guard let stopAt else {
            return members.filter { $0.phase == .backingOff && !$0.isLent }.map(\.dueAt).min()
        }
        return hasStoppedFirst ? stopAt + Self.stopMax : stopAt + Self.stopFirstMax
    }

    /// Hands a process over to a swap, which starts and ends it from now on; nothing is started again meanwhile.
    package mutating func lend(_ name: String) { change(name) { $0.isLent = true } }

    /// Takes it back as it is: running, or to be started again.
    package mutating func takeBack(_ name: String, isRunning: Bool, at now: Duration) -> [Order] {
        change(name) { member in
            member.isLent = false
            member.failures = 0
            member.phase = isRunning ? .healthy : .backingOff
            member.dueAt = now
        }
        return handle(.tick, at: now)
    }

    // MARK: Starting

    private mutating func starting(at now: Duration) -> [Order] {
        var orders: [Order] = []
        for index in members.indices {
            let member = members[index]
            let isDue = member.phase == .waiting || (member.phase == .backingOff && member.dueAt <= now)
            guard isDue, !member.isLent, member.process.dependencies.allSatisfy(isMet) else { continue }
            members[index].phase = .starting
            members[index].starts += 1
            members[index].startedAt = now
            orders.append(.start(member.process.name))
        }
        if !isFinished, members.allSatisfy({ $0.phase == .ended }) {
            isFinished = true
            orders.append(.finished)
        }
        return orders
    }

    private func isMet(_ dependency: ComposeFile.Dependency) -> Bool {
        guard let member = self[dependency.service] else { return true }
        return switch dependency.condition {
        case .started: member.starts > 0
        case .healthy: member.phase == .healthy
        case .completed: member.phase == .ended && member.status == 0
        }
    }

    private mutating func ended(_ name: String, _ status: Int32, at now: Duration) -> Order? {
        guard let index = members.firstIndex(where: { $0.process.name == name }) else { return nil }
        members[index].status = status
        if isStopping {
            members[index].phase = .ended
            return nil
        }
        guard !members[index].isLent else { return nil }
        members[index].failures = now - members[index].startedAt >= Self.runWell ? 1 : members[index].failures + 1
        let isAgain =
            switch members[index].process.restart {
            case .no: false
            case .always: true
            case .onFailure(let triesMax): status != 0 && members[index].failures <= triesMax ?? .max
            }
        guard isAgain else {
            members[index].phase = .ended
            return .report(name, status: status, again: nil)
        }
        let pause = Self.pause(afterFailures: members[index].failures)
        members[index].phase = .backingOff
        members[index].dueAt = now + pause
        return .report(name, status: status, again: pause)
    }

    static func pause(afterFailures failures: Int) -> Duration {
        // 2^7 times the first pause is above the longest already.
        min(pauseFirst * (1 << min(max(0, failures - 1), 7)), pauseMax)
    }

    // MARK: Stopping

    /// First those that depend on others, so that they can still reach these; then the others.
    private mutating func stopping(at now: Duration) -> [Order] {
        guard let stopAt, !isFinished else { return [] }
        var orders: [Order] = []
        let isFirstDone = !members.contains { $0.isRunning && !$0.process.dependencies.isEmpty }
        if !hasStoppedFirst, isFirstDone || now >= stopAt + Self.stopFirstMax {
            hasStoppedFirst = true
            orders += terminate { $0.process.dependencies.isEmpty }
        }
        if now >= stopAt + Self.stopMax {
            orders += members.filter(\.isRunning).map { .kill($0.process.name) }
        }
        if members.allSatisfy({ !$0.isRunning }) {
            isFinished = true
            orders.append(.finished)
        }
        return orders
    }

    private mutating func terminate(_ isMeant: (Member) -> Bool) -> [Order] {
        var orders: [Order] = []
        for index in members.indices where members[index].isRunning && isMeant(members[index]) {
            members[index].phase = .stopping
            orders.append(.terminate(members[index].process.name))
        }
        return orders
    }

    private mutating func change(_ name: String, _ body: (inout Member) -> Void) {
        guard let index = members.firstIndex(where: { $0.process.name == name }) else { return }
        body(&members[index])
    }
}
