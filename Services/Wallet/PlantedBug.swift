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
    }

    private struct State {
        var payments = 0
        var unluckyCard: CardID?
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
        let seconds = batch.compactMap(secondPosting)
        let outcomes = wallet.answer(batch + (kind == .doubleCapture ? seconds : []))
        guard kind == .wrongBalance else { return Array(outcomes.prefix(batch.count)) }
        return zip(batch, outcomes).map { shown($1, for: $0) }
    }

    /// The same payment under another id, when it is an unlucky one.
    private func secondPosting(_ inbound: Inbound) -> Inbound? {
        guard inbound.envelope.type == Wallet.PostPayment.type.name,
            let post = try? Wallet.PostPayment(json: inbound.envelope.data)  // unreadable: the wallet will say so
        else { return nil }
        let isUnlucky = state.withLock { state in
            state.payments += 1
            guard state.payments % Self.interval == 0 else { return false }
            if state.unluckyCard == nil { state.unluckyCard = post.card }
            return true
        }
        guard isUnlucky else { return nil }
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
