import Bus
import Contracts
import NotificationsService
import ServiceKit
import Sodium

@main
struct NotificationsMain {
    static func main() async { await ServiceHost.main("notifications", serve) }

    private static func serve() async throws {
        let config = try NotificationsConfig.fromEnvironment()
        let host = try ServiceHost(Notifications.service, config: config.host)
        let (clock, logger) = (host.clock, host.logger)
        let data = try config.host.dataDirectory(of: Notifications.service)
        let (file, keyFile) = ("\(data)/notifications.sqlite", "\(data)/vapid.key")
        // Before the file is made: without its key, browsers that are known to it cannot be reached.
        let secret = try KeyFile.open(named: config.pushKeyFile, otherwise: keyFile, protecting: file)
        let key = try PushKey(secret, subject: config.pushSubject)
        let facts = FactPublisher(Notifications.self, on: host.bus)
        try await host.takeOver(Notifications.self, file: file) {
            try NoticeStore(.file($0), rules: config.rules).store
        }
        let notices = try NoticeStore(
            host.config.place(of: Notifications.service, file: file, keys: ["vapid.key": secret]), rules: config.rules)
        notices.store.publish(to: facts)
        let providers = try Providers(config, data: data, key: key)
        let dispatcher = DeliveryDispatcher(
            store: notices, providers: providers.byMedium, rules: config.rules, clock: clock)
        let hooks = HookOwners()
        let consumer = EventConsumer(
            store: notices,
            accounts: AccountDirectory(asking: host.bus, clock: clock),
            letters: LetterPickup(
                asking: host.bus, clock: clock,
                refused: { letter, fault in
                    logger.error("a letter cannot be sent", metadata: ["id": "\(letter)", "error": "\(fault.code)"])
                }),
            hooks: hooks, dispatcher: dispatcher, clock: clock,
            unreadable: { fact, error in
                logger.error("a fact was passed over", metadata: ["id": "\(fact.id)", "error": "\(error)"])
            })
        let service = NoticeService(
            store: notices, dispatcher: dispatcher, hooks: hooks, clock: clock, rules: config.rules,
            addresses: AddressRules(allowsPrivate: config.allowsPrivate), pushKey: key.publicKey)
        func consumed<Source: FactSource>(from source: Source.Type) async throws -> ConsumedFacts {
            // Keeps batches of facts small: larger ones delay payments on a busy core.
            .optional(
                FactSubscription(
                    to: source, on: host.bus, from: try await notices.store.position(of: Source.service),
                    pause: .milliseconds(10)
                ) { try await consumer.apply($0, from: Source.service) }, in: notices)
        }

        try await host.run(
            ServiceDefinition(
                asks: [Auth.self],
                answers: service.handlers,
                publishes: PublishedFacts(facts, from: notices.store),
                consumes: [
                    try await consumed(from: Payments.self), try await consumed(from: Offers.self),
                    try await consumed(from: Auth.self), try await consumed(from: Ordering.self),
                    try await consumed(from: Routines.self)
                ],
                keeps: ServiceData(
                    Notifications.self, file: file,
                    keys: ["vapid.key": KeyFile.inUse(named: config.pushKeyFile, otherwise: keyFile)],
                    copy: { try await notices.store.copy(to: $0) }
                )
                .handedOver(of: Notifications.self, by: notices.store.handOver),
                preparation: { try await service.start() },
                background: [
                    .once { try await dispatcher.run() },
                    .every(.seconds(10), failing: "what is too old stays") {
                        providers.outbox?.sweep(at: clock.now())
                        try await service.sweep()
                    }
                ],
                metrics: {
                    dispatcher.figures.map { .gauge($0.name, $0.value) }
                        + dispatcher.counts.map { .counter($0.name, $0.value) }
                        + [.counter("facts_unread_total", Int(consumer.unread))]
                },
                ending: { await providers.shutdown() }))
    }
}
