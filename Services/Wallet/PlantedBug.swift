import Bus
import Contracts
import Ledger
import Primitives
import ServiceKit
import Synchronization

/// A mistake made on purpose: those who check the ledger from outside are tested against it (`BILLFOLD_PLANTED_BUG`).
/// It stands between the bus and the wallet; without the variable nothing of it exists.
final class PlantedBug: BatchAnswering {
    enum Kind: String {
        /// Every 50th payment is posted a second time, under another id.
        case doubleCapture = "double_capture"
        /// The card of the 50th payment is shown with a cent too much.
        case wrongBalance = "wrong_balance"
        /// Every 50th payment is refused, whatever the card has.
        case needlessRefusal = "needless_refusal"
        /// A payment that is asked for again is posted again, under another id.
        case forgottenKey = "forgotten_key"
    }

    private struct State {
        var payments = 0
        var unluckyCard: CardID?
        var posted: Set<ChargeID> = []
    }

    private static let interval = 50

    private let wallet: any BatchAnswering
    private let kind: Kind
    private let state = Mutex(State())

    /// The wallet as it is, unless a bug of its own is asked for.
    static func around(_ wallet: any BatchAnswering, on host: ServiceHost) -> any BatchAnswering {
        guard let kind = host.config.reader.string(forKey: "billfold.planted.bug").flatMap(Kind.init) else {
            return wallet
        }
        host.logger.warning("THIS WALLET IS WRONG ON PURPOSE", metadata: ["bug": "\(kind.rawValue)"])
        return PlantedBug(wallet, kind)
    }

    private init(_ wallet: any BatchAnswering, _ kind: Kind) {
        self.wallet = wallet
        self.kind = kind
    }

    var types: [MessageType] { wallet.types }

    func answer(_ batch: [Inbound]) -> [Outcome] {
        switch kind {
        case .doubleCapture:
            let seconds = batch.compactMap { inbound in unlucky(inbound).map { underAnotherID($0, of: inbound) } }
            return Array(wallet.answer(batch + seconds).prefix(batch.count))
        case .wrongBalance:
            for inbound in batch { _ = unlucky(inbound) }
            return zip(batch, wallet.answer(batch)).map { shown($1, for: $0) }
        case .needlessRefusal:
            let refused = batch.map { unlucky($0) != nil }
            var rest = wallet.answer(zip(batch, refused).filter { !$1 }.map(\.0)).makeIterator()
            return refused.map { $0 ? .fault(Fault(.insufficientFunds)) : rest.next()! }
        case .forgottenKey:
            return wallet.answer(
                batch.map { inbound in
                    guard let post = payment(inbound),
                        !state.withLock({ $0.posted.insert(post.payment).inserted })
                    else { return inbound }
                    return underAnotherID(post, of: inbound)
                })
        }
    }

    /// Nil for other asks, and for one that is unreadable: the wallet will say so.
    private func payment(_ inbound: Inbound) -> Wallet.PostPayment? {
        guard inbound.envelope.type == Wallet.PostPayment.type.name else { return nil }
        return try? Wallet.PostPayment(json: inbound.envelope.data)
    }

    /// The payment, when it is an unlucky one.
    private func unlucky(_ inbound: Inbound) -> Wallet.PostPayment? {
        guard let post = payment(inbound) else { return nil }
        let isUnlucky = state.withLock { state in
            state.payments += 1
            guard state.payments % Self.interval == 0 else { return false }
            if state.unluckyCard == nil { state.unluckyCard = post.card }
            return true
        }
        return isUnlucky ? post : nil
    }

    private func underAnotherID(_ post: Wallet.PostPayment, of inbound: Inbound) -> Inbound {
        let second = Wallet.PostPayment(
            payment: ChargeID(high: ~post.payment.high, low: ~post.payment.low), customer: post.customer,
            card: post.card, merchant: post.merchant, amount: post.amount, memo: post.memo)
        return Inbound(envelope: inbound.envelope.with(data: second.json), deadline: inbound.deadline)
    }

    private func shown(_ outcome: Outcome, for inbound: Inbound) -> Outcome {
        guard inbound.envelope.type == Wallet.ReadCards.type.name, case .reply(let data) = outcome,
            let unlucky = state.withLock({ $0.unluckyCard }),
            let reply = try? Wallet.ReadCards.Reply(json: data)  // the wallet's own words can be read
        else { return outcome }
        let cards = reply.cards.map { card in
            card.card != unlucky
                ? card
                : Wallet.CardView(
                    card: card.card, lastFour: card.lastFour, balance: Money(card.balance.amount + 1),
                    available: card.available, isDefault: card.isDefault)
        }
        return .reply(Wallet.ReadCards.Reply(cards: cards).json)
    }
}
