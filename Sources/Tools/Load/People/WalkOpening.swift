import Audit
import Bus
import Contracts
import Primitives

/// Makes what walks need: a place of each merchant, and customers who share a position and are nowhere yet.
struct WalkOpening: Sendable {
    let bus: Bus
    let population: Population

    private static let width = 256

    func run(progress: (String, Int, Int) -> Void) async throws -> WalkPool {
        try await greet()
        let merchants = population.merchants
        _ = try await pipelined(Array(0..<merchants), width: Self.width, on: bus) { [self] number in
            let point = population.point(ofPlace: number)
            return try await bus.ask(
                Location.PutPlace(
                    place: population.place(ofMerchant: number), merchant: population.merchant(number),
                    name: "Load \(number)", latitude: Int64(point.latitude), longitude: Int64(point.longitude)),
                in: bus.patient)
        } done: {
            progress("places", $0, merchants)
        }
        let customers = population.customers
        _ = try await pipelined(Array(0..<customers), width: Self.width, on: bus) { [self] number in
            let customer = population.customer(number)
            _ = try await bus.ask(Location.SetSharing(customer: customer, sharing: true), in: bus.patient)
            // Whatever visit an earlier run has left open ends here, before this run's facts begin.
            return try await bus.ask(Location.ForgetPosition(customer: customer), in: bus.patient)
        } done: {
            progress("sharing", $0, customers)
        }
        return WalkPool(customers, since: bus.clock.now())
    }

    private func greet() async throws {
        do {
            _ = try await bus.ask(
                ReadFacts<Location>(after: .max - 1, limit: 1), in: AskContext(deadline: bus.clock.now() + .seconds(3)))
        } catch {
            throw LoadUnreachable("location does not answer, and walks need it: is it running?")
        }
    }
}
