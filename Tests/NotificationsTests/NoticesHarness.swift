import Bus
import Contracts
import NotificationsService
import Primitives
import Synchronization
import TestKit
import Testing

/// Notifications without its process: a real file, the handlers, and providers that the test answers for.
final class NoticesHarness: Sendable {
    static let start = Timestamp(milliseconds: 1_795_000_000_000)

    let clock = ManualClock(start)
    let store: NoticeStore
    let service: NoticeService
    let dispatcher: DeliveryDispatcher
    let consumer: EventConsumer
    let hooks = HookOwners()
    let auth = FakeAuth()
    let provider = FakeProvider()
    let directory: TemporaryDirectory
    let unread = Counter()

    /// - Parameter directory: that of an earlier harness, to open its file again.
    init(rules: DeliveryRules = DeliveryRules(), in directory: TemporaryDirectory? = nil) async throws {
        let directory = try directory ?? TemporaryDirectory()
        self.directory = directory
        store = try NoticeStore(.file(directory.path + "/notifications.sqlite"), rules: rules)
        let provider = provider
        dispatcher = DeliveryDispatcher(
            store: store, providers: Dictionary(uniqueKeysWithValues: Medium.allCases.map { ($0, provider) }),
            rules: rules, clock: clock.wall, random: { 0 })
        let unread = unread
        consumer = EventConsumer(
            store: store, accounts: AccountDirectory(asking: auth, clock: clock.wall),
            letters: LetterPickup(asking: auth, clock: clock.wall), hooks: hooks, dispatcher: dispatcher,
            clock: clock.wall,
            unreadable: { _, _ in unread.add() })
        service = NoticeService(
            store: store, dispatcher: dispatcher, hooks: hooks, clock: clock.wall, rules: rules,
            addresses: AddressRules(),
            pushKey: "key")
        try await service.start()
    }

    /// Before the file is opened again.
    func close() async throws { try await store.store.close() }

    func context(_ actor: Actor? = nil) -> AskContext {
        AskContext(deadline: clock.now + .seconds(30), correlationID: "c", actor: actor)
    }

    // MARK: Asks

    func inbox(
        _ account: PartyID, before: Int64? = nil, after: Int64? = nil, unread: Bool? = nil, limit: Int = 100,
        actor: Actor? = nil
    ) async throws(Fault) -> Notifications.ReadInbox.Reply {
        try await ReadInboxHandler(service).admit(
            .init(account: account, before: before, after: after, unread: unread, limit: limit), in: context(actor))
    }

    @discardableResult
    func add(
        _ type: Int64, _ address: String, of account: PartyID, as id: EndpointID, actor: Actor? = nil
    ) async throws(Fault) -> Notifications.AddEndpoint.Reply {
        try await AddEndpointHandler(service).admit(
            .init(endpoint: id, account: account, type: type, address: address), in: context(actor))
    }

    func endpoints(_ account: PartyID) async throws(Fault) -> [Notifications.EndpointView] {
        try await ReadEndpointsHandler(service).admit(.init(account: account), in: context()).endpoints
    }

    func set(
        _ account: PartyID, enabled: Bool = true, muted: [Notifications.Kind] = [],
        quiet: Notifications.QuietHours? = nil
    ) async throws(Fault) {
        _ = try await SetSettingsHandler(service).admit(
            .init(account: account, enabled: enabled, muted: muted, quiet: quiet), in: context())
    }

    func deadLetters() async throws(Fault) -> [Notifications.DeliveryView] {
        try await ReadDeadLettersHandler(service).admit(.init(before: nil, limit: 100), in: context()).deliveries
    }

    /// What is queued now, as the store has it.
    func queued() async throws(Fault) -> [Queued] { try await store.queued() }

    func consume(_ facts: [Envelope]) async throws(Fault) { try await consumer.apply(facts, from: facts[0].source) }

    func facts() async throws -> [Envelope] {
        let page = try await store.store.read(after: 0, limit: 1000)
        let facts = try page.facts.map { try Envelope(json: $0.bytes) }
        #expect(facts.map(\.sequence) == facts.indices.map { Int64($0) + 1 })
        return facts
    }

    /// Runs the dispatcher while `body` does.
    func carrying<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        let run = Task { try await dispatcher.run() }
        defer { run.cancel() }
        return try await body()
    }

    /// Waits until a delivery has an end.
    func ended(_ id: DeliveryID) async throws -> Notifications.DeliveryView {
        while true {
            if let view = try await store.delivery(id)?.view, view.state != .queued { return view }
            await Task.yield()
        }
    }
}

/// Answers attempts in the order of its list, and with the last of it for ever.
final class FakeProvider: Provider {
    private struct State {
        var answers: [DeliveryRules.Attempt] = [.delivered()]
        var sent: [Delivery] = []
        var meanwhile: (@Sendable (Int) async throws -> Void)?
    }

    private let state = Mutex(State())

    var sent: [Delivery] { state.withLock(\.sent) }
    func answer(_ answers: DeliveryRules.Attempt...) { state.withLock { $0.answers = answers } }
    /// Has something happen while each attempt is being made; attempts are numbered from 1.
    func meanwhile(_ body: @escaping @Sendable (Int) async throws -> Void) { state.withLock { $0.meanwhile = body } }

    func send(_ delivery: Delivery, at now: Timestamp) async -> DeliveryRules.Attempt {
        let (answer, number, meanwhile) = state.withLock { state in
            state.sent.append(delivery)
            let answer = state.answers.count > 1 ? state.answers.removeFirst() : state.answers[0]
            return (answer, state.sent.count, state.meanwhile)
        }
        do { try await meanwhile?(number) } catch { Issue.record(error) }
        return answer
    }
}

/// Knows the shop, and the letters that it is given; counts who asks.
final class FakeAuth: Asking {
    private struct State {
        var letters: [LetterID: Auth.ReadLetter.Reply] = [:]
        var trouble: Fault?
    }

    let asked = Counter()
    private let state = Mutex(State())

    func put(_ letter: LetterID, _ content: Auth.ReadLetter.Reply) { state.withLock { $0.letters[letter] = content } }
    func refuse(_ fault: Fault?) { state.withLock { $0.trouble = fault } }
    var letters: Set<LetterID> { state.withLock { Set($0.letters.keys) } }

    func ask<A: Ask>(_ ask: A, in context: AskContext) async throws(Fault) -> A.Reply {
        asked.add()
        if let trouble = state.withLock({ $0.trouble }) { throw trouble }
        if let read = ask as? Auth.ReadLetter, context.actor == nil {
            guard let letter = state.withLock({ $0.letters[read.letter] }) as? A.Reply else {
                throw Fault(.letterNotFound)
            }
            return letter
        }
        if let confirmed = ask as? Auth.ConfirmLetter, context.actor == nil {
            let known = state.withLock { $0.letters.removeValue(forKey: confirmed.letter) }
            if let reply = Auth.ConfirmLetter.Reply(confirmed: known != nil) as? A.Reply { return reply }
        }
        guard let read = ask as? Auth.ReadAccount, read.account == .shop,
            let view = Auth.AccountView(account: .shop, role: .merchant, username: "shop", name: "The Shop") as? A.Reply
        else { throw Fault(.partyNotFound) }
        return view
    }
}

extension PartyID {
    static let alice = PartyID(high: 1, low: 0xA)
    static let carol = PartyID(high: 1, low: 0xC)
    static let shop = PartyID(high: 2, low: 0x5)
    static let bakery = PartyID(high: 2, low: 0xB)
}

extension Identifier {
    static func test(_ number: UInt64) -> Identifier { Identifier(high: 7, low: number) }
}

extension Envelope {
    /// The same fact with another message.
    func with(data: [UInt8]) -> Envelope {
        Envelope(id: id, source: source, type: type, time: time, sequence: sequence, data: data)
    }

    /// A fact as its source's log has it.
    static func published<F: Fact>(_ fact: F, _ sequence: Int64) -> Envelope {
        Envelope(
            id: "\(F.type.service)-\(sequence)", source: F.type.service, type: F.type.name,
            time: NoticesHarness.start, correlationID: "touch-1", traceparent: "trace", sequence: sequence,
            data: fact.json)
    }

    static func requested(
        _ sequence: Int64, of customer: PartyID = .alice, minor: Int64 = 420, merchant: PartyID = .shop
    ) -> Envelope {
        .published(
            Payments.ChargeRequested(
                charge: .test(UInt64(sequence)), merchant: merchant, customer: customer, amount: Money(minor),
                memo: "Two coffees", expires: NoticesHarness.start + .seconds(300), time: NoticesHarness.start),
            sequence)
    }

    static func captured(
        _ sequence: Int64, merchant: PartyID = .shop, requested: Bool? = nil, time: Timestamp = NoticesHarness.start
    ) -> Envelope {
        .published(
            Payments.ChargeCaptured(
                charge: .test(UInt64(sequence)), merchant: merchant, customer: .alice, card: .test(1),
                amount: Money(420), memo: "", entry: sequence, time: time, requested: requested), sequence)
    }
}
