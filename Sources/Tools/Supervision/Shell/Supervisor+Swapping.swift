import Bus
import BusZMQ
import Contracts
import Glibc
import Primitives
import ServiceKit
import Synchronization

/// Does what ``Swap`` orders: another process takes a service's place while its asks wait.
extension Supervisor {
    struct RunningSwap {
        let number: Int
        let service: String
        /// Nil: the compose file's own.
        let substitute: Substitute?
        let isChecked: Bool
        let continuity: LogContinuity
        let takesOver: Bool
        /// Which program had taken the service's state over when it began; nil: the description's has it.
        let successor: Substitute?
        /// The old process's last fact.
        let oldEnd = SetOnce<FactPosition>()
        var machine: Swap
        /// Who asked for it. It goes on without them.
        let client: ControlServer.ClientID
        /// When the pause began, how long asks waited, and when its step ends.
        var pausedAt: Duration?
        var pause = Duration.zero
        var dueAt: Duration?
        /// Why the program before, which this one relieves, does not keep the place.
        var cause: Swap.Failure?
    }

    func beginSwap(
        _ service: String, _ command: [String]?, _ directory: String, _ isChecked: Bool,
        _ continuity: LogContinuity, _ takesOver: Bool, for client: ControlServer.ClientID
    ) {
        if isRolled(service), !takesOver {
            return beginRoll(service, command.map { Substitute(command: $0, directory: directory) }, client: client)
        }
        if let reason = obstacle(toSwapping: service) {
            return control.send(.failed(step: "begin", reason: reason), to: client)
        }
        if takesOver, let known = Catalogue.service(service), !(known is any StateOwner.Type) {
            let reason =
                "the state of \(service) is not handed over: without --take-over a new version opens the same file; "
                + "nothing was changed"
            return control.send(.failed(step: "begin", reason: reason), to: client)
        }
        keeper.lend(service)
        begin(
            RunningSwap(
                number: swaps + 1, service: service,
                substitute: command.map { Substitute(command: $0, directory: directory) },
                isChecked: isChecked, continuity: continuity, takesOver: takesOver,
                successor: successors.programs[service], machine: Swap(service, takesOver: takesOver), client: client))
    }

    /// Gives a share of the work to another program, and all of it if that is as good.
    func beginShare(
        _ service: String, _ command: [String], _ directory: String, _ share: Int, for time: Duration,
        client: ControlServer.ClientID
    ) {
        guard settings.set[service] != nil, isRolled(service) else {
            let reason =
                settings.set[service] == nil
                ? "there is no service '\(service)' in this set"
                : "\(service) cannot be shared: its state has one writer, and of two programs each would lack what the other "
                    + "did. Compare answers with 'billfold shadow', and take the state along with 'swap --take-over'"
            return control.send(.failed(step: "begin", reason: reason), to: client)
        }
        beginRoll(
            service, Substitute(command: command, directory: directory), share: share, for: time, client: client)
    }

    private func begin(_ next: RunningSwap) {
        var running = next
        swaps = running.number
        let orders = running.machine.begin()
        swap = running
        currentSwap.store(swaps, ordering: .releasing)
        carryOut(orders)
    }

    /// Whether it takes no asks from a queue, and is replaced while others do its work: the gateway.
    private func isRolled(_ service: String) -> Bool { settings.set[service]?.listensOn != nil }

    /// Why a service cannot be swapped now; nil when it can.
    func obstacle(toSwapping service: String) -> String? {
        guard let process = settings.set[service] else { return "there is no service '\(service)' in this set" }
        if let whole = process.instanceOf { return "\(service) is swapped with the others: swap \(whole)" }
        if isRolled(service) { return obstacle(toRolling: service) }
        if case .nats = settings.bus { return BusAddress.noPauseOnNATS }
        guard case .bus(let name) = process.health, name == service, service != "broker" else {
            return service == "broker"
                ? "the broker cannot be swapped: every socket of the bus ends there, and nothing could wait meanwhile"
                : "\(service) cannot be swapped: it takes no asks from the bus's queue, where they could wait meanwhile"
        }
        if let swap { return "\(swap.service) is being swapped" }
        if let roll { return "\(roll.service) is being swapped" }
        if keeper.isStopping { return "the set is stopping" }
        guard keeper[service]?.phase == .healthy, children.member(service) != nil else {
            return "\(service) is not healthy: \(keeper[service]?.phase.rawValue ?? "")"
        }
        return nil
    }

    /// Whether a swap goes on; from any thread.
    private func isSwapping(_ number: Int) -> Bool { currentSwap.load(ordering: .acquiring) == number }

    func handleSwap(_ event: Swap.Event) {
        switch event {
        case .resumed, .notResumed, .late: if let pausedAt = swap?.pausedAt { swap?.pause = now - pausedAt }
        default: break
        }
        guard let orders = swap?.machine.handle(event) else { return }
        carryOut(orders)
    }

    private func carryOut(_ orders: [Swap.Order]) {
        for order in orders {
            guard let running = swap else { return }
            let (service, number) = (running.service, running.number)
            switch order {
            case .report(let text): reportSwap(.step(text))
            case .time(let time): swap?.dueAt = now + time
            case .pause:
                swap?.pausedAt = now
                Task { [bus, weak self] in
                    let event = await Self.pause(running, on: bus)
                    self?.post(.swap(event, number: number))
                }
            case .resume:
                Task { [bus, weak self] in
                    let (refusal, isHeldBack) = await bus.resume(service)
                    if isHeldBack { self?.post(.heldBack(swap: number)) }
                    self?.post(.swap(refusal.map { .notResumed($0) } ?? .resumed, number: number))
                }
            case .startBeside:
                Task { [bus, weak self] in
                    if let stranger = await bus.stranger(as: "next.\(service)") {
                        self?.post(.swap(.notTakenOver(stranger), number: number))
                    } else {
                        self?.post(.mayStartBeside(swap: number))
                    }
                }
            case .complete: advance(running, to: .complete)
            case .promote: promote(running)
            case .terminate: children.signal(SIGTERM, .member(service))
            case .kill: children.signal(SIGKILL, .member(service))
            case .startNew: startSwapped(running, running.substitute)
            case .startOld:
                noteSuccessor(running.successor, of: service)
                startSwapped(running, substitutes[service])
            case .check: check(running)
            case .compare: compare(running)
            case .finished(let outcome): finishSwap(outcome)
            }
        }
    }

    /// Pauses the queue, and notes where the old process's log ends: nothing is added to it from asks any more.
    private static func pause(_ running: RunningSwap, on bus: SetBus) async -> Swap.Event {
        if let refusal = await bus.pause(running.service) { return .notPaused(refusal) }
        guard running.isChecked else { return .paused }
        do throws(SetBus.LogTrouble) {
            running.oldEnd.set(try await bus.logEnd(of: running.service))
            return .paused
        } catch {
            _ = await bus.resume(running.service)  // else the broker does, when the pause is over
            return .notPaused("the old one's log cannot be read: \(error.reason)")
        }
    }

    /// Starts the new process while the old one serves, and waits until it has its state and follows its changes.
    func startBeside(_ running: RunningSwap) {
        guard let process = settings.set[running.service] else { return }
        let environment = process.environment.merging(["BILLFOLD_TAKE_OVER": "1"]) { $1 }
        do {
            try start(
                running.substitute?.command ?? process.command, environment, in: running.substitute?.directory,
                as: .beside(running.service, swap: running.number))
        } catch { return handleSwap(.couldNotStart("\(error)")) }
        advance(running, to: .following)
    }

    private func advance(_ running: RunningSwap, to phase: TakeOverPhase) {
        let group = children.child(.beside(running.service, swap: running.number))?.process.id
        Task { [bus, weak self] in
            let trouble = await bus.advance(running.service, to: phase, in: group) { [weak self] in
                self?.isSwapping(running.number) ?? false
            }
            let event = trouble.map { Swap.Event.notTakenOver($0) } ?? (phase == .following ? .followed : .completed)
            self?.post(.swap(event, number: running.number))
        }
    }

    private func promote(_ running: RunningSwap) {
        // Before it serves: a set that ends from here on goes on with what it is told.
        do { try successors.note(running.substitute, of: running.service) } catch {
            return handleSwap(.couldNotStart("that it has the state cannot be noted: \(error)"))
        }
        children.move(.beside(running.service, swap: running.number), to: .member(running.service))
        guard let child = children.member(running.service) else {
            return handleSwap(.couldNotStart("it has ended"))
        }
        Task { [bus] in
            // Whether it serves is found out below, by an ask.
            _ = await bus.advance(running.service, to: .serving, in: child.process.id) { !child.life.isOver }
        }
        bus.awaitWorker(running.service, child.life) { [weak self] in
            self?.post(.swap(.ready, number: running.number))
        }
    }

    private func noteSuccessor(_ program: Substitute?, of service: String) {
        do { try successors.note(program, of: service) } catch {
            say("\(service): which program has its state cannot be noted: \(error)")
        }
    }

    private func startSwapped(_ running: RunningSwap, _ substitute: Substitute?) {
        do { try launch(running.service, substitute) } catch { return handleSwap(.couldNotStart("\(error)")) }
        guard let child = children.member(running.service) else { return }
        bus.awaitWorker(running.service, child.life) { [weak self] in
            self?.post(.swap(.ready, number: running.number))
        }
    }

    /// Puts the conformance kit's cases that change nothing to the new process, while no other asks reach it.
    private func check(_ running: RunningSwap) {
        guard running.isChecked else { return handleSwap(.checked(passed: true, said: "")) }
        var environment = settings.set[running.service]?.environment ?? [:]
        environment["NO_COLOR"] = "1"
        do {
            try start(
                ["/proc/self/exe", "check", running.service, "--live", "--try", "--run", settings.places.run],
                environment, as: .check(swap: running.number))
        } catch { handleSwap(.checked(passed: false, said: "\(error)")) }
    }

    /// What the end of the conformance kit's process means. A process that conforms has to have the old one's log too.
    func checkEnded(status: Int32, output: [UInt8]) {
        guard let running = swap else { return }
        if status == 0, !running.takesOver { return compare(running) }  // otherwise compared before
        // Without the lines of cases that passed.
        let words = String(decoding: output, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("ok ") }
            .suffix(5).joined(separator: "; ")
        handleSwap(.checked(passed: status == 0, said: words.isEmpty ? "the check ended with status \(status)" : words))
    }

    private func compare(_ running: RunningSwap) {
        guard let old = running.oldEnd.value else { return handleSwap(.checked(passed: true, said: "")) }
        Task { [bus, weak self] in
            let obstacle = await bus.obstacle(toFollowing: old, of: running.service, running.continuity)
            self?.post(.swap(.checked(passed: obstacle == nil, said: obstacle ?? ""), number: running.number))
        }
    }

    func finishSwap(_ outcome: Swap.Outcome) {
        guard let running = swap else { return }
        children.signal(SIGKILL, .check(swap: running.number))
        // Nobody waits for it, and it may not heed SIGTERM.
        children.signal(SIGKILL, .beside(running.service, swap: running.number))
        currentSwap.store(0, ordering: .releasing)
        let old = substitutes[running.service]
        if outcome.failure == nil || outcome.keepsPlace {
            substitutes[running.service] = running.substitute
            // One that follows a successor without a hand-over goes on in the successor's store.
            if running.takesOver || running.successor != nil {
                noteSuccessor(running.substitute, of: running.service)
            }
        }
        if outcome.keepsPlace, outcome.isRunning, let failure = outcome.failure {
            return relieve(running, by: old, because: failure)
        }
        report(outcome, of: running)
        swap = nil
        carryOut(
            keeper.takeBack(running.service, isRunning: children.member(running.service) != nil, at: now))
    }

    private func report(_ outcome: Swap.Outcome, of running: RunningSwap) {
        switch (outcome.failure, running.cause) {
        case (nil, nil): reportSwap(.done(milliseconds: Int(running.pause / .milliseconds(1))))
        case (nil, let cause?): reportSwap(.failed(step: cause.step.rawValue, reason: cause.reason))
        case (let failure?, nil) where outcome.keepsPlace:
            reportSwap(
                .failed(
                    step: Swap.Step.goBack.rawValue,
                    reason: "\(failure.reason). Its store has what was done meanwhile, so it is started again"))
        case (let failure?, nil): reportSwap(.failed(step: failure.step.rawValue, reason: failure.reason))
        case (let failure?, let cause?):
            reportSwap(
                .failed(
                    step: Swap.Step.goBack.rawValue,
                    reason: "\(cause.reason). It does not hand its state over again: \(failure.reason)"))
        }
    }

    /// The program before takes the place again, with what was done meanwhile.
    private func relieve(_ failed: RunningSwap, by old: Substitute?, because failure: Swap.Failure) {
        reportSwap(.step("refused: \(failure.reason); the old one takes the state over again"))
        begin(
            RunningSwap(
                number: swaps + 1, service: failed.service, substitute: old, isChecked: false, continuity: .needed,
                takesOver: true, successor: successors.programs[failed.service],
                machine: Swap(failed.service, takesOver: true), client: failed.client, cause: failure))
    }

    func reportSwap(_ report: SetControl.Report) {
        guard let swap else { return }
        switch report {
        case .step(let text): say("swap of \(swap.service): \(text)")
        case .done(let milliseconds): say("swap of \(swap.service): done; asks waited for \(milliseconds) ms")
        case .failed(let step, let reason): say("swap of \(swap.service): FAILED at \(step): \(reason)")
        }
        control.send(report, to: swap.client)
    }
}
