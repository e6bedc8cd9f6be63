import Bus
import BusZMQ
import CLinux
import Foundation
import Glibc
import Primitives
import ServiceKit
import Synchronization
import Wire

/// Runs a set: does what ``SetKeeper`` and ``Swap`` say, keeps the logs, and answers on the control socket.
///
/// One thread sleeps in `poll` on everything that can happen: ends and output of processes, connections, and word from
/// other threads. Processes are started by this thread, whose end they would not outlive.
///
/// `@unchecked`: what other threads use is `news`, `bell` and constants; everything else is used by the one thread that calls
/// ``run()``.
package final class Supervisor: @unchecked Sendable {
    package struct Settings: Sendable {
        package var set: LocalSet
        package var places: LocalSet.Places
        /// Directory of the services' logs.
        package var logs: String
        /// Lines are printed, with colours or without, as JSON or as words.
        package var isPrinting: Bool
        package var isColoured: Bool
        package var isRaw: Bool

        package init(
            set: LocalSet, places: LocalSet.Places, logs: String, isPrinting: Bool, isColoured: Bool, isRaw: Bool
        ) {
            (self.set, self.places, self.logs) = (set, places, logs)
            (self.isPrinting, self.isColoured, self.isRaw) = (isPrinting, isColoured, isRaw)
        }
    }

    /// The set cannot be run.
    package struct Refusal: Error, CustomStringConvertible {
        package let description: String

        package static func running(in run: String) -> Refusal {
            Refusal(description: "a set runs in \(run) already; 'billfold ps' shows it, 'billfold down' ends it")
        }
    }

    /// Word from other threads.
    private enum News: Sendable {
        case stop
        case healthy(String, life: Int)
        case swap(Swap.Event, number: Int)
    }

    private struct Child {
        enum Role: Equatable {
            case member(String)
            case healthCommand(String, life: Int)
            case check(swap: Int)
        }
        let role: Role
        let process: ChildProcess
        let startedAt: Duration
        /// Of a member: told to those who wait for it when it ends.
        var life = SetBus.Life()
        /// Of one that is no member: what it has said.
        var said: [UInt8] = []
        /// Its exit status, while others of its group still run, and until when they may.
        var status: Int32?
        var othersMax = Duration.zero
        var isOutputOpen = true
    }

    private struct Client {
        let descriptor: Int32
        var received: [UInt8] = []
        var awaitsHealth = false
        var awaitsEnd = false
    }

    private struct RunningSwap {
        let number: Int
        let service: String
        /// Nil: the compose file's own.
        let command: [String]?
        let directory: String
        let isChecked: Bool
        var machine: Swap
        /// Who asked for it; -1 when that connection is gone, as its number may then be another's.
        var client: Int32
        /// When the pause began and its step ends.
        var pausedAt: Duration?
        var dueAt: Duration?
    }

    /// What runs in a service's place.
    private struct Substitute {
        let command: [String]
        let directory: String
    }

    private let settings: Settings
    private var keeper: SetKeeper
    private let began = monotonicNanoseconds()
    /// Held until the set has ended.
    private let lock, logsLock: Int32
    private let listener: UnixSocket
    private let guardian: Guard
    private let printer: Printer?
    private let layout: LogLayout
    private let bus: SetBus
    private let news = Mutex<[News]>([])
    private let bell: Wakeup
    private var files: [String: LogFile] = [:]
    private var children: [Child] = []
    private var clients: [Client] = []
    private var substitutes: [String: Substitute] = [:]
    private var swap: RunningSwap?
    private var swaps = 0
    private var stops = 0
    private var retries: [(name: String, life: Int, at: Duration)] = []
    private var hasToldHealth = false
    private var isFinished = false

    /// How long what a process has started may outlive it.
    private static let othersMax = Duration.milliseconds(500)
    /// Between two runs of a health check that is a command.
    private static let healthPause = Duration.milliseconds(200)
    /// Of the output of a check.
    private static let saidMax = 64 * 1024
    /// Connections to the control socket.
    private static let clientsMax = 32

    /// Takes the run directory; nothing is started yet.
    ///
    /// - Throws: ``Refusal`` when a set runs there already, or files cannot be made.
    package init(_ settings: Settings) throws {
        self.settings = settings
        keeper = SetKeeper(settings.set)
        let names = settings.set.processes.map(\.name)
        layout = LogLayout(names + ["billfold"], isColoured: settings.isColoured)
        let run = settings.places.run
        try RunDirectoryCheck.verify(run)
        try Directories.make(run, mode: 0o770)
        try Directories.make(settings.logs, mode: 0o700)
        lock = try Self.lock("\(run)/\(SetControl.lockName)", otherwise: .running(in: run))
        logsLock = try Self.lock(
            "\(settings.logs)/\(SetControl.lockName)",
            otherwise: Refusal(
                description: "another set has its data in \(settings.places.data), its logs in \(settings.logs): "
                    + "set BILLFOLD_DATA"))
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
        listener = try UnixSocket.listening(at: "\(run)/\(SetControl.socketName)")
        // Orphans of services come to this process, which can tell then when they have ended.
        billfold_take_orphans()
        guardian = try Guard()
        printer = settings.isPrinting ? try Printer() : nil
        bus = SetBus(run: run)
        bell = try Wakeup()
        for name in names { files[name] = try LogFile("\(settings.logs)/\(name).log") }
    }

    private static func lock(_ path: String, otherwise refusal: Refusal) throws(Refusal) -> Int32 {
        let file = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Refusal(description: "cannot open \(path): \(systemError())") }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            close(file)
            throw refusal
        }
        return file
    }

    /// Ends the set, the second time at once. From any thread.
    package func stop() { post(.stop) }

    private func post(_ word: News) {
        news.withLock { $0.append(word) }
        bell.ring()
    }

    // MARK: The loop

    private var now: Duration { .nanoseconds(Int64(monotonicNanoseconds() - began)) }

    /// Runs the set until it has ended. Called once, on a thread that lives as long.
    ///
    /// - Returns: an exit status: 0 when it was told to end.
    package func run() -> Int32 {
        carryOut(keeper.handle(.tick, at: now))
        while !isFinished { turn() }
        for client in clients where client.awaitsEnd {
            send(SetControl.Report.done(milliseconds: 0).json, to: client.descriptor)
        }
        unlink("\(settings.places.run)/\(SetControl.socketName)")
        for client in clients { close(client.descriptor) }
        close(listener.descriptor)
        say(keeper.isStopping ? "stopped" : "all processes have ended")
        printer?.close()
        close(logsLock)
        close(lock)
        return keeper.isStopping || keeper.members.allSatisfy { $0.status == 0 } ? 0 : 1
    }

    private func turn() {
        var items = [pollfd(fd: bell.readEnd, events: Int16(POLLIN), revents: 0)]
        items.append(pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0))
        items += clients.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        for child in children {
            // -1 is passed over.
            items.append(pollfd(fd: child.status == nil ? child.process.end : -1, events: Int16(POLLIN), revents: 0))
            items.append(pollfd(fd: child.isOutputOpen ? child.process.output : -1, events: Int16(POLLIN), revents: 0))
        }
        let patience = nextDue.map { Int32(clamping: Int(max(0, ($0 - now) / .milliseconds(1)).rounded(.up))) } ?? -1
        guard poll(&items, nfds_t(items.count), patience) >= 0 || errno == EINTR else {
            return say("cannot wait: \(systemError())")
        }
        let ready = Set(items.filter { $0.revents != 0 }.map(\.fd))
        for child in children where child.isOutputOpen && ready.contains(child.process.output) {
            read(child.process.id)
        }
        for child in children where child.status == nil && ready.contains(child.process.end) { reap(child.process.id) }
        for client in clients where ready.contains(client.descriptor) { hear(client.descriptor) }
        if ready.contains(listener.descriptor) { accept() }
        if ready.contains(bell.readEnd) { hearNews() }
        lookAtClock()
    }

    private var nextDue: Duration? {
        var due = [keeper.nextDue(at: now), swap?.dueAt].compactMap(\.self) + retries.map(\.at)
        if children.contains(where: { $0.status != nil }) { due.append(now + .milliseconds(5)) }
        return due.min()
    }

    private func lookAtClock() {
        for child in children where child.status != nil { settle(child.process.id) }
        if let due = swap?.dueAt, due <= now {
            swap?.dueAt = nil
            tellSwap(.late)
        }
        for retry in retries where retry.at <= now { startHealthCommand(retry.name, life: retry.life) }
        retries.removeAll { $0.at <= now }
        carryOut(keeper.handle(.tick, at: now))
        tellHealth()
    }

    private func hearNews() {
        bell.silence()
        let words = news.withLock { news in
            defer { news.removeAll() }
            return news
        }
        for word in words {
            switch word {
            case .stop: stopAll()
            case .healthy(let name, let life): healthy(name, life: life)
            case .swap(let event, let number): if swap?.number == number { tellSwap(event) }
            }
        }
    }

    private func stopAll() {
        stops += 1
        guard stops == 1 else {
            for child in children { child.process.signal(SIGKILL) }
            return
        }
        say("stopping")
        if let swap {
            finishSwap(
                .init(
                    failure: .init(step: .pause, reason: "the set was stopped"), isRunning: member(swap.service) != nil)
            )
        }
        carryOut(keeper.handle(.stop, at: now))
    }

    // MARK: What the keeper says

    private func carryOut(_ orders: [SetKeeper.Order]) {
        for order in orders {
            switch order {
            case .start(let name): start(name)
            case .terminate(let name): member(name)?.process.signal(SIGTERM)
            case .kill(let name): member(name)?.process.signal(SIGKILL)
            case .tell(let name, let status, let again):
                let next = again.map { "again in \(Int($0 / .milliseconds(1))) ms" } ?? "not started again"
                say("\(name) ended with status \(status); \(next)")
            case .finished: isFinished = true
            }
        }
    }

    private func start(_ name: String) {
        let substitute = substitutes[name]
        do { try launch(name, substitute?.command, in: substitute?.directory) } catch {
            say("\(name): \(error)")
            carryOut(keeper.handle(.ended(name, status: 127), at: now))
            return
        }
        carryOut(keeper.handle(.started(name), at: now))
        guard let process = settings.set[name], let child = member(name) else { return }
        let life = keeper[name]?.starts ?? 0
        // What has taken a service's place is healthy when it answers on the bus, whatever the file's own check is.
        switch process.health {
        case .runs: carryOut(keeper.handle(.healthy(name), at: now))
        case .command: startHealthCommand(name, life: life)
        case .bus, .gateway, .http:
            bus.awaitHealth(process.health, child.life) { [weak self] in self?.post(.healthy(name, life: life)) }
        }
    }

    /// Starts a process of the set; nil: the compose file's command.
    private func launch(_ name: String, _ command: [String]?, in directory: String?) throws(ChildProcess.Failure) {
        guard let process = settings.set[name] else { return }
        try start(
            command ?? process.command, process.environment, in: directory ?? settings.places.project, as: .member(name)
        )
    }

    private func start(
        _ command: [String], _ environment: [String: String], in directory: String, as role: Child.Role
    ) throws(ChildProcess.Failure) {
        let path = environment["PATH", default: "/usr/bin:/bin"].split(separator: ":").map(String.init)
        let process = try ChildProcess(
            command, environment: environment, directory: directory, lookingIn: [settings.places.executables] + path)
        guardian.began(process.id)
        children.append(Child(role: role, process: process, startedAt: now))
    }

    private func startHealthCommand(_ name: String, life: Int) {
        guard let process = settings.set[name], case .command(let test) = process.health, keeper[name]?.starts == life,
            keeper[name]?.phase == .starting
        else { return }
        do {
            try start(test, process.environment, in: settings.places.project, as: .healthCommand(name, life: life))
        } catch {
            say("\(name): its health cannot be looked at: \(error)")
            retries.append((name, life, now + Self.healthPause * 5))
        }
    }

    private func healthy(_ name: String, life: Int) {
        guard keeper[name]?.starts == life else { return }
        carryOut(keeper.handle(.healthy(name), at: now))
    }

    private func tellHealth() {
        guard !keeper.isStopping, swap == nil else { return }
        guard keeper.isHealthy else {
            let failed = keeper.members.filter(\.doesNotStart).map(\.process.name)
            if !failed.isEmpty {
                answerAwaiting(.failed(step: "start", reason: "\(failed.joined(separator: ", ")) cannot be started"))
            }
            return
        }
        let milliseconds = Int(now / .milliseconds(1))
        if !hasToldHealth {
            hasToldHealth = true
            say("all \(keeper.members.count) processes are healthy after \(milliseconds) ms")
            for line in SetLinks.lines(run: settings.places.run) { say(line) }
        }
        answerAwaiting(.done(milliseconds: milliseconds))
    }

    /// To all who wait for the set to be healthy.
    private func answerAwaiting(_ report: SetControl.Report) {
        for client in clients where client.awaitsHealth {
            // First, as a client that cannot be reached is dropped.
            if let index = clients.firstIndex(where: { $0.descriptor == client.descriptor }) {
                clients[index].awaitsHealth = false
            }
            send(report.json, to: client.descriptor)
        }
    }

    // MARK: Processes

    private func member(_ name: String) -> Child? { children.first { $0.role == .member(name) } }

    private func index(_ id: pid_t) -> Int? { children.firstIndex { $0.process.id == id } }

    private func read(_ id: pid_t) {
        guard let index = index(id) else { return }
        var buffer = [UInt8](repeating: 0, count: 32 * 1024)
        let count = Glibc.read(children[index].process.output, &buffer, buffer.count)
        guard count > 0 else {
            if count == 0 { children[index].isOutputOpen = false }
            return
        }
        if case .member(let name) = children[index].role {
            show(files[name]?.take(buffer[..<count]) ?? [], of: name)
        } else if children[index].said.count < Self.saidMax {
            children[index].said += buffer[..<count]
        }
    }

    private func reap(_ id: pid_t) {
        guard let index = index(id) else { return }
        children[index].status = children[index].process.reap()
        children[index].life.end()
        children[index].othersMax = now + Self.othersMax
        // Those that it has started end with it.
        if children[index].process.hasLeftOthers { children[index].process.signal(SIGTERM) }
        settle(id)
    }

    /// Takes a process that has ended off, once all that it has started have ended too.
    private func settle(_ id: pid_t) {
        guard let index = index(id), let status = children[index].status else { return }
        if children[index].process.hasLeftOthers {
            if children[index].othersMax <= now { children[index].process.signal(SIGKILL) }
            guard children[index].othersMax + Self.othersMax <= now else { return }
        }
        while children[index].isOutputOpen, hasOutput(children[index].process.output) { read(id) }
        let child = children.remove(at: index)
        close(child.process.output)
        guardian.ended(id)
        switch child.role {
        case .member(let name):
            show(files[name]?.takeRest() ?? [], of: name)
            carryOut(keeper.handle(.ended(name, status: status), at: now))
            if swap?.service == name { tellSwap(.ended(status: status)) }
        case .healthCommand(let name, let life):
            if status == 0 {
                healthy(name, life: life)
            } else {
                retries.append((name, life, now + Self.healthPause))
            }
        case .check(let number):
            guard swap?.number == number else { return }
            let said = String(decoding: child.said, as: UTF8.self).split(separator: "\n").suffix(5).joined(
                separator: "; ")
            tellSwap(.checked(passed: status == 0, said: said.isEmpty ? "the check ended with status \(status)" : said))
        }
    }

    private func hasOutput(_ descriptor: Int32) -> Bool {
        var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&item, 1, 0) == 1 && item.revents & Int16(POLLIN) != 0
    }

    private func show(_ lines: [String], of name: String) {
        guard let printer else { return }
        for line in lines { printer.show(settings.isRaw ? line : layout.line(name, LogLine(line))) }
    }

    private func say(_ text: String) {
        printer?.show(settings.isRaw ? text : layout.line("billfold", LogLine(text)))
    }

    // MARK: Swapping

    private func begin(
        _ service: String, _ command: [String]?, _ directory: String, _ isChecked: Bool, for client: Int32
    ) {
        if let reason = obstacle(toSwapping: service) {
            return send(SetControl.Report.failed(step: "begin", reason: reason).json, to: client)
        }
        swaps += 1
        var running = RunningSwap(
            number: swaps, service: service, command: command, directory: directory, isChecked: isChecked,
            machine: Swap(service), client: client)
        let orders = running.machine.begin()
        swap = running
        keeper.lend(service)
        carryOut(orders)
    }

    /// Why a service cannot be swapped now; nil when it can.
    private func obstacle(toSwapping service: String) -> String? {
        guard let process = settings.set[service] else { return "there is no service '\(service)' in this set" }
        guard case .bus(let name) = process.health, name == service, service != "broker" else {
            return service == "broker"
                ? "the broker cannot be swapped: every socket of the bus ends there, and nothing could wait meanwhile"
                : "\(service) cannot be swapped: it takes no asks from the bus's queue, where they could wait meanwhile"
        }
        if let swap { return "\(swap.service) is being swapped" }
        if keeper.isStopping { return "the set is stopping" }
        guard keeper[service]?.phase == .healthy, member(service) != nil else {
            return "\(service) is not healthy: \(keeper[service]?.phase.rawValue ?? "")"
        }
        return nil
    }

    private func tellSwap(_ event: Swap.Event) {
        guard let orders = swap?.machine.handle(event) else { return }
        carryOut(orders)
    }

    private func carryOut(_ orders: [Swap.Order]) {
        for order in orders {
            guard let running = swap else { return }
            let (service, number) = (running.service, running.number)
            switch order {
            case .tell(let text): reportSwap(.step(text))
            case .time(let time): swap?.dueAt = now + time
            case .pause:
                swap?.pausedAt = now
                Task { [bus, weak self] in
                    let refusal = await bus.pause(service)
                    self?.post(.swap(refusal.map { .notPaused($0) } ?? .paused, number: number))
                }
            case .resume:
                Task { [bus, weak self] in
                    let refusal = await bus.resume(service)
                    self?.post(.swap(refusal.map { .notResumed($0) } ?? .resumed, number: number))
                }
            case .terminate: member(service)?.process.signal(SIGTERM)
            case .kill: member(service)?.process.signal(SIGKILL)
            case .startNew:
                startSwapped(service, running.command.map { Substitute(command: $0, directory: running.directory) })
            case .startOld: startSwapped(service, substitutes[service])
            case .check: check(running)
            case .finished(let outcome): finishSwap(outcome)
            }
        }
    }

    private func startSwapped(_ service: String, _ substitute: Substitute?) {
        guard let number = swap?.number else { return }
        do { try launch(service, substitute?.command, in: substitute?.directory) } catch {
            return tellSwap(.couldNotStart("\(error)"))
        }
        guard let child = member(service) else { return }
        bus.awaitWorker(service, child.life) { [weak self] in self?.post(.swap(.ready, number: number)) }
    }

    /// The conformance kit's cases that change nothing, put to the new one while nobody else's asks reach it.
    private func check(_ running: RunningSwap) {
        guard running.isChecked else { return tellSwap(.checked(passed: true, said: "")) }
        var environment = settings.set[running.service]?.environment ?? [:]
        environment["NO_COLOR"] = "1"
        do {
            try start(
                ["/proc/self/exe", "check", running.service, "--live", "--try", "--run", settings.places.run],
                environment,
                in: settings.places.project, as: .check(swap: running.number))
        } catch { tellSwap(.checked(passed: false, said: "\(error)")) }
    }

    private func finishSwap(_ outcome: Swap.Outcome) {
        guard let running = swap else { return }
        let service = running.service
        let milliseconds = running.pausedAt.map { Int((now - $0) / .milliseconds(1)) } ?? 0
        for child in children where child.role == .check(swap: running.number) { child.process.signal(SIGKILL) }
        if outcome.failure == nil {
            substitutes[service] = running.command.map { Substitute(command: $0, directory: running.directory) }
        }
        if let failure = outcome.failure {
            reportSwap(.failed(step: failure.step.rawValue, reason: failure.reason))
        } else {
            reportSwap(.done(milliseconds: milliseconds))
        }
        swap = nil
        carryOut(keeper.takeBack(service, isRunning: member(service) != nil, at: now))
    }

    private func reportSwap(_ report: SetControl.Report) {
        guard let swap else { return }
        switch report {
        case .step(let text): say("swap of \(swap.service): \(text)")
        case .done(let milliseconds): say("swap of \(swap.service): done; asks waited for \(milliseconds) ms")
        case .failed(let step, let reason): say("swap of \(swap.service): FAILED at \(step): \(reason)")
        }
        // Whoever asked for it may have gone: the swap goes on without.
        send(report.json, to: swap.client)
    }

    // MARK: Control

    private func accept() {
        let descriptor = Glibc.accept(listener.descriptor, nil, nil)
        guard descriptor >= 0 else { return }
        guard clients.count < Self.clientsMax else {
            close(descriptor)
            return
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        clients.append(Client(descriptor: descriptor))
    }

    private func hear(_ descriptor: Int32) {
        guard let index = clients.firstIndex(where: { $0.descriptor == descriptor }) else { return }
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else {
            if count < 0, errno == EAGAIN { return }
            return drop(descriptor)
        }
        clients[index].received += buffer[..<count]
        while let index = clients.firstIndex(where: { $0.descriptor == descriptor }) {
            guard let end = clients[index].received.firstIndex(of: 10) else {
                if clients[index].received.count > SetControl.lineBytesMax { drop(descriptor) }
                return
            }
            let line = clients[index].received[..<end]
            let json = try? JSONValue(parsing: line)  // refused below, like all that is no request
            clients[index].received.removeFirst(end + 1)
            guard let request = json.flatMap({ SetControl.Request($0) }) else {
                send(SetControl.Report.failed(step: "begin", reason: "this is no request").json, to: descriptor)
                return drop(descriptor)
            }
            answer(request, for: index)
        }
    }

    private func answer(_ request: SetControl.Request, for index: Int) {
        let descriptor = clients[index].descriptor
        switch request {
        case .list: send(listing.json, to: descriptor)
        case .stop:
            clients[index].awaitsEnd = true
            if stops == 0 { stopAll() }
        case .awaitHealth: clients[index].awaitsHealth = true
        case .maySwap(let service):
            let report: SetControl.Report =
                obstacle(toSwapping: service).map { .failed(step: "begin", reason: $0) } ?? .done(milliseconds: 0)
            send(report.json, to: descriptor)
        case .swap(let service, let command, let directory, let isChecked):
            begin(service, command, directory, isChecked, for: descriptor)
        }
    }

    private var listing: SetControl.Listing {
        SetControl.Listing(
            supervisor: Int(getpid()), project: settings.places.project, logs: settings.logs,
            processes: keeper.members.map { member in
                let name = member.process.name
                let child = self.member(name)
                return .init(
                    name: name, state: swap?.service == name ? "swapping" : member.phase.rawValue,
                    id: child.map { Int($0.process.id) }, seconds: Int((now - (child?.startedAt ?? now)) / .seconds(1)),
                    restarts: max(0, member.starts - 1), status: child == nil ? member.status.map(Int.init) : nil,
                    isSwapped: substitutes[name] != nil, command: substitutes[name]?.command ?? member.process.command,
                    tail: member.phase == .healthy ? [] : files[name]?.tail ?? [])
            })
    }

    private func send(_ json: JSONValue, to descriptor: Int32) {
        guard clients.contains(where: { $0.descriptor == descriptor }) else { return }
        let bytes = Array((json.text + "\n").utf8)
        // Who does not read what was asked for does not get it.
        if Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) != bytes.count { drop(descriptor) }
    }

    private func drop(_ descriptor: Int32) {
        clients.removeAll { $0.descriptor == descriptor }
        if swap?.client == descriptor { swap?.client = -1 }
        close(descriptor)
    }
}
