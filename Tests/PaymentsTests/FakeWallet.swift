import Bus
import Contracts
import Primitives
import Synchronization
import TestKit

/// The wallet's contract in memory: one decision for each id, the first one; all others are told which.
final class FakeWallet: Sendable {
    enum Decision {
        case posted(Wallet.PaymentPosted)
        case closed(Wallet.PaymentClosed)
        case refunded(Wallet.RefundPosted)
        case declined(Fault)
    }

    fileprivate struct Record {
        let asked: [UInt8]
        let decision: Decision
        let sequence: Int64
    }

    fileprivate struct State {
        var cards: [(card: CardID, customer: PartyID, balance: Int64)] = []
        var merchants: [PartyID: Int64] = [:]
        var refunds: [ChargeID: Int64] = [:]
        var records: [OperationID: Record] = [:]
        var facts: [Envelope] = []
        var entries: Int64 = 0
    }

    private let clock: ManualClock
    private let state = Mutex(State())

    init(clock: ManualClock) { self.clock = clock }

    // MARK: Given and then

    /// The newest card is the default.
    func addCard(_ card: CardID, of customer: PartyID, _ balanceMinor: Int64) {
        state.withLock { $0.cards.append((card, customer, balanceMinor)) }
    }

    func balance(of card: CardID) -> Int64? { state.withLock { $0.cards.first { $0.card == card }?.balance } }
    func balance(of merchant: PartyID) -> Int64? { state.withLock { $0.merchants[merchant] } }
    func decision(on charge: ChargeID) -> Decision? { state.withLock { $0.records[charge.reinterpreted()]?.decision } }
    var payments: Int {
        state.withLock { $0.records.values.count { if case .posted = $0.decision { true } else { false } } }
    }
    var head: Int64 { state.withLock { Int64($0.facts.count) } }

    func facts(after sequence: Int64, through last: Int64) -> [Envelope] {
        state.withLock { state in state.facts.filter { ($0.sequence ?? 0) > sequence && ($0.sequence ?? 0) <= last } }
    }

    // MARK: Asks

    func open(_ ask: Wallet.OpenAccount) -> Wallet.AccountView {
        state.withLock { state in
            let balance = state.merchants[ask.merchant] ?? 0
            state.merchants[ask.merchant] = balance
            return Wallet.AccountView(merchant: ask.merchant, balance: Money(balance))
        }
    }

    func read(_ ask: Wallet.ReadCard) throws(Fault) -> Wallet.CardView {
        try state.withLock { state throws(Fault) in
            let index = try state.card(ask.card, of: ask.customer)
            let card = state.cards[index]
            return Wallet.CardView(
                card: card.card, lastFour: "0000", balance: Money(card.balance), available: Money(card.balance),
                isDefault: ask.card == nil)
        }
    }

    func read(_ ask: Wallet.ReadPayment) throws(Fault) -> Recorded<Wallet.PaymentPosted> {
        try state.withLock { state throws(Fault) in
            guard let record = state.records[ask.payment.reinterpreted()], case .posted(let posted) = record.decision
            else { throw Fault(.paymentNotFound) }
            return Recorded(posted, sequence: record.sequence, replayed: true)
        }
    }

    func post(_ ask: Wallet.PostPayment, _ context: AskContext) throws(Fault) -> Recorded<Wallet.PaymentPosted> {
        try state.withLock { state throws(Fault) in
            let id: OperationID = ask.payment.reinterpreted()
            if case .closed = state.records[id]?.decision { throw Fault(.paymentClosed) }
            let known = state.records[id] != nil
            let record = try state.keyed(id, ask, context, clock.now) { state throws(Fault) in
                let card = try state.card(ask.card, of: ask.customer)
                guard state.merchants[ask.merchant] != nil else { throw Fault(.accountNotFound) }
                guard state.cards[card].balance >= ask.amount.amount else { throw Fault(.insufficientFunds) }
                state.cards[card].balance -= ask.amount.amount
                state.merchants[ask.merchant, default: 0] += ask.amount.amount
                state.entries += 1
                return .posted(
                    Wallet.PaymentPosted(
                        payment: ask.payment, customer: ask.customer, card: state.cards[card].card,
                        merchant: ask.merchant, amount: ask.amount, memo: ask.memo,
                        cardBalance: Money(state.cards[card].balance), entry: state.entries, time: clock.now,
                        coupon: ask.coupon))
            }
            guard case .posted(let posted) = record.decision else { throw Fault(.idReused) }
            return Recorded(posted, sequence: record.sequence, replayed: known)
        }
    }

    func close(_ ask: Wallet.ClosePayment, _ context: AskContext) throws(Fault) -> Recorded<Wallet.PaymentClosed> {
        try state.withLock { state throws(Fault) in
            let id: OperationID = ask.payment.reinterpreted()
            let known = state.records[id]
            switch known?.decision {
            case .posted: throw Fault(.paymentPosted)
            case .closed(let closed) where closed.reason != ask.reason: throw Fault(.paymentClosed)
            case .declined: throw Fault(.paymentClosed, "The payment was refused before")
            default: break
            }
            let record = try state.keyed(id, ask, context, clock.now) { _ throws(Fault) in
                .closed(Wallet.PaymentClosed(payment: ask.payment, reason: ask.reason, time: clock.now))
            }
            guard case .closed(let closed) = record.decision else { throw Fault(.idReused) }
            return Recorded(closed, sequence: record.sequence, replayed: known != nil)
        }
    }

    func refund(_ ask: Wallet.PostRefund, _ context: AskContext) throws(Fault) -> Recorded<Wallet.RefundPosted> {
        if let amount = ask.amount, amount.amount < 1 { throw Fault(.amountInvalid) }
        return try state.withLock { state throws(Fault) in
            let known = state.records[ask.operation] != nil
            let record = try state.keyed(ask.operation, ask, context, clock.now) { state throws(Fault) in
                guard case .posted(let paid) = state.records[ask.payment.reinterpreted()]?.decision,
                    paid.merchant == ask.merchant
                else { throw Fault(.paymentNotFound) }
                let before = state.refunds[ask.payment] ?? 0
                let amount = ask.amount?.amount ?? paid.amount.amount - before
                guard amount > 0, amount <= paid.amount.amount - before else { throw Fault(.refundTooLarge) }
                guard state.merchants[ask.merchant] ?? 0 >= amount else { throw Fault(.insufficientFunds) }
                let card = try state.card(paid.card, of: paid.customer)
                state.cards[card].balance += amount
                state.merchants[ask.merchant, default: 0] -= amount
                state.refunds[ask.payment] = before + amount
                state.entries += 1
                return .refunded(
                    Wallet.RefundPosted(
                        operation: ask.operation, payment: ask.payment, card: paid.card, merchant: ask.merchant,
                        amount: Money(amount), refunded: Money(before + amount),
                        cardBalance: Money(state.cards[card].balance), entry: state.entries, time: clock.now))
            }
            guard case .refunded(let refund) = record.decision else { throw Fault(.idReused) }
            return Recorded(refund, sequence: record.sequence, replayed: known)
        }
    }
}

extension FakeWallet.State {
    fileprivate func card(_ card: CardID?, of customer: PartyID) throws(Fault) -> Int {
        guard let card = card ?? cards.last(where: { $0.customer == customer })?.card else { throw Fault(.noCard) }
        guard let index = cards.firstIndex(where: { $0.card == card && $0.customer == customer }) else {
            throw Fault(.cardNotFound)
        }
        return index
    }

    /// What is recorded under the id, if the same was asked; else decides. A refusal is recorded too, and thrown.
    fileprivate mutating func keyed<A: Ask>(
        _ id: OperationID, _ ask: A, _ context: AskContext, _ now: Timestamp,
        _ decide: (inout FakeWallet.State) throws(Fault) -> FakeWallet.Decision
    ) throws(Fault) -> FakeWallet.Record {
        let asked = Array(A.type.name.utf8) + ask.json
        if let known = records[id] {
            guard known.asked == asked else { throw Fault(.idReused) }
            if case .declined(var fault) = known.decision {
                fault.replayed = true
                throw fault
            }
            return known
        }
        let decision: FakeWallet.Decision
        do throws(Fault) { decision = try decide(&self) } catch {
            records[id] = FakeWallet.Record(
                asked: asked, decision: .declined(error),
                sequence: tell(
                    Wallet.OperationDeclined(
                        operation: id, ask: A.type.name, code: error.code.code, detail: error.detail, time: now),
                    context, now))
            throw error
        }
        let sequence =
            switch decision {
            case .posted(let fact): tell(fact, context, now)
            case .closed(let fact): tell(fact, context, now)
            case .refunded(let fact): tell(fact, context, now)
            case .declined: throw Fault(.unavailable)
            }
        let record = FakeWallet.Record(asked: asked, decision: decision, sequence: sequence)
        records[id] = record
        return record
    }

    private mutating func tell<Published: Fact>(_ fact: Published, _ context: AskContext, _ now: Timestamp) -> Int64 {
        let sequence = Int64(facts.count) + 1
        facts.append(
            Envelope(
                id: "wallet-\(sequence)", source: Wallet.service, type: Published.type.name, time: now,
                correlationID: context.correlationID, causationID: context.causationID,
                traceparent: context.traceparent, sequence: sequence, data: fact.json))
        return sequence
    }
}
