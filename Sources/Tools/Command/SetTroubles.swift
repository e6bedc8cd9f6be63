import Bus
import BusZMQ
import Contracts
import Glibc
import Supervision
import Watch

extension SetPlace {
    /// Troubles of the set's processes, by service: those that they report, and that one runs and does not answer.
    ///
    /// - Parameter running: the names of the processes that are healthy for their supervisor.
    func troubles(of running: [String]) async -> [String: [String]] {
        guard let bus = try? bus else { return [:] }
        if case .directory(let directory) = bus, access("\(directory)/asks.sock", F_OK) != 0 { return [:] }
        guard let reactor = try? Reactor(Reactor.Settings(bus: bus.whenRefused(.triesAgain))) else { return [:] }
        reactor.start()
        let look = try? await SetReader(bus: Bus(name: "billfold", transport: reactor)).look()
        await reactor.stop()
        guard let look else {
            if case .nats = bus { return ["bus": ["NATS does not answer, so nothing is known of the services"]] }
            let broker = Broker.service
            let why = "it does not answer, so nothing is known of the services"
            return running.contains(broker) ? [broker: [why]] : [:]
        }
        var troubles = look.stats.mapValues { Set($0.flatMap(\.troubles)).sorted() }.filter { !$0.value.isEmpty }
        for status in look.status(since: look) where status.state == .missing && running.contains(status.service) {
            troubles[status.service] = ["it does not answer"]
        }
        return troubles
    }
}

extension SetControl.Listing.Process {
    /// How it stands: `backing-off, last status 1`.
    var condition: String { state + (status.map { ", last status \($0)" } ?? "") }

    /// The last lines of its log that say why it is not healthy.
    var causes: [String] { LogLine.causes(in: tail) }
}
