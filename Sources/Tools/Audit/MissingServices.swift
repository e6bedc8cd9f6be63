import Bus
import Contracts
import Primitives

/// Services with data that do not answer. Without one of them there is nothing to hold the others' data against.
package struct MissingServices: Error, CustomStringConvertible {
    package let services: [String]

    package var description: String {
        "\(services.joined(separator: ", ")) \(services.count == 1 ? "does" : "do") not answer; the log says why"
    }

    private static let patience = Duration.seconds(3)

    /// - Throws: `MissingServices`, where one does not answer at once.
    static func expectNone(on bus: Bus) async throws(MissingServices) {
        let present = await withTaskGroup(of: (String, Bool).self) { group in
            for service in Catalogue.dataOwners {
                group.addTask { (service.service, await isThere(service, bus)) }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        let missing = Catalogue.services.map { $0.service }.filter { present[$0] == false }
        guard missing.isEmpty else { throw MissingServices(services: missing) }
    }

    private static func isThere<Service: BusService>(_ service: Service.Type, _ bus: Bus) async -> Bool {
        let context = AskContext(deadline: bus.clock.now() + patience)
        // It does not answer, whatever the reason.
        return (try? await bus.ask(ReadStats<Service>(), in: context)) != nil
    }
}
