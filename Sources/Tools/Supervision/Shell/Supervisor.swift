import Bus
import BusZMQ
import CLinux
import Foundation
import Glibc
import Primitives
import ServiceKit
import Synchronization

/// Runs a set: does what ``SetKeeper`` and ``Swap`` decide, keeps the logs, and answers on the control socket.
///
/// One thread sleeps in `poll` on everything that can happen: ends and output of processes, connections, and events
/// from other threads. Processes are started by this thread, whose end they would not outlive.
///
/// `@unchecked`: what other threads use is `events`, `bell` and constants; everything else is used by the one thread
/// that calls ``run()``.
package final class Supervisor: @unchecked Sendable {
    package struct Settings: Sendable {
        package var set: LocalSet
        package var places: LocalSet.Places
        /// Where its services are asked.
        package var bus: BusAddress
        /// Directory of the services' logs.
        package var logs: String
        /// Lines are printed, with colours or without, as JSON or as words.
        package var isPrinting: Bool
        package var isColoured: Bool
        package var isRaw: Bool

        package init(
            set: LocalSet, places: LocalSet.Places, bus: BusAddress, logs: String, isPrinting: Bool, isColoured: Bool,
            isRaw: Bool
        ) {
            (self.set, self.places, self.bus, self.logs) = (set, places, bus, logs)
            (self.isPrinting, self.isColoured, self.isRaw) = (isPrinting, isColoured, isRaw)
        }
    }

    /// The set cannot be run.
    package struct Refusal: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }

        package static func running(in run: String) -> Refusal {
            Refusal(description: "a set runs in \(run) already; 'billfold ps' shows it, 'billfold down' ends it")
        }
    }

    /// From other threads.
    enum Event: Sendable {
        case stop
        case healthy(String, life: Int)
        case swap(Swap.Event, number: Int)
        /// Nobody answers in the place of the new process yet.
        case mayStartBeside(swap: Int)
        /// The swap's pause is over, and an operator's is not.
        case heldBack(swap: Int)
        /// About a process of a roll.
        case rolled(Roll.Event, of: String)
        case judged(Canary.Verdict, number: Int)
    }

    let settings: Settings
    let bus: SetBus
    var keeper: SetKeeper
    var children: ChildTable
    var control: ControlServer
    var swap: RunningSwap?
    var roll: RunningRoll?
    var rolls = 0
    /// The number of the roll that goes on; 0 for none.
    let currentRoll = Atomic(0)
    var swaps = 0
    /// The number of the swap that goes on; 0 for none.
    let currentSwap = Atomic(0)
    /// What runs in the place of a service's own command.
    var substitutes: [String: Substitute]
    var successors: Successors
    private let began = monotonicNanoseconds()
    /// Held until the set has ended.
    private let lock, dataLock: SetLock
    var log: SetLog
    private let events = Mutex<[Event]>([])
    private let bell: Wakeup
    var stops = 0
    private var retries: [(name: String, life: Int, at: Duration)] = []
    private var hasReportedHealth = false
    private var isFinished = false

    /// Between two runs of a health check that is a command.
    private static let healthPause = Duration.milliseconds(200)

    /// Takes the run directory; nothing is started yet.
    ///
    /// - Throws: ``Refusal`` when a set runs there already, or files cannot be made.
    package init(_ settings: Settings) throws {
        self.settings = settings
        keeper = SetKeeper(settings.set)
        let names = settings.set.processes.map(\.name)
        successors = try Successors(in: settings.places.data)
        substitutes = successors.programs.filter { names.contains($0.key) }
        let run = settings.places.run
        try RunDirectoryCheck.verify(run)
        try Directories.make(run, mode: 0o770)
        try Directories.make(settings.logs, mode: 0o700)
        try Directories.make(settings.places.data, mode: 0o700)
        lock = try SetLock.run(run)
        dataLock = try SetLock.data(
            settings.places.data,
            otherwise: Refusal(
                description: "another set has its data in \(settings.places.data), its logs in \(settings.logs); "
                    + "nothing was started. Set BILLFOLD_DATA to another directory"))
        // A broker of somebody else's set serves here: two sets in one directory would be one.
        if UnixSocket.isAccepting("\(run)/asks.sock") {
            throw Refusal(
                description:
                    "a broker that 'billfold up' has not started serves in \(run): stop it, or set BILLFOLD_RUN")
        }
        for address in settings.set.processes.compactMap(\.listensOn) {
            guard let obstacle = PortCheck.obstacle(to: address) else { continue }
            throw Refusal(description: "\(obstacle); nothing was started. Set BILLFOLD_HTTP to another address")
        }
        control = try ControlServer(at: "\(run)/\(SetControl.socketName)")
        // Orphans of services come to this process, which can tell then when they have ended.
        billfold_take_orphans()
        children = try ChildTable()
        log = try SetLog(names, settings)
        bus = SetBus(run: run, address: settings.bus)
        bell = try Wakeup()
    }

    /// Ends the set, the second time at once. From any thread.
    package func stop() { post(.stop) }

    func post(_ event: Event) {
        events.withLock { $0.append(event) }
        bell.ring()
    }

    // MARK: The loop

    var now: Duration { .nanoseconds(Int64(monotonicNanoseconds() - began)) }

    /// Runs the set until it has ended. Called once, on a thread that lives as long.
    ///
    /// - Returns: an exit status: 0 when it ended on request.
    package func run() -> Int32 {
        carryOut(keeper.handle(.tick, at: now))
        while !isFinished { turn() }
        control.answer(.end, .done(milliseconds: 0))
        control.close()
        say(keeper.isStopping ? "stopped" : "all processes have ended")
        log.close()
        dataLock.release()
        lock.release()
        return keeper.isStopping || keeper.members.allSatisfy { $0.status == 0 } ? 0 : 1
    }

    private func turn() {
        var items = [pollfd(fd: bell.readEnd, events: Int16(POLLIN), revents: 0)] + control.items + children.items
        let patience = nextDue.map { Int32(clamping: Int(max(0, ($0 - now) / .milliseconds(1)).rounded(.up))) } ?? -1
        guard poll(&items, nfds_t(items.count), patience) >= 0 || errno == EINTR else {
            return say("cannot wait: \(systemError())")
        }
        let ready = Set(items.filter { $0.revents != 0 }.map(\.fd))
        children.handle(ready, at: now) { log.take($1, of: $0) }
        settle()
        for (request, client) in control.handle(ready) { answer(request, to: client) }
        if ready.contains(bell.readEnd) { handleEvents() }
        handleTime()
    }

    private var nextDue: Duration? {
        var due = [keeper.nextDue(at: now), swap?.dueAt, roll?.dueAt].compactMap(\.self) + retries.map(\.at)
        if children.isSettling { due.append(now + .milliseconds(5)) }
        return due.min()
    }

    private func handleTime() {
        settle()
        if let due = swap?.dueAt, due <= now {
            swap?.dueAt = nil
            handleSwap(.late)
        }
        if let due = roll?.dueAt, due <= now { rollIsLate() }
        for retry in retries where retry.at <= now { startHealthCommand(retry.name, life: retry.life) }
        retries.removeAll { $0.at <= now }
        carryOut(keeper.handle(.tick, at: now))
        reportHealth()
    }

    private func handleEvents() {
        bell.silence()
        let waiting = events.withLock { events in
            defer { events.removeAll() }
            return events
        }
        for event in waiting {
            switch event {
            case .stop: stopAll()
            case .healthy(let name, let life): healthy(name, life: life)
            case .swap(let event, let number): if swap?.number == number { handleSwap(event) }
            case .mayStartBeside(let number): if let swap, swap.number == number { startBeside(swap) }
            case .rolled(let event, let name): handleRoll(event, of: name)
            case .heldBack(let number): if number == swap?.number { reportSwap(.step(Self.heldBack)) }
            case .judged(let verdict, let number): if number == rolls { handleRoll(.judged(verdict)) }
            }
        }
    }

    private static let heldBack =
        "THE QUEUE STAYS PAUSED, as an operator has paused it: broker.service.resume.v1 lets it flow"

    func stopAll() {
        stops += 1
        guard stops == 1 else { return children.signal(SIGKILL) }
        say("stopping")
        if let swap {
            finishSwap(
                .init(
                    failure: .init(step: .down, reason: "the set was stopped meanwhile: nothing of it serves"),
                    isRunning: children.member(swap.service) != nil))
        }
        finishRoll(nil)
        carryOut(keeper.handle(.stop, at: now))
    }

    func say(_ text: String) { log.say(text) }

    // MARK: What the keeper orders

    func carryOut(_ orders: [SetKeeper.Order]) {
        for order in orders {
            switch order {
            case .start(let name): start(name)
            case .terminate(let name): children.signal(SIGTERM, .member(name))
            case .kill(let name): children.signal(SIGKILL, .member(name))
            case .report(let name, let status, let again):
                let next = again.map { "again in \(Int($0 / .milliseconds(1))) ms" } ?? "not started again"
                say("\(name) ended with status \(status); \(next)")
            case .finished: isFinished = true
            }
        }
    }

    private func start(_ name: String) {
        do { try launch(name, substitutes[name]) } catch {
            say("\(name): \(error)")
            carryOut(keeper.handle(.ended(name, status: 127), at: now))
            return
        }
        carryOut(keeper.handle(.started(name), at: now))
        guard let process = settings.set[name], let child = children.member(name) else { return }
        let life = keeper[name]?.starts ?? 0
        // A swapped-in process is healthy when it answers on the bus, whatever check the file has for the service.
        switch process.health {
        case .runs: carryOut(keeper.handle(.healthy(name), at: now))
        case .command: startHealthCommand(name, life: life)
        case .bus, .gateway, .http:
            bus.awaitHealth(process.health, child.life) { [weak self] in self?.post(.healthy(name, life: life)) }
        }
    }

    /// Starts a process of the set; nil: the compose file's command.
    func launch(_ name: String, _ substitute: Substitute?) throws(ChildProcess.Failure) {
        guard let process = settings.set[name] else { return }
        try start(
            substitute?.command ?? process.command, process.environment, in: substitute?.directory, as: .member(name))
    }

    /// - Parameter directory: nil for the project's.
    func start(
        _ command: [String], _ environment: [String: String], in directory: String? = nil, as role: ChildTable.Role
    ) throws(ChildProcess.Failure) {
        try children.start(
            command, environment, in: directory ?? settings.places.project, lookingIn: settings.places.executables,
            as: role, at: now)
    }

    /// Acts on the ends of processes.
    private func settle() {
        while let (child, status) = children.takeEnded(at: now, logging: { log.take($1, of: $0) }) {
            switch child.role {
            case .member(let name):
                log.takeRest(of: name)
                carryOut(keeper.handle(.ended(name, status: status), at: now))
                if swap?.service == name { handleSwap(.ended(status: status, said: causes(of: name))) }
                handleRoll(.ended(status: status), of: name)
            case .healthCommand(let name, let life):
                if status == 0 {
                    healthy(name, life: life)
                } else {
                    retries.append((name, life, now + Self.healthPause))
                }
            case .beside(let name, let number):
                log.takeRest(of: name)
                if swap?.number == number { handleSwap(.endedBeside(status: status, said: causes(of: name))) }
            case .check(let number):
                if swap?.number == number { checkEnded(status: status, output: child.output) }
            }
        }
    }

    /// The reasons that the end of a log gives for the end of its process.
    private func causes(of name: String) -> String { LogLine.causes(in: log.tail(of: name)).joined(separator: "; ") }

    // MARK: Health

    private func startHealthCommand(_ name: String, life: Int) {
        guard let process = settings.set[name], case .command(let test) = process.health, keeper[name]?.starts == life,
            keeper[name]?.phase == .starting
        else { return }
        do { try start(test, process.environment, as: .healthCommand(name, life: life)) } catch {
            say("\(name): its health cannot be looked at: \(error)")
            retries.append((name, life, now + Self.healthPause * 5))
        }
    }

    private func healthy(_ name: String, life: Int) {
        guard keeper[name]?.starts == life else { return }
        carryOut(keeper.handle(.healthy(name), at: now))
    }

    private func reportHealth() {
        guard !keeper.isStopping, swap == nil, roll == nil else { return }
        guard keeper.isHealthy else {
            let failed = keeper.members.filter(\.doesNotStart).map(\.process.name)
            if !failed.isEmpty {
                control.answer(
                    .health, .failed(step: "start", reason: "\(failed.joined(separator: ", ")) cannot be started"))
            }
            return
        }
        let milliseconds = Int(now / .milliseconds(1))
        if !hasReportedHealth {
            hasReportedHealth = true
            say("all \(keeper.members.count) processes are healthy after \(milliseconds) ms")
            for line in SetLinks.lines(run: settings.places.run) { say(line) }
        }
        control.answer(.health, .done(milliseconds: milliseconds))
    }
}
