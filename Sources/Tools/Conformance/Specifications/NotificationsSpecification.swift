import Contracts
import Primitives

extension Notifications: Specified {
    package static var specification: Specification { .notifications }
}

extension Specification {
    static let notifications = Specification(
        service: Notifications.service,
        needs: [Auth.service, Wallet.service, Location.service, Offers.service, Payments.service],
        examples: inbox + letters + endpoints + deliveries,
        log: FactsSpecification(Notifications.self) { trial in _ = try await published(trial.world) },
        load: Specification.letter.load, others: NotificationsRules.all)

    /// A notice that follows from a charge that a merchant has asked for.
    private static func published(_ world: World) async throws -> (account: PartyID, notice: Notifications.NoticeView) {
        let customer = try await world.newAccount(.customer)
        _ = try await world.ask(try await charge(world, of: customer))
        let end = ContinuousClock.now + Trial.factPatience
        while ContinuousClock.now < end {
            let inbox = try await world.ask(Notifications.ReadInbox(account: customer, limit: 1))
            if let notice = inbox.notices.first { return (customer, notice) }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw Wrong("\(Payments.ChargeRequested.type) is in no inbox after \(Trial.factPatience)")
    }

    private static let inbox: [any AskExample] = [
        Example(
            nobody: Notifications.ReadInbox(account: nobody(), limit: 1), nobodyFinds: .replied,
            make: { world in Notifications.ReadInbox(account: try await published(world).account, after: 0, limit: 10)
            },
            expect: { _, reply, _ in
                try require(reply.notices.count == 1, "one notice reads as \(reply.notices.count)")
                try require(
                    reply.notices[0].kind == .request, "a request for money is told as \(reply.notices[0].kind)")
                try require(reply.notices[0].number == 1 && reply.head == 1, "an inbox does not begin with number 1")
                try require(reply.unread == 1, "one unread notice counts as \(reply.unread)")
            }),
        Example(
            nobody: Notifications.ReadNotice(account: nobody(), notice: nobody()),
            nobodyFinds: .refused(.noticeNotFound),
            make: { world in
                let published = try await published(world)
                return Notifications.ReadNotice(account: published.account, notice: published.notice.notice)
            },
            expect: { ask, notice, _ in
                try require(
                    notice.notice == ask.notice && notice.read == nil, "another notice was read, or it is read already")
            }),
        Example(
            nobody: Notifications.MarkNotice(account: nobody(), notice: nobody()),
            nobodyFinds: .refused(.noticeNotFound),
            make: { world in
                let published = try await published(world)
                return Notifications.MarkNotice(account: published.account, notice: published.notice.notice)
            },
            shows: { ask, world in [try await world.reading(Notifications.ReadInbox(account: ask.account, limit: 10))]
            },
            expect: { ask, notice, world in
                try require(notice.read != nil, "it is not marked")
                let inbox = try await world.ask(Notifications.ReadInbox(account: ask.account, limit: 1))
                try require(inbox.unread == 0, "a marked notice counts as unread")
            })
    ]

    private static let letter = Example(
        nobody: Notifications.SendMail(
            notice: nobody(), to: "nobody@billfold.invalid", subject: "nobody's", text: "nobody's",
            expires: Timestamp(milliseconds: 946_684_800_000)),
        make: { world in
            Notifications.SendMail(
                notice: world.id(), to: "check@billfold.invalid", subject: "Conformance", text: "A letter of the kit.",
                expires: world.now + .seconds(60))
        },
        other: {
            Notifications.SendMail(
                notice: $0.notice, to: $0.to, subject: $0.subject, text: "Another letter.", expires: $0.expires)
        },
        reused: .noticeIDReused,
        hasLooseFacts: true, coupled: ["to"])

    private static let letters: [any AskExample] = [
        letter,
        Example(
            nobody: Notifications.SendNotification(
                notice: nobody(), type: 1, registrationId: "nobody", message: "nobody's"),
            make: { world in
                let account = try await world.customer()
                let address = "check-\(world.id() as EndpointID)"
                _ = try await world.ask(
                    Notifications.AddEndpoint(endpoint: world.id(), account: account, type: 1, address: address))
                return Notifications.SendNotification(
                    notice: world.id(), type: 1, registrationId: address, message: "Conformance")
            },
            isOptional: true,
            other: {
                Notifications.SendNotification(
                    notice: $0.notice, type: $0.type, registrationId: $0.registrationId, message: "Another message")
            },
            reused: .noticeIDReused, moving: ["result"],
            effect: { _, world in
                [try await world.ask(Notifications.ReadInbox(account: try await world.customer(), limit: 1)).head]
            },
            hasLooseFacts: true, coupled: ["type"],
            moves: [1])
    ]

    private static let endpoints: [any AskExample] = [
        Example(
            nobody: Notifications.AddEndpoint(endpoint: nobody(), account: nobody(), type: 1, address: "nobody"),
            make: { world in
                Notifications.AddEndpoint(
                    endpoint: world.id(), account: world.id(), type: 1, address: "check-\(world.id() as EndpointID)")
            },
            isOptional: true,
            other: {
                Notifications.AddEndpoint(
                    endpoint: $0.endpoint, account: $0.account, type: $0.type, address: $0.address + "-another")
            },
            reused: .noticeIDReused,
            effect: { ask, world in
                [Int64(try await world.ask(Notifications.ReadEndpoints(account: ask.account)).endpoints.count)]
            },
            shows: { ask, world in [try await world.reading(Notifications.ReadEndpoints(account: ask.account))] },
            coupled: ["type"],
            moves: [1]),
        Example(
            nobody: Notifications.ReadEndpoints(account: nobody()), nobodyFinds: .replied,
            make: { world in Notifications.ReadEndpoints(account: world.id()) }, isOptional: true),
        Example(
            nobody: Notifications.RemoveEndpoint(account: nobody(), endpoint: nobody()), nobodyFinds: .replied,
            make: { world in
                let add = Notifications.AddEndpoint(
                    endpoint: world.id(), account: world.id(), type: 1, address: "check-\(world.id() as EndpointID)")
                _ = try await world.ask(add)
                return Notifications.RemoveEndpoint(account: add.account, endpoint: add.endpoint)
            },
            isHarmless: false, isOptional: true,
            shows: { ask, world in [try await world.reading(Notifications.ReadEndpoints(account: ask.account))] },
            expect: { _, reply, _ in try require(reply.removed, "a registration was not removed") }),
        Example(
            nobody: Notifications.ReadPushKey(), nobodyFinds: .replied, make: { _ in Notifications.ReadPushKey() },
            isOptional: true,
            expect: { _, reply, _ in
                // An uncompressed point of P-256: SEC 1, 2.3.3.
                let point = Base64URL.decode(reply.publicKey)
                try require(point?.count == 65 && point?.first == 4, "the push key is no point of P-256")
            }),
        Example(
            nobody: Notifications.ReadSettings(account: nobody()), nobodyFinds: .replied,
            make: { world in Notifications.ReadSettings(account: world.id()) }, isOptional: true,
            expect: { ask, settings, world in
                try require(
                    settings == .init(account: ask.account, enabled: true, muted: [], quiet: nil),
                    "who said nothing has other settings than the usual ones")
                let set = Notifications.SetSettings(
                    account: ask.account, enabled: true, muted: [.refund, .offer],
                    quiet: .init(from: 1320, until: 420, offset: -60))
                _ = try await world.ask(set)
                let read = try await world.ask(ask)
                try require(
                    read.enabled && Set(read.muted) == Set(set.muted) && read.quiet == set.quiet,
                    "the settings read otherwise than they were set")
            }),
        Example(
            nobody: Notifications.SetSettings(account: nobody(), enabled: true, muted: [], quiet: nil),
            make: { world in
                Notifications.SetSettings(
                    account: world.id(), enabled: false, muted: [.offer],
                    quiet: .init(from: 1300, until: 400, offset: 90))
            },
            isOptional: true,
            shows: { ask, world in [try await world.reading(Notifications.ReadSettings(account: ask.account))] },
            expect: { ask, settings, world in
                let read = try await world.ask(Notifications.ReadSettings(account: ask.account))
                try require(
                    !settings.enabled && settings.muted == ask.muted && settings.quiet == ask.quiet && read == settings,
                    "the settings were not kept")
            })
    ]

    private static let deliveries: [any AskExample] = [
        Example(
            nobody: Notifications.ReadDeadLetters(before: nil, limit: 1), nobodyFinds: .replied,
            make: { _ in Notifications.ReadDeadLetters(before: nil, limit: 10) }, isOptional: true),
        // What a delivery is called is for who made it to know.
        Example(
            nobody: Notifications.ReadDelivery(delivery: nobody()), nobodyFinds: .refused(.deliveryNotFound),
            isOptional: true),
        Example(
            nobody: Notifications.ReplayDelivery(delivery: nobody()), nobodyFinds: .refused(.deliveryNotFound),
            isOptional: true),
        Example(
            nobody: Notifications.DiscardDelivery(delivery: nobody()), nobodyFinds: .replied, isHarmless: false,
            isOptional: true),
        Example(
            nobody: Notifications.ReadDeliveries(account: nobody(), endpoint: nobody(), before: nil, limit: 1),
            nobodyFinds: .refused(.endpointNotFound), isOptional: true),
        Example(
            nobody: Notifications.TestEndpoint(delivery: nobody(), account: nobody(), endpoint: nobody()),
            nobodyFinds: .refused(.endpointNotFound),
            make: { world in
                // Nobody has this address: the test stays queued.
                let hook = Notifications.AddEndpoint(
                    endpoint: world.id(), account: world.id(), type: 4,
                    address: "https://check.billfold.invalid/\(world.id() as EndpointID)")
                _ = try await world.ask(hook)
                return Notifications.TestEndpoint(
                    delivery: world.id(), account: hook.account, endpoint: hook.endpoint)
            },
            isOptional: true,
            other: {
                Notifications.TestEndpoint(
                    delivery: $0.delivery, account: $0.account, endpoint: $0.delivery.reinterpreted())
            },
            reused: .noticeIDReused, moving: ["delivery"], hasLooseFacts: true),
        Example(facts: Notifications.self), Example(stats: Notifications.self),
        Example(spans: Notifications.self),
        Example(backup: Notifications.self),
        Example(follow: Notifications.self), Example(state: Notifications.self), Example(seal: Notifications.self),
        Example(cursor: Notifications.self)
    ]
}
