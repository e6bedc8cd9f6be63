import Bus
import Contracts
import NotificationsService
import Primitives
import ServiceKit
import Sodium

@main
struct NotificationsMain {
    static func main() async { await ServiceHost.main("notifications", serve) }

    private static func serve() async throws {
        let config = try NotificationsConfig.fromEnvironment()
        let host = try ServiceHost(Notifications.service, config: config.host)
        let data = try config.host.dataDirectory(of: Notifications.service)
        let logger = host.logger
        let file = "\(data)/notifications.sqlite"
        // Before there is a file: without its key nothing that is in it could reach a browser.
        let key = try PushKey(
            try KeyFile.open(named: config.pushKeyFile, otherwise: "\(data)/vapid.key", protecting: file),
            subject: config.pushSubject)
        let publisher = Late<FactPublisher<Notifications>>()
        let store = try SQLiteNoticeStore(
            path: file, rules: config.rules,
            factsCommitted: { publisher.value?.committed() },
            trouble: { logger.error("a write failed", metadata: ["error": "\($0)"]) })
        publisher.set(host.publish(Notifications.self, from: store))

        let sender = try HTTPSender(trusting: config.certificates, allowsPrivate: config.allowsPrivate)
        host.atEnd { await sender.shutdown() }
        let outbox =
            config.smtp == nil ? try OutboxProvider(directory: "\(data)/outbox", from: config.mailFrom) : nil
        let courier = Courier(
            store: store, providers: try providers(config, sender, key, outbox, host), rules: config.rules,
            clock: host.clock)
        let hooks = HookOwners()
        let hearing = Hearing(
            store: store,
            accounts: AccountDirectory(asking: host.bus, clock: host.clock),
            letters: LetterPickup(
                asking: host.bus, clock: host.clock,
                refused: { letter, fault in
                    logger.error("a letter cannot be sent", metadata: ["id": "\(letter)", "error": "\(fault.code)"])
                }),
            hooks: hooks, courier: courier,
            clock: host.clock,
            unreadable: { fact, error in
                logger.error("a fact was passed over", metadata: ["id": "\(fact.id)", "error": "\(error)"])
            })
        let desk = NoticeDesk(
            store: store, courier: courier, hooks: hooks, clock: host.clock, rules: config.rules,
            addresses: AddressRules(allowsPrivate: config.allowsPrivate), pushKey: key.publicKey)
        host.beforeReady { try await desk.start() }
        host.inBackground { try await courier.run() }
        try await follow(Payments.self, host, store, hearing)
        try await follow(Offers.self, host, store, hearing)
        try await follow(Auth.self, host, store, hearing)

        host.answer(with: ReadInboxHandler(desk))
        host.answer(with: ReadNoticeHandler(desk))
        host.answer(with: MarkNoticeHandler(desk))
        host.answer(with: SendNotificationHandler(desk))
        host.answer(with: SendMailHandler(desk))
        host.answer(with: AddEndpointHandler(desk))
        host.answer(with: ReadEndpointsHandler(desk))
        host.answer(with: RemoveEndpointHandler(desk))
        host.answer(with: ReadPushKeyHandler(desk))
        host.answer(with: ReadSettingsHandler(desk))
        host.answer(with: SetSettingsHandler(desk))
        host.answer(with: ReadDeadLettersHandler(desk))
        host.answer(with: ReadDeliveryHandler(desk))
        host.answer(with: ReplayDeliveryHandler(desk))
        host.answer(with: DiscardDeliveryHandler(desk))
        host.keeps(
            Notifications.self, in: file,
            keys: ["vapid.key": KeyFile.inUse(named: config.pushKeyFile, otherwise: "\(data)/vapid.key")]
        ) { try await store.copy(to: $0) }
        host.tell { courier.figures }
        host.measure {
            (courier.counts + [("facts_unread_total", hearing.unread)]).map {
                .init(name: $0.name, kind: "counter", labels: [:], value: Int64($0.value))
            }
        }
        let clock = host.clock
        host.every(.seconds(10)) {
            outbox?.sweep(at: clock.now())
            do { try await desk.sweep() } catch {
                logger.warning("what is too old stays", metadata: ["error": "\(error)"])
            }
        }
        try await host.run()
    }

    private static func follow<Source: FactSource>(
        _ source: Source.Type, _ host: ServiceHost, _ store: any NoticeStore, _ hearing: Hearing
    ) async throws {
        // However often a source tells its head, what it tells of gathers; not for long, as a large group keeps payments from a core.
        host.follow(
            source, from: try await store.position(of: Source.service), pause: .milliseconds(10)
        ) { facts in
            try await hearing.apply(facts, from: Source.service)
        }
    }

    /// The real thing where there is an account, and what is here where there is none (A51, A42).
    private static func providers(
        _ config: NotificationsConfig, _ sender: HTTPSender, _ key: PushKey, _ outbox: OutboxProvider?,
        _ host: ServiceHost
    ) throws -> [Medium: any Provider] {
        var mail: (any Provider)? = outbox
        if let server = config.smtp {
            let smtp = try SMTPProvider(server, trusting: config.certificates)
            host.atEnd { await smtp.shutdown() }
            mail = smtp
        }
        let android: any Provider =
            config.fcm.map { FCMProvider(sender, account: $0, url: config.fcmURL) }
            ?? SimulatorProvider.fcm
        let ios: any Provider = config.apns.map { APNsProvider(sender, account: $0) } ?? SimulatorProvider.apns
        var providers: [Medium: any Provider] = [
            .android: android, .ios: ios, .website: WebPushProvider(sender, key: key), .hook: WebhookProvider(sender)
        ]
        providers[.mail] = mail
        return providers
    }
}
