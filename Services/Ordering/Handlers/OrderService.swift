import Bus
import Contracts
import Primitives
import Sodium

/// What the handlers of ordering share: the store, the bus to auth, payments and the wallet, and the clock.
package struct OrderService: Sendable {
    package let store: OrderStore
    let bus: any Asking
    let clock: WallClock
    let accounts: AccountDirectory
    /// The wallet pays in one currency.
    let currency: Currency

    package init(store: OrderStore, asking bus: any Asking, clock: WallClock = .system, currency: Currency = .usd) {
        self.store = store
        self.bus = bus
        self.clock = clock
        self.currency = currency
        accounts = AccountDirectory(asking: bus, clock: clock)
    }

    /// A nested ask ends this much earlier, so that its refusal still reaches the asker.
    private static let margin = Duration.milliseconds(100)
    /// In a charge's memo.
    private static let memoBytesMax = 256

    /// Pays by one charge under the order's id. Whatever is asked again has the same outcome.
    func pay(
        _ order: Order, card: CardID?, in context: AskContext
    ) async throws(Fault) -> (order: Order, replayed: Bool) {
        let receipt: Payments.Receipt
        do throws(Fault) {
            receipt = try await bus.ask(
                Payments.CreatePayment(
                    charge: order.charge, customer: order.customer, card: card, merchant: order.merchant,
                    amount: order.total, memo: order.summary(bytesMax: Self.memoBytesMax)),
                in: context.by(context.deadline - Self.margin)
            ).receipt
        } catch {
            // Any other refusal may become a payment when it is asked again. The order does not wait for a customer who
            // has disabled payments.
            guard error.code.retry == .never || error.code == .paymentsDisabled else { throw error }
            switch try await settle(order.id, in: context) {
            case .paid(let paid): return (paid, true)
            case .closed(let successor):
                let why = error.detail.map { "\($0). " } ?? ""
                let advice =
                    switch error.code {
                    // Paying is refused again for as long as nobody has approved the merchant.
                    case .merchantNotApproved: ""
                    case .amountTooLarge: ": discard it, and order less at a time"
                    case .insufficientFunds: ": reload the card, then pay that one"
                    case .noCard: ": add a card, then pay that one"
                    default: ": pay that one"
                    }
                let items = successor.map { ", and its items are in the order \($0.hex)\(advice)" } ?? ""
                throw Fault(error.code, "\(why)No money was moved. The order was closed\(items)")
            }
        }
        return try await store.pay(order.id, entry: receipt.entry, at: receipt.time, because: context)
    }

    /// To be called when an administrator has decided on a merchant.
    package func decided(on merchant: PartyID) { accounts.forget(merchant) }

    /// Orders as one party reads them, with what was paid back.
    ///
    /// A shop works on without payments: then nothing is said of refunds.
    func views(
        of orders: [Order], for party: PartyID, in context: AskContext
    ) async throws(Fault) -> [Ordering.OrderView] {
        let paid = orders.filter(\.isPaid).map(\.charge)
        guard !paid.isEmpty else { return orders.map { $0.view() } }
        var refunded: [ChargeID: Money] = [:]
        do throws(Fault) {
            let refunds = try await bus.ask(
                Payments.ReadRefunds(party: party, charges: paid),
                in: context.onOwnBehalf.by(clock.now() + Self.refundsPatience)
            ).refunds
            refunded = Dictionary(refunds.map { ($0.charge, $0.refunded) }, uniquingKeysWith: { first, _ in first })
        } catch {
            guard error.code.retry != .never || error.code == .unknownType else { throw error }
        }
        return orders.map { $0.view(refunded: refunded[$0.charge]) }
    }

    /// Whether an order was paid back in full, as far as payments says.
    func isRefunded(_ id: Ordering.OrderID, of merchant: PartyID, in context: AskContext) async throws(Fault) -> Bool {
        guard let order = try await store.order(id), order.isPaid, order.merchant == merchant else { return false }
        let view = try await views(of: [order], for: merchant, in: context).first
        return view?.refunded?.amount ?? 0 >= order.total.amount
    }

    /// How long a reader of orders waits for refunds.
    private static let refundsPatience = Duration.milliseconds(500)

    /// Finds out whether an order is paid: the wallet decides, once and for all. Without a payment the order is closed
    /// and its items are in another one.
    ///
    @discardableResult
    package func settle(_ id: Ordering.OrderID, in context: AskContext) async throws(Fault) -> Settlement {
        let own = context.onOwnBehalf
        do throws(Fault) {
            _ = try await bus.ask(Wallet.ClosePayment(payment: id.reinterpreted(), reason: .expired), in: own)
        } catch {
            switch error.code {
            case .paymentPosted:
                guard let order = try await store.order(id) else { return .closed(successor: nil) }
                let receipt = try await bus.ask(
                    Payments.ReadReceipt(charge: order.charge, party: order.customer), in: own)
                return .paid(try await store.pay(id, entry: receipt.entry, at: receipt.time, because: own).order)
            case .paymentClosed, .idReused: break
            default: throw error
            }
        }
        let successor: Ordering.OrderID = Randomness.shared.identifier(at: clock.now())
        return .closed(successor: try await store.renew(id, as: successor, at: clock.now()))
    }

    /// How long the outcome of one payment may take to find out.
    private static let patience = Duration.seconds(5)

    /// Settles orders whose askers have gone, or whose answers were lost.
    package func sweep() async throws(Fault) {
        var failed: Fault?
        for order in try await store.unsettled(at: clock.now(), limit: 100) {
            do throws(Fault) {
                try await settle(order, in: AskContext(deadline: clock.now() + Self.patience))
            } catch {
                failed = error
            }
        }
        if let failed { throw failed }
    }

    /// How long a closed order can be read, so that whoever asks again is told what became of it.
    private static let closedKept = Duration.seconds(86_400)

    /// Deletes old closed orders. Call it every few seconds.
    package func dropClosed() async throws(Fault) {
        while try await store.drop(closedBefore: clock.now() - Self.closedKept, at: clock.now()) {}
    }
}

/// The outcome of an order whose payment was asked for.
package enum Settlement: Sendable {
    case paid(Order)
    /// Nothing was paid. The successor has its items; nil where it has none.
    case closed(successor: Ordering.OrderID?)
}
