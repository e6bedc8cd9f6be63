import Bus
import Contracts
import PaymentsService
import Primitives
import Synchronization
import TestKit

/// A bus with a fake wallet and an auth that knows Alice, Carol, the shop and the bakery. Remembers what was asked.
final class FakeServices: Asking {
    struct Asked: Sendable {
        let ask: any Ask
        let context: AskContext
    }

    private struct State {
        var asked: [Asked] = []
        var troubles: [MessageType: Fault] = [:]
        var lostReplies: Set<MessageType> = []
        var held: [MessageType: Gate] = [:]
        var statuses: [PartyID: Auth.MerchantStatus] = [:]
        var afterRefusal: (@Sendable () async -> Void)?
        var coupons: [OfferID: Money] = [:]
        var present: [PartyID: Location.Presence] = [:]
        var subscribed: Set<PartyID> = []
    }

    let wallet: FakeWallet
    private let clock: ManualClock
    private let state = Mutex(State())

    init(clock: ManualClock) {
        self.clock = clock
        wallet = FakeWallet(clock: clock)
        wallet.addCard(.aliceOther, of: .alice, 1000)
        wallet.addCard(.aliceCard, of: .alice, 1650)
        wallet.addCard(.carolCard, of: .carol, 1650)
    }

    // MARK: The script

    /// Such asks are refused and reach nobody; nil ends that.
    func refuse(_ type: MessageType, _ fault: Fault?) { state.withLock { $0.troubles[type] = fault } }
    /// The next such ask is done, but its answer gets lost.
    func loseReply(_ type: MessageType) { _ = state.withLock { $0.lostReplies.insert(type) } }
    /// What auth says of a merchant; of those of whom nothing was said here it says nothing.
    func put(_ status: Auth.MerchantStatus, of merchant: PartyID) { state.withLock { $0.statuses[merchant] = status } }
    /// Such asks wait at the gate before anything is done.
    func hold(_ type: MessageType, at gate: Gate?) { state.withLock { $0.held[type] = gate } }
    func afterRefusal(_ body: @escaping @Sendable () async -> Void) { state.withLock { $0.afterRefusal = body } }

    /// What offers says that a coupon takes off.
    func offer(_ coupon: OfferID, _ discount: Money) { state.withLock { $0.coupons[coupon] = discount } }
    /// Where location says that a customer is; nil: nowhere.
    func put(_ customer: PartyID, at presence: Location.Presence?) {
        state.withLock { $0.present[customer] = presence }
    }

    /// Has a customer subscribe to every merchant.
    func subscribe(_ customer: PartyID) { _ = state.withLock { $0.subscribed.insert(customer) } }

    func asked<A: Ask>(_ type: A.Type) -> [A] { state.withLock { $0.asked.compactMap { $0.ask as? A } } }
    func contexts(of type: MessageType) -> [AskContext] {
        state.withLock { $0.asked.filter { Swift.type(of: $0.ask).type == type }.map(\.context) }
    }

    // MARK: Asking

    func ask<A: Ask>(_ ask: A, in context: AskContext) async throws(Fault) -> A.Reply {
        let (trouble, gate) = state.withLock { state in
            state.asked.append(Asked(ask: ask, context: context))
            return (state.troubles[A.type], state.held[A.type])
        }
        if let trouble { throw trouble }
        await gate?.pass()
        guard clock.now < context.deadline else { throw Fault(.deadlineExceeded) }
        do throws(Fault) {
            let reply = try answer(ask, context) as! A.Reply
            if state.withLock({ $0.lostReplies.remove(A.type) != nil }) { throw Fault(.outcomeUnknown) }
            return reply
        } catch {
            await state.withLock { $0.afterRefusal }?()
            throw error
        }
    }

    private func answer(_ ask: any Ask, _ context: AskContext) throws(Fault) -> any Sendable {
        switch ask {
        case let ask as Wallet.PostPayment:
            try allow([ask.customer], context)
            return try wallet.post(ask, context)
        case let ask as Wallet.ClosePayment:
            try allow([], context)
            return try wallet.close(ask, context)
        case let ask as Wallet.ReadPayment:
            guard context.actor == nil else { throw Fault(.forbidden) }
            return try wallet.read(ask)
        case let ask as Wallet.PostRefund:
            try allow([ask.merchant], context)
            return try wallet.refund(ask, context)
        case let ask as Wallet.ReadCard:
            try allow([ask.customer], context)
            return try wallet.read(ask)
        case let ask as Wallet.OpenAccount:
            try allow([ask.merchant], context)
            return wallet.open(ask)
        case let ask as Auth.ReadAccount:
            guard let account = ask.account, let view = Self.accounts[account] else { throw Fault(.partyNotFound) }
            return Auth.AccountView(
                account: view.account, role: view.role, username: view.username, name: view.name,
                status: state.withLock { $0.statuses[account] })
        case let ask as Offers.ReserveCoupon:
            guard context.actor == nil else { throw Fault(.forbidden) }
            guard let discount = state.withLock({ $0.coupons[ask.coupon] }) else { throw Fault(.offerNotFound) }
            return Offers.ReserveCoupon.Reply(discount: discount, replayed: false)
        case let ask as Location.ProvePresence:
            try allow([ask.merchant], context)
            let presence = state.withLock { $0.present[ask.customer] }
            // A customer without a position here is near the merchant, and at none of the places that a test names.
            guard let place = ask.place else {
                return presence ?? Location.Presence(place: .test(1), distanceMetres: 25, time: clock.now)
            }
            guard let presence, presence.place == place else { throw Fault(.presenceFar) }
            return presence
        case let ask as Offers.ReadSubscriptions:
            guard context.actor == nil else { throw Fault(.forbidden) }
            let isSubscribed = state.withLock { $0.subscribed.contains(ask.customer) }
            return Offers.ReadSubscriptions.Reply(
                subscriptions: isSubscribed
                    ? (ask.merchants ?? []).map {
                        .init(merchant: $0, name: "", subscription: .init(ads: false, coupons: true))
                    } : [], next: nil)
        default: throw Fault(.unknownType)
        }
    }

    private func allow(_ parties: [PartyID], _ context: AskContext) throws(Fault) {
        if let actor = context.actor, !parties.contains(actor.party) { throw Fault(.forbidden) }
    }

    private static let accounts: [PartyID: Auth.AccountView] = [
        .alice: .init(account: .alice, role: .customer, username: "alice", name: "Alice"),
        .carol: .init(account: .carol, role: .customer, username: "carol", name: "Carol"),
        .shop: .init(account: .shop, role: .merchant, username: "shop", name: "The Shop"),
        .bakery: .init(account: .bakery, role: .merchant, username: "bakery", name: "The Bakery")
    ]
}

/// Brings the wallet's facts to the store, in order and one group at a time, as the subscription does.
actor WalletNews {
    private let wallet: FakeWallet
    private let store: any ChargeStore
    private var isDelayed = false
    private var turn: Task<Void, any Error>?
    private(set) var waitedFor: [Int64] = []

    init(from wallet: FakeWallet, to store: any ChargeStore) {
        self.wallet = wallet
        self.store = store
    }

    func delay() { isDelayed = true }

    func reached(_ sequence: Int64) async throws {
        waitedFor.append(sequence)
        try await deliver(through: isDelayed ? sequence : wallet.head)
    }

    func deliver() async throws { try await deliver(through: wallet.head) }

    private func deliver(through last: Int64) async throws {
        let before = turn
        let mine = Task { [store, wallet] in
            _ = try? await before?.value
            let facts = wallet.facts(after: try await store.walletPosition().sequence, through: last)
            if !facts.isEmpty { try await store.apply(facts) }
        }
        turn = mine
        try await mine.value
    }
}

/// Holds up whoever passes until it is opened.
actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var watchers: [CheckedContinuation<Void, Never>] = []

    func pass() async {
        if isOpen { return }
        await withCheckedContinuation { continuation in
            waiting.append(continuation)
            for watcher in watchers { watcher.resume() }
            watchers = []
        }
    }

    /// Returns once somebody waits.
    func reached() async {
        if !waiting.isEmpty { return }
        await withCheckedContinuation { watchers.append($0) }
    }

    func open() {
        isOpen = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}
