import Glibc
import Wire

/// Answers what comes over the control socket.
extension Supervisor {
    func answer(_ request: SetControl.Request?, to client: ControlServer.ClientID) {
        switch request {
        case nil:
            control.send(.failed(step: "begin", reason: "this is no request"), to: client)
            control.drop(client)
        case .list: control.send(listing.json, to: client)
        case .stop:
            control.wait(client, for: .end)
            if stops == 0 { stopAll() }
        case .awaitHealth: control.wait(client, for: .health)
        case .maySwap(let service):
            control.send(
                obstacle(toSwapping: service).map { .failed(step: "begin", reason: $0) } ?? .done(milliseconds: 0),
                to: client)
        case .share(let service, let command, let directory, let share, let seconds):
            beginShare(service, command, directory, share, for: .seconds(seconds), client: client)
        case .swap(let service, let command, let directory, let isChecked, let continuity, let takesOver):
            beginSwap(service, command, directory, isChecked, continuity, takesOver, for: client)
        }
    }

    private func isTaken(_ name: String) -> Bool { swap?.service == name || roll?.machine.turn == name }

    private var listing: SetControl.Listing {
        SetControl.Listing(
            supervisor: Int(getpid()), project: settings.places.project, logs: settings.logs,
            processes: keeper.members.map { member in
                let name = member.process.name
                let child = children.member(name)
                return .init(
                    name: name, state: isTaken(name) ? "swapping" : member.phase.rawValue,
                    id: child.map { Int($0.process.id) }, seconds: Int((now - (child?.startedAt ?? now)) / .seconds(1)),
                    restarts: max(0, member.starts - 1), status: child == nil ? member.status.map(Int.init) : nil,
                    isSwapped: substitutes[name] != nil, command: substitutes[name]?.command ?? member.process.command,
                    directory: substitutes[name]?.directory,
                    tail: member.phase == .healthy ? [] : log.tail(of: name))
            })
    }
}
