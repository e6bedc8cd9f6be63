import Bus
import Contracts
import OrderingService
import Primitives
import Synchronization

/// Ordering on a store in memory, with stand-ins for auth, payments and the wallet.
struct OrderHarness {
    let world = FakeWorld()
    let store: OrderStore
    let service: OrderService

    init() throws {
        store = try OrderStore()
        service = OrderService(
            store: store, asking: world, clock: WallClock { Samples.time })
    }

    let context = AskContext(deadline: Samples.time + .seconds(10), causationID: "ask-1")

    func setMenu() async throws {
        _ = try await SetMenuHandler(service).answer(
            Ordering.SetMenu(merchant: Samples.merchant, menu: Samples.menu), in: context)
    }

    @discardableResult
    func begin(_ order: Ordering.OrderID = Samples.order) async throws -> Ordering.OrderReply {
        try await BeginOrderHandler(service).answer(
            Ordering.BeginOrder(order: order, customer: Samples.customer, merchant: Samples.merchant, country: "us"),
            in: context)
    }

    @discardableResult
    func add(
        _ low: UInt64, to order: Ordering.OrderID = Samples.order, extras: [String] = ["pickles"]
    ) async throws -> Ordering.OrderReply {
        try await AddItemHandler(service).answer(
            Ordering.AddItem(
                item: .init(high: 1, low: low), order: order, customer: Samples.customer, base: "beef",
                extras: extras), in: context)
    }

    @discardableResult
    func pay(_ order: Ordering.OrderID = Samples.order, _ total: Int64 = 920) async throws -> Ordering.OrderReply {
        try await PayOrderHandler(service).answer(
            Ordering.PayOrder(order: order, customer: Samples.customer, total: Money(total)), in: context)
    }

    func cart() async throws -> Ordering.OrderView? {
        try await store.cart(of: Samples.customer, at: Samples.merchant)?.view
    }

    func facts() async throws -> [String] {
        try await store.store.read(after: 0, limit: 100).facts.map { try Envelope(json: $0.bytes).type }
    }
}

/// What the wallet has decided under one id, and what it answers.
final class FakeWorld: Asking {
    private struct State {
        var posted: [ChargeID: Money] = [:]
        var closed: Set<ChargeID> = []
        /// Thrown after the payment is posted, or without one.
        var lost: Fault?
        var refused: Fault?
        var payments = 0
        /// Paid back, by charge; nil where payments is away.
        var refunded: [ChargeID: Money]? = [:]
        var isApproved = true
        var shopName = "Burger Shop"
    }
    private let state = Mutex(State())

    var payments: Int { state.withLock(\.payments) }
    var posted: [ChargeID: Money] { state.withLock(\.posted) }
    func lose(_ fault: Fault?) { state.withLock { $0.lost = fault } }
    func refund(_ refunded: [ChargeID: Money]?) { state.withLock { $0.refunded = refunded } }
    func rename(_ name: String) { state.withLock { $0.shopName = name } }
    func approve(_ isApproved: Bool) { state.withLock { $0.isApproved = isApproved } }
    func refuse(_ fault: Fault?) { state.withLock { $0.refused = fault } }

    func ask<A: Ask>(_ ask: A, in context: AskContext) async throws(Fault) -> A.Reply {
        guard let reply = try answer(ask) as? A.Reply else { throw Fault(.unknownType) }
        return reply
    }

    private func answer(_ ask: any Ask) throws(Fault) -> any Sendable {
        switch ask {
        case let ask as Auth.ReadAccount:
            let isShop = ask.account == Samples.merchant
            return Auth.AccountView(
                account: ask.account ?? Samples.customer, role: isShop ? .merchant : .customer,
                username: isShop ? "burgers" : "ada", name: isShop ? state.withLock(\.shopName) : "Ada",
                status: state.withLock(\.isApproved) ? .approved : .pending)
        case let ask as Payments.ReadRefunds:
            guard let refunded = state.withLock(\.refunded) else { throw Fault(.unavailable) }
            return Payments.ReadRefunds.Reply(
                refunds: ask.charges.compactMap { charge in refunded[charge].map { .init(charge: charge, refunded: $0) }
                })
        case let ask as Payments.CreatePayment: return try pay(ask)
        case let ask as Payments.ReadReceipt:
            guard let amount = posted[ask.charge] else { throw Fault(.chargeNotFound) }
            return receipt(ask.charge, amount)
        case let ask as Wallet.ClosePayment:
            let isPosted = state.withLock { state in
                if state.posted[ask.payment] != nil { return true }
                state.closed.insert(ask.payment)
                return false
            }
            if isPosted { throw Fault(.paymentPosted) }
            return Recorded(
                Wallet.PaymentClosed(payment: ask.payment, reason: ask.reason, time: Samples.time), sequence: 1,
                replayed: false)
        default: throw Fault(.unknownType)
        }
    }

    private func pay(_ ask: Payments.CreatePayment) throws(Fault) -> Payments.CreatePayment.Reply {
        let (refused, lost, isClosed) = state.withLock { state in
            state.payments += 1
            let isClosed = state.closed.contains(ask.charge)
            if state.refused == nil, !isClosed { state.posted[ask.charge] = ask.amount }
            return (state.refused, state.lost, isClosed)
        }
        if let refused { throw refused }
        if isClosed { throw Fault(.paymentClosed) }
        if let lost { throw lost }
        return .init(receipt: receipt(ask.charge, ask.amount), replayed: false)
    }

    private func receipt(_ charge: ChargeID, _ amount: Money) -> Payments.Receipt {
        Payments.Receipt(
            charge: charge, customer: Samples.customer, card: Samples.card, merchant: Samples.merchant,
            merchantName: "Burger Shop", amount: amount, memo: "", cardBalance: Money(0), entry: 7, time: Samples.time)
    }
}
