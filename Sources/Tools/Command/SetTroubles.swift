import Bus
import BusZMQ
import Glibc
import Supervision

extension SetPlace {
    /// What processes of the set say is wrong with them, by service. Nothing is known while the broker does not answer,
    /// which its own state shows; NATS has none here.
    func troubles() async -> [String: [String]] {
        guard let bus = try? bus else { return [:] }
        if case .directory(let directory) = bus, access("\(directory)/asks.sock", F_OK) != 0 { return [:] }
        guard let reactor = try? Reactor(Reactor.Settings(bus: bus)) else { return [:] }
        reactor.start()
        let look = try? await SetReader(bus: Bus(name: "billfold", transport: reactor)).look()
        await reactor.stop()
        if case .nats = bus, look == nil {
            return ["bus": ["NATS does not answer, so nothing is known of the services"]]
        }
        return (look?.stats ?? [:]).mapValues { Set($0.flatMap(\.troubles)).sorted() }.filter { !$0.value.isEmpty }
    }
}

extension SetControl.Listing.Process {
    /// How it stands: `backing-off, last status 1`.
    var condition: String { state + (status.map { ", last status \($0)" } ?? "") }

    /// The last lines of its log that say why it is not healthy.
    var causes: [String] { LogLine.causes(in: tail) }
}
