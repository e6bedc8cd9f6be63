import Primitives
import TouchApp

/// A backing that does as it is told: fails once in a given way, or keeps a call waiting. Writes down what it is asked.
actor ScriptedBacking: AppBacking {
    private let inner = MemoryBacking(.demo)
    private(set) var pins: [String] = []
    private(set) var payments: [PaymentOrder] = []
    private(set) var reloads: [ReloadOrder] = []
    private(set) var cardOrders: [CardOrder] = []
    private(set) var reads = 0
    private var failure: BackingError?
    private var doesIt = false
    private var sparesPIN = false
    private var isHeld = false
    private var held: [CheckedContinuation<Void, Never>] = []
    private var watchers: [CheckedContinuation<Void, Never>] = []
    private(set) var running = 0
    private(set) var runningMost = 0

    /// From now on every call fails so; `afterDoing`: having done what was asked; `sparing`: but not the PIN's.
    func fail(_ error: BackingError?, afterDoing: Bool = false, sparing pin: Bool = false) {
        failure = error
        doesIt = afterDoing
        sparesPIN = pin
    }

    /// From now on calls wait.
    func hold() { isHeld = true }

    func release() {
        isHeld = false
        for waiting in held { waiting.resume() }
        held = []
    }

    /// Returns when a call waits.
    func untilHeld() async {
        if held.isEmpty { await withCheckedContinuation { watchers.append($0) } }
    }

    func balance() async throws -> Money? { try await inner.currentCard()?.balance }
    func cardCount() async throws -> Int { try await inner.cards().count }

    private func run<Result: Sendable>(
        _ work: @Sendable () async throws(BackingError) -> Result
    ) async throws(BackingError) -> Result {
        running += 1
        runningMost = max(runningMost, running)
        defer { running -= 1 }
        if isHeld {
            await withCheckedContinuation { waiting in
                held.append(waiting)
                for watcher in watchers { watcher.resume() }
                watchers = []
            }
        }
        if let failure {
            if doesIt { _ = try await work() }
            throw failure
        }
        return try await work()
    }

    func verify(pin: Digits) async throws(BackingError) {
        pins.append(pin.text)
        if sparesPIN { return try await inner.verify(pin: pin) }
        try await run { () async throws(BackingError) in try await inner.verify(pin: pin) }
    }

    func currentCard() async throws(BackingError) -> CardSummary? {
        reads += 1
        return try await run { () async throws(BackingError) in try await inner.currentCard() }
    }

    func cards() async throws(BackingError) -> [CardSummary] {
        try await run { () async throws(BackingError) in try await inner.cards() }
    }

    func choose(_ card: CardID) async throws(BackingError) -> CardSummary {
        try await run { () async throws(BackingError) in try await inner.choose(card) }
    }

    func add(_ order: CardOrder) async throws(BackingError) -> CardSummary {
        cardOrders.append(order)
        return try await run { () async throws(BackingError) in try await inner.add(order) }
    }

    func pay(_ order: PaymentOrder) async throws(BackingError) -> PaymentReceipt {
        payments.append(order)
        return try await run { () async throws(BackingError) in try await inner.pay(order) }
    }

    func reload(_ order: ReloadOrder) async throws(BackingError) -> CardSummary {
        reloads.append(order)
        return try await run { () async throws(BackingError) in try await inner.reload(order) }
    }

    func payCode(card: CardID?) async throws(BackingError) -> PayCode {
        try await run { () async throws(BackingError) in try await inner.payCode(card: card) }
    }

    func transactions(card: CardID?, limit: Int) async throws(BackingError) -> [CardTransaction] {
        try await run { () async throws(BackingError) in try await inner.transactions(card: card, limit: limit) }
    }

    func paymentsEnabled() async throws(BackingError) -> Bool {
        try await run { () async throws(BackingError) in try await inner.paymentsEnabled() }
    }

    func enablePayments(_ enabled: Bool) async throws(BackingError) {
        try await run { () async throws(BackingError) in try await inner.enablePayments(enabled) }
    }

    func rewards() async throws(BackingError) -> Rewards {
        try await run { () async throws(BackingError) in try await inner.rewards() }
    }

    func joinRewards(_ joined: Bool) async throws(BackingError) -> Rewards {
        try await run { () async throws(BackingError) in try await inner.joinRewards(joined) }
    }

    func stores() async throws(BackingError) -> [Store] {
        try await run { () async throws(BackingError) in try await inner.stores() }
    }
}
