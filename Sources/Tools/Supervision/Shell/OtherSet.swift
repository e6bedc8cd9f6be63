import Bus
import BusZMQ
import Contracts
import Primitives
import ServiceKit

/// Whether another set answers on this one's bus. A broker has its run directory, and one set in it; an account of NATS
/// is anybody's who has its name.
package enum OtherSet {
    /// How long NATS, and a process on it, may take to answer.
    private static let patience = Duration.milliseconds(500)

    /// - Throws: ``Supervisor/Refusal`` where another process serves what this set keeps in files of its own.
    package static func refuse(for settings: Supervisor.Settings) async throws {
        guard case .nats = settings.bus else { return }
        let own = settings.set.processes.filter { $0.environment["BILLFOLD_STORE"]?.isEmpty ?? true }.map(\.name)
        let reactor = try Reactor(Reactor.Settings(bus: settings.bus))
        reactor.start()
        let deadline = WallClock.system.now() + patience
        let serving = await withTaskGroup(of: String?.self, returning: [String].self) { group in
            for service in Catalogue.dataOwners.map({ $0.service }) where own.contains(service) {
                group.addTask {
                    await HealthProbe.isAnswering(service, on: reactor, by: deadline) ? service : nil
                }
            }
            return await group.reduce(into: []) { if let service = $1 { $0.append(service) } }
        }
        await reactor.stop()
        guard serving.isEmpty else {
            let names = serving.sorted().joined(separator: ", ")
            throw Supervisor.Refusal(
                description: "\(settings.bus): another set answers for \(names): one account of NATS is one set. "
                    + "Nothing was started. End that set, or give this one an account of its own")
        }
    }
}
