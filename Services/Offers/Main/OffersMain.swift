import Bus
import Contracts
import OffersService
import ServiceKit

@main
struct OffersMain {
    static func main() async { await ServiceHost.main("offers", serve) }

    private static func serve() async throws {
        let config = try OffersConfig.fromEnvironment()
        let host = try ServiceHost(Offers.service, config: config.host)
        let file = "\(try config.host.dataDirectory(of: Offers.service))/offers.sqlite"
        let facts = FactPublisher(Offers.self, on: host.bus)
        let copied = CopiedDeals(at: host.clock.now())
        let isTaken = try await host.takeOver(Offers.self, file: file, follower: copied) {
            try DealStore(.file($0)).store
        }
        let deals = try DealStore(host.config.place(of: Offers.service, file: file))
        deals.store.publish(to: facts)
        if !isTaken || copied.hasQuietHours { try await deals.moveQuietHours(at: host.clock.now()) }
        try await deals.load(at: host.clock.now(), from: isTaken ? copied : nil)

        let auth = FactSubscription(to: Auth.self, on: host.bus, from: try await deals.store.position(of: Auth.service))
        {
            try await deals.applyAuth($0)
        }
        // Keeps batches of facts small: larger ones delay payments on a busy core.
        let payments = FactSubscription(
            to: Payments.self, on: host.bus, from: try await deals.store.position(of: Payments.service),
            pause: .milliseconds(10)
        ) { try await deals.applyPayments($0) }
        let service = DealService(
            store: deals, asking: host.bus, clock: host.clock, rules: config.rules,
            appliedPayments: { sequence, deadline throws(Fault) in
                try await payments.reached(sequence, deadline: deadline)
            })
        let location = FactSubscription(
            to: Location.self, on: host.bus, from: try await deals.store.position(of: Location.service)
        ) { try await service.apply($0) }

        try await host.run(
            ServiceDefinition(
                asks: [Auth.self, Location.self],
                answers: service.handlers,
                credit: 1024,
                publishes: PublishedFacts(facts, from: deals.store),
                // Location publishes news of the moment, and no state that anything here depends on.
                consumes: [
                    .required(auth, in: deals), .required(payments, in: deals), .optional(location, in: deals)
                ],
                keeps: ServiceData(
                    Offers.self, file: file,
                    copy: { try await deals.store.copy(to: $0) },
                    table: { try await deals.store.table($0, after: $1, limit: $2) }
                )
                .handedOver(of: Offers.self, by: deals.store.handOver),
                background: [
                    .every(.seconds(5), failing: "sums of payments are written late") { try await deals.writeSums() },
                    .every(.seconds(5), failing: "coupons are released late") { try await service.sweep() },
                    .every(.seconds(1), failing: "offers are pushed late") { try await service.pushDue() }
                ],
                metrics: { service.figures.map { .gauge($0.name, $0.value) } },
                ending: { try? await deals.writeSums() }))  // where it fails, the facts are read again
    }
}
