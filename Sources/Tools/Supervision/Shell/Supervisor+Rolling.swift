import Glibc
import Primitives
import Synchronization

/// Does what ``Roll`` orders: the gateways of a set are replaced one after the other.
extension Supervisor {
    struct RunningRoll {
        let service: String
        /// Nil: the compose file's own command.
        let substitute: Substitute?
        /// The programs that ran in each place before; none: the compose file's own.
        let before: [String: Substitute]
        var machine: Roll
        let client: ControlServer.ClientID
        let startedAt: Duration
        var dueAt: Duration?
    }

    /// The processes that do the service's work side by side.
    func instances(of service: String) -> [LocalProcess] {
        settings.set.processes.filter { $0.name == service || $0.instanceOf == service }
    }

    /// Why the gateways cannot be replaced; nil when they can.
    func obstacle(toRolling service: String) -> String? {
        if let swap { return "\(swap.service) is being swapped" }
        if let roll { return "\(roll.service) is being swapped" }
        if keeper.isStopping { return "the set is stopping" }
        let instances = instances(of: service)
        guard instances.count > 1 else {
            return "\(service) cannot be swapped: it is the only one, and what it serves does not wait in a queue; "
                + "start the set with BILLFOLD_GATEWAYS=2 or more"
        }
        for one in instances where keeper[one.name]?.phase != .healthy || children.member(one.name) == nil {
            return "\(one.name) is not healthy: \(keeper[one.name]?.phase.rawValue ?? "")"
        }
        return nil
    }

    /// - Parameters:
    ///   - share: percent of the gateways that run the new program first; nil: all, one after the other.
    ///   - time: how long they are compared with the others.
    func beginRoll(
        _ service: String, _ substitute: Substitute?, share: Int? = nil, for time: Duration = .zero,
        client: ControlServer.ClientID
    ) {
        if let reason = obstacle(toRolling: service) {
            return control.send(.failed(step: "begin", reason: reason), to: client)
        }
        // The last first: the first one's address is the one that commands know.
        let names = instances(of: service).map(\.name).reversed()
        var running = RunningRoll(
            service: service, substitute: substitute, before: substitutes.filter { names.contains($0.key) },
            machine: Roll(
                Array(names), trial: share.map { Roll.Trial(count: Self.count($0, of: names.count), time: time) }),
            client: client, startedAt: now)
        let orders = running.machine.begin()
        rolls += 1
        currentRoll.store(rolls, ordering: .releasing)
        roll = running
        carryOut(orders)
    }

    /// At least one, and never all.
    private static func count(_ share: Int, of all: Int) -> Int { min(max(1, all * share / 100), all - 1) }

    /// About a process; passed over unless it is its turn, or it is watched.
    func handleRoll(_ event: Roll.Event, of name: String) {
        guard let machine = roll?.machine, machine.turn == name || machine.watched.contains(name) else { return }
        handleRoll(event)
    }

    func handleRoll(_ event: Roll.Event) {
        guard let orders = roll?.machine.handle(event) else { return }
        carryOut(orders)
    }

    func rollIsLate() {
        roll?.dueAt = nil
        guard let orders = roll?.machine.handle(.late) else { return }
        carryOut(orders)
    }

    private func carryOut(_ orders: [Roll.Order]) {
        for order in orders {
            guard let running = roll else { return }
            switch order {
            case .report(let text): reportRoll(.step(text))
            case .time(let time): roll?.dueAt = now + time
            case .take(let name): keeper.lend(name)
            case .terminate(let name):
                // One that was watched may have ended since.
                if children.member(name) == nil { post(.rolled(.ended(status: 0), of: name)) }
                children.signal(SIGTERM, .member(name))
            case .watch(let new, let old, let time): watch(new, old, time)
            case .kill(let name): children.signal(SIGKILL, .member(name))
            case .startNew(let name): startRolled(name, running.substitute)
            case .startOld(let name): startRolled(name, running.before[name])
            case .giveBack(let name):
                roll?.dueAt = nil
                carryOut(keeper.takeBack(name, isRunning: children.member(name) != nil, at: now))
            case .finished(let outcome): finishRoll(outcome)
            }
        }
    }

    private func startRolled(_ name: String, _ substitute: Substitute?) {
        substitutes[name] = substitute
        do { try launch(name, substitute) } catch { return handleRoll(.couldNotStart("\(error)"), of: name) }
        guard let child = children.member(name), let process = settings.set[name] else { return }
        bus.awaitHealth(process.health, child.life) { [weak self] in self?.post(.rolled(.healthy, of: name)) }
    }

    private func watch(_ new: [String], _ old: [String], _ time: Duration) {
        func addresses(_ names: [String]) -> [String] { names.compactMap { settings.set[$0]?.listensOn } }
        let number = rolls
        CanaryWatch.start(new: addresses(new), old: addresses(old), for: time) { [weak self] in
            self?.currentRoll.load(ordering: .acquiring) == number
        } judged: { [weak self] verdict in
            self?.post(.judged(verdict, number: number))
        }
    }

    /// - Parameter outcome: nil when the set is stopped.
    func finishRoll(_ outcome: Roll.Outcome?) {
        guard let running = roll else { return }
        if let failure = outcome?.failure {
            let kept = outcome?.kept ?? []
            let rest = kept.isEmpty ? "" : "; \(kept.joined(separator: ", ")) did not answer again, and is restarted"
            reportRoll(.failed(step: failure.step.rawValue, reason: failure.reason + rest))
        } else if outcome == nil {
            reportRoll(.failed(step: Swap.Step.start.rawValue, reason: "the set was stopped"))
        } else {
            reportRoll(.done(milliseconds: Int((now - running.startedAt) / .milliseconds(1))))
        }
        currentRoll.store(0, ordering: .releasing)
        roll = nil
    }

    private func reportRoll(_ report: SetControl.Report) {
        guard let roll else { return }
        switch report {
        case .step(let text): say("swap of \(roll.service): \(text)")
        case .done: say("swap of \(roll.service): done")
        case .failed(let step, let reason): say("swap of \(roll.service): FAILED at \(step): \(reason)")
        }
        control.send(report, to: roll.client)
    }
}
