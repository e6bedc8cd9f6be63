import Bus
import Contracts
import OffersService
import Primitives
import ServiceKit

@main
struct OffersMain {
    static func main() async { await ServiceHost.main("offers", serve) }

    private static func serve() async throws {
        let config = try OffersConfig.fromEnvironment()
        let host = try ServiceHost(Offers.service, config: config.host)
        let data = try config.host.dataDirectory(of: Offers.service)
        let logger = host.logger
        let publisher = Late<FactPublisher<Offers>>()
        let store = try SQLiteDealStore(
            path: "\(data)/offers.sqlite", factsCommitted: { publisher.value?.committed() },
            trouble: { logger.error("the store is in trouble", metadata: ["error": "\($0)"]) })
        try await store.load(at: host.clock.now())
        publisher.set(host.publish(Offers.self, from: store))
        _ = host.hear(Auth.self, from: try await store.position(Auth.service)) { try await store.applyAuth($0) }
        // However often a source tells its head, what it tells of gathers; not for long, as a large group keeps payments from a core.
        let payments = host.hear(
            Payments.self, from: try await store.position(Payments.service), pause: .milliseconds(10)
        ) {
            try await store.applyPayments($0)
        }
        let desk = DealDesk(
            store: store, asking: host.bus, clock: host.clock, rules: config.rules,
            appliedPayments: { sequence, deadline throws(Fault) in
                try await payments.reached(sequence, deadline: deadline)
            })
        // Without waiting for location at the start: what it tells is news of the moment, and no state that anything needs.
        host.follow(Location.self, from: try await store.position(Location.service)) { try await desk.apply($0) }

        answer(host, desk)
        host.keeps(Offers.self, in: "\(data)/offers.sqlite") { try await store.copy(to: $0) }
        host.answer(with: TableHandler(Offers.self) { try await store.table($0, after: $1, limit: $2) })
        host.take(atMost: 1024)
        host.tell { desk.figures }
        host.atEnd { try? await store.writeSums() }  // heard again where it fails
        host.every(.seconds(5)) {
            do { try await store.writeSums() } catch {
                logger.warning("sums of payments are written late", metadata: ["error": "\(error)"])
            }
            do { try await desk.sweep() } catch {
                logger.warning("coupons are released late", metadata: ["error": "\(error)"])
            }
        }
        try await host.run()
    }

    private static func answer(_ host: ServiceHost, _ desk: DealDesk) {
        host.answer(with: SubmitOfferHandler(desk))
        host.answer(with: EditOfferHandler(desk))
        host.answer(with: EnableOfferHandler(desk))
        host.answer(with: DecideOfferHandler(desk))
        host.answer(with: ReadOfferHandler(desk))
        host.answer(with: ReadOffersHandler(desk))
        host.answer(with: ReadPendingHandler(desk))
        host.answer(with: ReadProductTypesHandler(desk))
        host.answer(with: FindDealsHandler(desk))
        host.answer(with: SearchDealsHandler(desk))
        host.answer(with: ReadDealHandler(desk))
        host.answer(with: ReadHistoryHandler(desk))
        host.answer(with: SetSubscriptionHandler(desk))
        host.answer(with: ReadSubscriptionsHandler(desk))
        host.answer(with: SetPreferencesHandler(desk))
        host.answer(with: ReadPreferencesHandler(desk))
        host.answer(with: ReadRewardsHandler(desk))
        host.answer(with: JoinRewardsHandler(desk))
        host.answer(with: ExplainOfferHandler(desk))
        host.answer(with: CountAudienceHandler(desk))
        host.answer(with: PushOfferHandler(desk))
        host.answer(with: ReserveCouponHandler(desk))
    }
}
