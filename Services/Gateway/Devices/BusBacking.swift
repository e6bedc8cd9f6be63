import Bus
import Contracts
import Primitives
import Synchronization
import TouchApp

/// The request that a device serves: its deadline and trace, the session that sent it, and the client's address where
/// a PIN may be entered.
struct RequestContext: Sendable {
    let context: AskContext
    let session: LiveSession
    var client: IPAddress?
}

/// What all requests of one device share.
struct DeviceBus: Sendable {
    let customer: PartyID
    /// The merchant that touches pay.
    let merchant: PartyID
    /// Whether it was opened for a demo customer, whose PINs have no limit of their own.
    let isDemo: Bool
    let asking: any Asking
    let sessions: Sessions
    let limiter: RateLimiter
    let clock: WallClock
    fileprivate let lastRead = LastCard()

    init(
        customer: PartyID, merchant: PartyID, isDemo: Bool, asking: any Asking, sessions: Sessions,
        limiter: RateLimiter, clock: WallClock
    ) {
        self.customer = customer
        self.merchant = merchant
        self.isDemo = isDemo
        self.asking = asking
        self.sessions = sessions
        self.limiter = limiter
        self.clock = clock
    }

    func backing(for request: RequestContext) -> BusBacking {
        var context = request.context
        context.actor = Actor(role: .customer, party: customer)
        return BusBacking(bus: self, session: request.session, client: request.client, context: context)
    }
}

/// A customer's app on the bus, on behalf of one request.
struct BusBacking: AppBacking {
    fileprivate let bus: DeviceBus
    fileprivate let session: LiveSession
    fileprivate let client: IPAddress?
    fileprivate let context: AskContext

    private var customer: PartyID { bus.customer }
    private var lastRead: LastCard { bus.lastRead }

    // MARK: The PIN

    func verify(pin: Digits) async throws(BackingError) {
        do throws(Fault) { try count() } catch { throw failure(error) }
        let verified = try await ask(
            Auth.VerifyPIN(account: customer, session: session.view.session, pin: pin.text))
        bus.sessions.pinVerified(session, until: verified.verifiedUntil, at: bus.clock.now())
    }

    /// Counts a PIN, as the PIN's own route does.
    private func count() throws(Fault) {
        let now = bus.clock.now()
        if bus.isDemo { return try bus.limiter.spendAtHome(.pin, from: client, at: now) }
        try bus.limiter.spend(
            RateLimiter.Try(purpose: .pin, subject: customer.hex, client: client, hasSession: true), at: now)
    }

    private func requirePIN() throws(BackingError) {
        guard session.hasPIN(at: bus.clock.now()) else { throw .pinRequired }
    }

    // MARK: Cards

    func currentCard() async throws(BackingError) -> CardSummary? {
        do throws(BackingError) {
            return lastRead.noting(CardSummary(try await ask(Wallet.ReadCard(customer: customer))))
        } catch {
            if error == .noCard { return nil }
            throw error
        }
    }

    func cards() async throws(BackingError) -> [CardSummary] {
        try await ask(Wallet.ReadCards(customer: customer)).cards.map(CardSummary.init)
    }

    func choose(_ card: CardID) async throws(BackingError) -> CardSummary {
        lastRead.noting(CardSummary(try await ask(Wallet.ChooseCard(customer: customer, card: card))))
    }

    func add(_ order: CardOrder) async throws(BackingError) -> CardSummary {
        let added = try await ask(
            Wallet.AddCard(
                card: order.operation.reinterpreted(), customer: customer, number: order.number.text,
                code: order.code.text)
        ).result
        return lastRead.noting(
            CardSummary(card: added.card, lastFour: added.lastFour, balance: added.balance, isDefault: true))
    }

    /// A card after an operation whose reply has the balance, but not the last digits.
    private func card(_ card: CardID, balance: Money?) async -> CardSummary {
        if let balance, let known = lastRead.card, known.card == card {
            return lastRead.noting(
                CardSummary(card: card, lastFour: known.lastFour, balance: balance, isDefault: known.isDefault))
        }
        // The operation is done. A card that cannot be read must not make it look as if it had failed.
        guard let view = try? await ask(Wallet.ReadCard(customer: customer, card: card)) else {
            return CardSummary(card: card, lastFour: "", balance: balance ?? Money(0), isDefault: false)
        }
        return CardSummary(
            card: card, lastFour: view.lastFour, balance: balance ?? view.balance, isDefault: view.isDefault)
    }

    // MARK: Money

    func pay(_ order: PaymentOrder) async throws(BackingError) -> PaymentReceipt {
        try requirePIN()
        let charge: ChargeID = order.operation.reinterpreted()
        let paid: Payments.CreatePayment.Reply
        do throws(Fault) {
            paid = try await request(
                Payments.CreatePayment(
                    charge: charge, customer: customer, card: order.card, merchant: bus.merchant, amount: order.amount,
                    memo: ""))
        } catch {
            // The same touch, of a device that showed another card then.
            guard error.code == .idReused else { throw failure(error) }
            let receipt: Payments.Receipt
            do throws(Fault) {
                receipt = try await request(Payments.ReadReceipt(charge: charge, party: customer))
            } catch {
                throw error.code == .chargeNotFound ? .refused : .unknown
            }
            guard receipt.merchant == bus.merchant, receipt.amount == order.amount else { throw .doneBefore }
            paid = .init(receipt: receipt, replayed: true)
        }
        return PaymentReceipt(
            operation: order.operation, amount: paid.receipt.amount,
            card: await card(paid.receipt.card, balance: paid.receipt.cardBalance),
            entry: paid.receipt.entry, time: paid.receipt.time, replayed: paid.replayed)
    }

    func reload(_ order: ReloadOrder) async throws(BackingError) -> CardSummary {
        try requirePIN()
        let reloaded = try await ask(
            Wallet.ReloadCard(
                operation: order.operation, customer: customer, card: order.card, amount: order.amount)
        ).result
        return await card(reloaded.card, balance: reloaded.cardBalance)
    }

    func payCode(card: CardID?) async throws(BackingError) -> PayCode {
        try requirePIN()
        let issued = try await ask(Payments.IssueCode(customer: customer, card: card))
        return PayCode(code: issued.code, expires: issued.expires)
    }

    func transactions(card: CardID?, limit: Int) async throws(BackingError) -> [CardTransaction] {
        let holder = Wallet.Holder(party: customer, role: .customer, card: card)
        return try await ask(Wallet.ReadEntries(holder: holder, limit: limit)).entries.map(CardTransaction.init)
    }

    func paymentsEnabled() async throws(BackingError) -> Bool {
        try await ask(Payments.ReadEnabled(customer: customer)).enabled
    }

    func enablePayments(_ enabled: Bool) async throws(BackingError) {
        _ = try await ask(Payments.SetEnabled(customer: customer, enabled: enabled))
    }

    func rewards() async throws(BackingError) -> Rewards {
        Rewards(try await ask(Offers.ReadRewards(customer: customer)))
    }

    func joinRewards(_ joined: Bool) async throws(BackingError) -> Rewards {
        Rewards(try await ask(Offers.JoinRewards(customer: customer, joined: joined)))
    }

    // MARK: Stores

    /// Merchants near where the customer was last; none where that is not known.
    func stores() async throws(BackingError) -> [Store] {
        do throws(Fault) {
            return try await request(Location.FindMerchants(customer: customer, limit: 20)).merchants.map { merchant in
                Store(name: merchant.name, distanceMetres: Int(merchant.distanceMetres))
            }
        } catch {
            if error.code == .positionUnknown { return [] }
            throw failure(error)
        }
    }

    // MARK: Asking

    private func failure(_ fault: Fault) -> BackingError { BackingError(fault, at: bus.clock.now()) }

    private func ask<A: Ask>(_ ask: A) async throws(BackingError) -> A.Reply {
        do { return try await request(ask) } catch { throw failure(error) }
    }

    private func request<A: Ask>(_ ask: A) async throws(Fault) -> A.Reply {
        try await bus.asking.ask(ask, in: context)
    }
}

/// The card that was read last: it completes replies that name a card by its id alone.
private final class LastCard: Sendable {
    private let held = Mutex<CardSummary?>(nil)

    var card: CardSummary? { held.withLock { $0 } }

    func noting(_ card: CardSummary) -> CardSummary {
        held.withLock { $0 = card }
        return card
    }
}

extension CardSummary {
    fileprivate init(_ view: Wallet.CardView) {
        self.init(card: view.card, lastFour: view.lastFour, balance: view.balance, isDefault: view.isDefault)
    }
}

extension Rewards {
    fileprivate init(_ view: Offers.RewardsView) { self.init(stars: view.stars, joined: view.joined) }
}

extension CardTransaction {
    fileprivate init(_ entry: Wallet.EntryView) {
        self.init(kind: Self.word(entry.kind), amount: entry.amount, balance: entry.balance, time: entry.time)
    }

    private static func word(_ kind: Wallet.EntryKind) -> String {
        switch kind {
        case .opening: "Opening balance"
        case .reload: "Reload"
        case .payment, .capture: "Payment"
        case .refund: "Refund"
        case .transfer: "Transfer"
        }
    }
}

extension BackingError {
    /// What a refusal means to the app. What the code does not tell, its advice does: whether something may have
    /// happened.
    init(_ fault: Fault, at now: Timestamp) {
        let next = fault.retryAfterSeconds.map { now + .seconds(Int64($0)) }
        switch fault.code {
        case .pinWrong: self = .wrongPIN(until: next)
        case .pinDelayed, .rateLimited: self = .pinDelayed(seconds: fault.retryAfterSeconds ?? 30, until: next)
        case .pinLocked: self = .pinLocked
        case .pinNotSet: self = .pinNotSet
        case .pinRequired, .sessionNotFound: self = .pinRequired
        case .noCard, .cardNotFound: self = .noCard
        case .insufficientFunds: self = .insufficientFunds
        case .paymentsDisabled: self = .paymentsDisabled
        case .cardTaken: self = .cardTaken
        case .cardInvalid: self = .cardInvalid
        case .tooManyCards: self = .tooManyCards
        case .idReused: self = .doneBefore
        // Nobody has looked at it: says nothing about an earlier try under the same id.
        case .malformed, .tooLarge, .unknownType, .forbidden: self = .unavailable
        default:
            switch fault.code.retry {
            case .never: self = .refused
            case .later: self = .unavailable
            case .sameKey: self = .unknown
            }
        }
    }
}
