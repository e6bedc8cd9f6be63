import Glibc
import Primitives

/// Does what ``Roll`` orders: the gateways of a set are replaced one after the other.
extension Supervisor {
    struct RunningRoll {
        let service: String
        /// Nil: the compose file's own command.
        let substitute: Substitute?
        /// What ran in each place before.
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

    func beginRoll(_ service: String, _ substitute: Substitute?, for client: ControlServer.ClientID) {
        if let reason = obstacle(toRolling: service) {
            return control.send(.failed(step: "begin", reason: reason), to: client)
        }
        // The last first: the first one's address is the one that commands know.
        let names = instances(of: service).map(\.name).reversed()
        var running = RunningRoll(
            service: service, substitute: substitute, before: substitutes.filter { names.contains($0.key) },
            machine: Roll(Array(names)), client: client, startedAt: now)
        let orders = running.machine.begin()
        roll = running
        carryOut(orders)
    }

    /// About a process; passed over unless it is its turn.
    func handleRoll(_ event: Roll.Event, of name: String) {
        guard roll?.machine.turn == name, let orders = roll?.machine.handle(event) else { return }
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
            case .terminate(let name): children.signal(SIGTERM, .member(name))
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
        bus.awaitHealth(process.health, child.life) { [weak self] in self?.post(.rolled(name)) }
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
