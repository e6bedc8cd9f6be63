import Primitives

/// A customer, cards and money in memory: for the simulator, and for tests.
///
/// It has a clock of its own, which goes on a minute with every change, so that a script always shows the same times.
package actor MemoryBacking: AppBacking {
    /// What ``AppController/shared`` runs on.
    package static let shared = MemoryBacking(.demo)

    package enum Profile: String, Sendable, CaseIterable {
        /// PIN 1234 and one card.
        case demo
        /// PIN 1234 and no card.
        case noCard = "no-card"
    }

    /// How the services that it stands for are doing.
    package enum Condition: String, Sendable, CaseIterable {
        case well
        /// Nothing is done, and the asker knows it.
        case down
        /// All is done, and the asker is not told.
        case mute
    }

    private struct Holding {
        let card: CardID
        let number: Digits
        var balance: Money
        /// Oldest first.
        var transactions: [CardTransaction] = []
    }

    /// What an operation did, to be answered again.
    private enum Recorded {
        case payment(PaymentOrder, PaymentReceipt)
        case reload(ReloadOrder, CardSummary)
        case card(CardOrder, CardSummary)
    }

    private static let openingBalance = Money(1650)
    private static let cardsMax = 100
    /// Remembered for each card.
    private static let transactionsMax = 100
    private static let pin = Digits("1234", count: PINLength.digits)

    private var holdings: [Holding] = []
    private var chosen: CardID?
    private var recorded: [OperationID: Recorded] = [:]
    /// Unspent ones: the card that pays, and the payment that it becomes.
    private var codes: [String: (card: CardID, operation: OperationID)] = [:]
    private var codesIssued = 0
    private var enabled = true
    private var joined = true
    private var payments = 0
    /// Movements of money so far.
    private var entries: Int64 = 0
    private var condition = Condition.well
    private var now = Timestamp(milliseconds: 1_767_258_000_000)  // 2026-01-01T09:00:00Z

    package init(_ profile: Profile) {
        guard profile == .demo, let number = Digits("4000123412341234", count: 16) else { return }
        let card = CardID(high: 0, low: 1)
        holdings = [Holding(card: card, number: number, balance: Self.openingBalance)]
        holdings[0].transactions = [
            CardTransaction(
                kind: "Opening balance", amount: Self.openingBalance, balance: Self.openingBalance, time: now)
        ]
        chosen = card
    }

    package func set(_ condition: Condition) { self.condition = condition }

    // MARK: AppBacking

    package func verify(pin: Digits) throws(BackingError) {
        try begin()
        guard pin == Self.pin else { throw .wrongPIN() }
        try end()
    }

    package func currentCard() throws(BackingError) -> CardSummary? {
        try begin()
        let card = chosen.flatMap(index).map(summary)
        try end()
        return card
    }

    package func cards() throws(BackingError) -> [CardSummary] {
        try begin()
        let cards = holdings.indices.map(summary)
        try end()
        return cards
    }

    package func choose(_ card: CardID) throws(BackingError) -> CardSummary {
        try begin()
        guard let index = index(of: card) else { throw .noCard }
        chosen = card
        try end()
        return summary(index)
    }

    package func add(_ order: CardOrder) throws(BackingError) -> CardSummary {
        try begin()
        if let earlier = recorded[order.operation] {
            guard case .card(order, let card) = earlier else { throw .refused }
            try end()
            return card
        }
        guard !holdings.contains(where: { $0.number == order.number }) else { throw .cardTaken }
        guard holdings.count < Self.cardsMax else { throw .tooManyCards }
        let card: CardID = order.operation.reinterpreted()
        holdings.append(Holding(card: card, number: order.number, balance: Money(0)))
        move(Self.openingBalance, "Opening balance", holdings.count - 1)
        chosen = card
        let added = summary(holdings.count - 1)
        recorded[order.operation] = .card(order, added)
        try end()
        return added
    }

    package func pay(_ order: PaymentOrder) throws(BackingError) -> PaymentReceipt {
        try begin()
        let receipt = try charge(order)
        try end()
        return receipt
    }

    package func reload(_ order: ReloadOrder) throws(BackingError) -> CardSummary {
        try begin()
        if let earlier = recorded[order.operation] {
            guard case .reload(order, let card) = earlier else { throw .refused }
            try end()
            return card
        }
        guard let index = (order.card ?? chosen).flatMap(index) else { throw .noCard }
        move(order.amount, "Reload", index)
        let card = summary(index)
        recorded[order.operation] = .reload(order, card)
        try end()
        return card
    }

    package func payCode(card: CardID?) throws(BackingError) -> PayCode {
        try begin()
        guard enabled else { throw .paymentsDisabled }
        guard let card = card ?? chosen, index(of: card) != nil else { throw .noCard }
        codesIssued += 1
        let digits = String(codesIssued)
        let code = "PAY-" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
        codes[code] = (card, OperationID(high: 1, low: UInt64(codesIssued)))
        try end()
        return PayCode(code: code, expires: now + .seconds(60))
    }

    package func transactions(card: CardID?, limit: Int) throws(BackingError) -> [CardTransaction] {
        try begin()
        guard let index = (card ?? chosen).flatMap(index) else { throw .noCard }
        let transactions = Array(holdings[index].transactions.reversed().prefix(limit))
        try end()
        return transactions
    }

    package func paymentsEnabled() throws(BackingError) -> Bool {
        try begin()
        try end()
        return enabled
    }

    package func enablePayments(_ enabled: Bool) throws(BackingError) {
        try begin()
        self.enabled = enabled
        try end()
    }

    package func rewards() throws(BackingError) -> Rewards {
        try begin()
        try end()
        return Rewards(stars: payments, joined: joined)
    }

    package func joinRewards(_ joined: Bool) throws(BackingError) -> Rewards {
        try begin()
        self.joined = joined
        try end()
        return Rewards(stars: payments, joined: joined)
    }

    package func stores() throws(BackingError) -> [Store] {
        try begin()
        try end()
        return [Store(name: "Market Street", distanceMetres: 120), Store(name: "Station", distanceMetres: 450)]
    }

    // MARK: The world outside

    /// A merchant scans a pay code and charges it, once.
    package func scan(_ code: String, amount: Money) throws(BackingError) -> PaymentReceipt {
        guard let spent = codes.removeValue(forKey: code) else { throw .refused }
        return try charge(PaymentOrder(operation: spent.operation, card: spent.card, amount: amount))
    }

    // MARK: Inside

    private func begin() throws(BackingError) {
        if condition == .down { throw .unavailable }
    }

    private func end() throws(BackingError) {
        if condition == .mute { throw .unknown }
    }

    private func charge(_ order: PaymentOrder) throws(BackingError) -> PaymentReceipt {
        if let earlier = recorded[order.operation] {
            guard case .payment(order, let receipt) = earlier else { throw .refused }
            return PaymentReceipt(
                operation: order.operation, amount: order.amount, card: receipt.card, entry: receipt.entry,
                time: receipt.time,
                replayed: true)
        }
        guard enabled else { throw .paymentsDisabled }
        guard let index = (order.card ?? chosen).flatMap(index) else { throw .noCard }
        guard holdings[index].balance.amount >= order.amount.amount else { throw .insufficientFunds }
        move(Money(-order.amount.amount, order.amount.currency), "Payment", index)
        payments += 1
        let receipt = PaymentReceipt(
            operation: order.operation, amount: order.amount, card: summary(index), entry: entries, time: now,
            replayed: false)
        recorded[order.operation] = .payment(order, receipt)
        return receipt
    }

    private func move(_ amount: Money, _ kind: String, _ index: Int) {
        now = now + .seconds(60)
        entries += 1
        let balance = Money(holdings[index].balance.amount + amount.amount, amount.currency)
        holdings[index].balance = balance
        holdings[index].transactions.append(
            CardTransaction(kind: kind, amount: amount, balance: balance, time: now))
        if holdings[index].transactions.count > Self.transactionsMax { holdings[index].transactions.removeFirst() }
    }

    private func index(of card: CardID) -> Int? { holdings.firstIndex { $0.card == card } }

    private func summary(_ index: Int) -> CardSummary {
        let holding = holdings[index]
        return CardSummary(
            card: holding.card, lastFour: holding.number.lastFour, balance: holding.balance,
            isDefault: holding.card == chosen)
    }
}
