import Contracts
import Primitives

/// What the ledger should do, said again as plainly as possible: dictionaries, no groups, no journal, no chain. Shares
/// no code with the ledger beyond the messages.
struct LedgerModel {
    enum Answer: Equatable {
        case done(replayed: Bool)
        case refused(FaultCode, replayed: Bool)
    }

    struct Card {
        let owner: PartyID
        var balance: Int64
        var held: Int64 = 0
    }

    struct HoldState {
        let card: CardID
        let merchant: PartyID
        let amount: Int64
        let expires: Timestamp
        var end: FaultCode?
    }

    struct Paid {
        let card: CardID
        let merchant: PartyID
        let amount: Int64
        var refunded: Int64 = 0
    }

    private struct Outcome {
        let ask: [UInt8]
        let code: FaultCode?
        var kind: String
    }

    var cards: [CardID: Card] = [:]
    var numbers: Set<String> = []
    var defaults: [PartyID: CardID] = [:]
    var merchants: [PartyID: Int64] = [:]
    var holds: [OperationID: HoldState] = [:]
    var paid: [OperationID: Paid] = [:]
    var fundingOut: Int64 = 0
    var issuingOut: Int64 = 0
    /// Entries and facts there should be.
    var entries: Int64 = 0
    var facts: Int64 = 0
    private var outcomes: [OperationID: Outcome] = [:]
    private var now = Timestamp(milliseconds: 0)
    /// The card of the present operation, where it was short of money.
    private var shortCard: CardID?

    private struct Refusal: Error { let code: FaultCode }

    mutating func answer(_ ask: any Ask, at now: Timestamp) -> Answer {
        self.now = now
        switch ask {
        case let ask as Wallet.AddCard:
            if outcomes[ask.card.reinterpreted()] == nil, cards[ask.card] != nil {
                return .refused(.idReused, replayed: false)
            }
            return keyed(ask.card.reinterpreted(), ask) { try $0.add(ask) }
        case let ask as Wallet.ReloadCard:
            return amount(ask.amount)
                ?? keyed(ask.operation, ask) { model in
                    let card = try model.card(ask.card, of: ask.customer)
                    model.cards[card]?.balance += ask.amount.amount
                    model.fundingOut += ask.amount.amount
                    model.entries += 1
                }
        case let ask as Wallet.OpenAccount:
            if merchants[ask.merchant] == nil {
                merchants[ask.merchant] = 0
                facts += 1
            }
            return .done(replayed: false)
        case let ask as Wallet.ChooseCard:
            guard cards[ask.card]?.owner == ask.customer else { return .refused(.cardNotFound, replayed: false) }
            defaults[ask.customer] = ask.card
            return .done(replayed: false)
        case let ask as Wallet.PostPayment: return amount(ask.amount) ?? pay(ask)
        case let ask as Wallet.ClosePayment: return close(ask)
        case let ask as Wallet.PlaceHold: return amount(ask.amount) ?? place(ask, at: now)
        case let ask as Wallet.CaptureHold:
            return ask.amount.flatMap(amount) ?? keyed(ask.operation, ask) { try $0.capture(ask, at: now) }
        case let ask as Wallet.VoidHold:
            return keyed(ask.operation, ask) { model in
                let hold = try model.openHold(ask.hold, at: now)
                model.end(ask.hold, hold, .holdVoided)
            }
        case let ask as Wallet.PostRefund:
            return ask.amount.flatMap(amount) ?? keyed(ask.operation, ask) { try $0.refund(ask) }
        case let ask as Wallet.PostTransfer:
            return amount(ask.amount) ?? keyed(ask.operation, ask) { try $0.transfer(ask) }
        default: return .refused(.unknownType, replayed: false)
        }
    }

    /// - Parameter card: nil for the holds of all cards.
    mutating func expireHolds(at now: Timestamp, of card: CardID? = nil) {
        for (id, hold) in holds where hold.end == nil && hold.expires <= now && card ?? hold.card == hold.card {
            end(id, hold, .holdExpired)
            facts += 1
        }
    }

    // MARK: Operations

    private mutating func add(_ ask: Wallet.AddCard) throws {
        guard cards.values.count(where: { $0.owner == ask.customer }) < 100 else { throw Refusal(code: .tooManyCards) }
        guard !numbers.contains(ask.number) else { throw Refusal(code: .cardTaken) }
        numbers.insert(ask.number)
        cards[ask.card] = Card(owner: ask.customer, balance: 1650)
        defaults[ask.customer] = ask.card
        issuingOut += 1650
        entries += 1
    }

    private mutating func pay(_ ask: Wallet.PostPayment) -> Answer {
        let id: OperationID = ask.payment.reinterpreted()
        if outcomes[id]?.kind == Wallet.ClosePayment.type.name, outcomes[id]?.code == nil {
            return .refused(.paymentClosed, replayed: false)
        }
        return keyed(id, ask) { model in
            let card = try model.card(ask.card, of: ask.customer)
            try model.spend(ask.amount.amount, card, to: ask.merchant)
            model.paid[id] = Paid(card: card, merchant: ask.merchant, amount: ask.amount.amount)
            if let named = ask.card { model.defaults[ask.customer] = named }
        }
    }

    private mutating func spend(_ amount: Int64, _ card: CardID, to merchant: PartyID) throws {
        guard let takings = merchants[merchant] else { throw Refusal(code: .accountNotFound) }
        guard canSpend(amount, card) else { throw Refusal(code: .insufficientFunds) }
        cards[card]?.balance -= amount
        merchants[merchant] = takings + amount
        entries += 1
    }

    /// A card that is short of money gets back first what expired holds keep.
    private mutating func canSpend(_ amount: Int64, _ card: CardID) -> Bool {
        guard let state = cards[card] else { return false }
        if state.balance - state.held < amount, state.held > 0 {
            expireHolds(at: now, of: card)
            shortCard = card
        }
        return cards[card].map { $0.balance - $0.held >= amount } ?? false
    }

    private mutating func close(_ ask: Wallet.ClosePayment) -> Answer {
        let id: OperationID = ask.payment.reinterpreted()
        if let known = outcomes[id], known.ask != content(ask) {
            switch (known.kind, known.code) {
            case (Wallet.PostPayment.type.name, nil): return .refused(.paymentPosted, replayed: false)
            case (Wallet.PostPayment.type.name, _), (Wallet.ClosePayment.type.name, _):
                return .refused(.paymentClosed, replayed: false)
            default: return .refused(.idReused, replayed: false)
            }
        }
        return keyed(id, ask) { _ in }
    }

    private mutating func place(_ ask: Wallet.PlaceHold, at now: Timestamp) -> Answer {
        keyed(ask.hold, ask) { model in
            guard ask.expires > now else { throw Refusal(code: .holdExpired) }
            let card = try model.card(ask.card, of: ask.customer)
            guard model.merchants[ask.merchant] != nil else { throw Refusal(code: .accountNotFound) }
            guard model.canSpend(ask.amount.amount, card) else { throw Refusal(code: .insufficientFunds) }
            model.cards[card]?.held += ask.amount.amount
            model.holds[ask.hold] = HoldState(
                card: card, merchant: ask.merchant, amount: ask.amount.amount, expires: ask.expires)
        }
    }

    private func openHold(_ id: OperationID, at now: Timestamp) throws -> HoldState {
        guard let hold = holds[id] else { throw Refusal(code: .holdNotFound) }
        if let end = hold.end { throw Refusal(code: end) }
        guard hold.expires > now else { throw Refusal(code: .holdExpired) }
        return hold
    }

    private mutating func end(_ id: OperationID, _ hold: HoldState, _ end: FaultCode) {
        cards[hold.card]?.held -= hold.amount
        holds[id]?.end = end
    }

    private mutating func capture(_ ask: Wallet.CaptureHold, at now: Timestamp) throws {
        let hold = try openHold(ask.hold, at: now)
        let amount = ask.amount?.amount ?? hold.amount
        guard amount <= hold.amount else { throw Refusal(code: .amountInvalid) }
        end(ask.hold, hold, .holdCaptured)
        try spend(amount, hold.card, to: hold.merchant)
        paid[ask.operation] = Paid(card: hold.card, merchant: hold.merchant, amount: amount)
    }

    private mutating func refund(_ ask: Wallet.PostRefund) throws {
        let id: OperationID = ask.payment.reinterpreted()
        guard let payment = paid[id], payment.merchant == ask.merchant else { throw Refusal(code: .paymentNotFound) }
        let amount = ask.amount?.amount ?? payment.amount - payment.refunded
        guard amount > 0, payment.refunded + amount <= payment.amount else { throw Refusal(code: .refundTooLarge) }
        guard let takings = merchants[payment.merchant], takings >= amount else {
            throw Refusal(code: .insufficientFunds)
        }
        merchants[payment.merchant] = takings - amount
        cards[payment.card]?.balance += amount
        paid[id]?.refunded += amount
        entries += 1
    }

    private mutating func transfer(_ ask: Wallet.PostTransfer) throws {
        func account(_ holder: Wallet.Holder) throws -> (card: CardID?, merchant: PartyID?) {
            if holder.role == .customer { return (try card(holder.card, of: holder.party), nil) }
            guard merchants[holder.party] != nil else { throw Refusal(code: .accountNotFound) }
            return (nil, holder.party)
        }
        let from = try account(ask.from)
        let to = try account(ask.to)
        guard from != to else { throw Refusal(code: .selfTransfer) }
        let amount = ask.amount.amount
        let takings = from.merchant.flatMap { merchants[$0] } ?? 0
        let suffices = from.card.map { canSpend(amount, $0) } ?? (takings >= amount)
        guard suffices else { throw Refusal(code: .insufficientFunds) }
        for (side, sign) in [(from, -ask.amount.amount), (to, ask.amount.amount)] {
            if let card = side.card { cards[card]?.balance += sign }
            if let merchant = side.merchant { merchants[merchant]? += sign }
        }
        entries += 1
    }

    // MARK: Common

    private func amount(_ money: Money) -> Answer? {
        (1...100_000_000).contains(money.amount) ? nil : .refused(.amountInvalid, replayed: false)
    }

    private func card(_ named: CardID?, of customer: PartyID) throws -> CardID {
        guard let card = named ?? defaults[customer] else { throw Refusal(code: .noCard) }
        guard cards[card]?.owner == customer else { throw Refusal(code: .cardNotFound) }
        return card
    }

    private func content(_ ask: some Ask) -> [UInt8] { Array(type(of: ask).type.name.utf8) + ask.json }

    private mutating func keyed<A: Ask>(
        _ id: OperationID, _ ask: A, _ body: (inout LedgerModel) throws -> Void
    ) -> Answer {
        if let known = outcomes[id] {
            guard known.ask == content(ask) else { return .refused(.idReused, replayed: false) }
            return known.code.map { .refused($0, replayed: true) } ?? .done(replayed: true)
        }
        facts += 1
        // On a copy: a refusal leaves nothing behind but the ends of expired holds.
        shortCard = nil
        var copy = self
        do {
            try body(&copy)
            copy.outcomes[id] = Outcome(ask: content(ask), code: nil, kind: A.type.name)
            self = copy
            return .done(replayed: false)
        } catch let refusal as Refusal {
            if let card = copy.shortCard { expireHolds(at: now, of: card) }
            outcomes[id] = Outcome(ask: content(ask), code: refusal.code, kind: A.type.name)
            return .refused(refusal.code, replayed: false)
        } catch {
            return .refused(.unavailable, replayed: false)
        }
    }
}
