import Contracts
import Primitives

extension LedgerGroup {
    /// Reserves money on a card for a merchant.
    ///
    /// - Faults: `wallet.amount_invalid`, `wallet.currency_mismatch`, `bus.malformed` (too long), `wallet.id_reused`:
    ///   nothing is kept. Recorded: `wallet.hold_expired` (it would end before it begins), `wallet.no_card`,
    ///   `wallet.card_not_found`, `wallet.account_not_found`, `wallet.insufficient_funds`.
    package mutating func decide(_ ask: Wallet.PlaceHold, cause: JournaledCause) throws -> Decision {
        if let fault = rules.fault(of: ask.amount) { return .refused(fault) }
        let fingerprint = Fingerprint(of: ask)
        // Comes before the check of the hold's length: a late repeat still gets the recorded answer.
        if let known = try recorded(ask.hold) { return known.replay(for: fingerprint) }
        guard ask.expires <= now + rules.holdSpanMax else {
            return .refused(
                Fault(.malformed, "'expires' is more than \(rules.holdSpanMax.components.seconds) seconds ahead"))
        }
        return try keyed(ask.hold, ask, fingerprint: fingerprint, cause: cause) { group in
            guard ask.expires > group.now else { throw Decline(.holdExpired) }
            let card = try group.cardIndex(ask.card, of: ask.customer)
            _ = try group.merchantIndex(ask.merchant)
            guard try group.hasAvailable(ask.amount.amount, at: card) else { throw Decline(.insufficientFunds) }
            group.setAside(ask.amount.amount, on: card)
            let id: CardID = group.account(at: card).id.reinterpreted()
            group.insert(
                Hold(
                    id: ask.hold, card: id, customer: ask.customer, merchant: ask.merchant,
                    amount: ask.amount.amount, expires: ask.expires),
                .added)
            return Done(
                .holdPlaced,
                Wallet.HoldPlaced(
                    hold: ask.hold, customer: ask.customer, card: id, merchant: ask.merchant, amount: ask.amount,
                    available: group.money(group.account(at: card).available), expires: ask.expires,
                    time: group.now))
        }
    }

    /// Pays from a hold. The rest of the hold is free again.
    ///
    /// - Parameter actor: the merchant who asks; nil for a service.
    /// - Faults: `wallet.amount_invalid`, `wallet.currency_mismatch`, `wallet.id_reused`, `bus.forbidden` (another
    ///   merchant's hold): nothing is kept. Recorded: `wallet.hold_not_found`, `wallet.hold_captured`,
    ///   `wallet.hold_voided`, `wallet.hold_expired`, `wallet.amount_invalid` (more than is held).
    package mutating func decide(
        _ ask: Wallet.CaptureHold, actor: PartyID? = nil, cause: JournaledCause
    ) throws -> Decision {
        if let fault = ask.amount.flatMap(rules.fault(of:)) { return .refused(fault) }
        if try !mayEnd(ask.hold, actor) { return .refused(Fault(.forbidden)) }
        return try keyed(ask.operation, ask, fingerprint: Fingerprint(of: ask), cause: cause) { group in
            let index = try group.openHoldIndex(ask.hold)
            let hold = group.hold(at: index)
            let amount = ask.amount?.amount ?? hold.amount
            guard amount <= hold.amount else { throw Decline(.amountInvalid, "More than is held") }
            let card = try group.cardIndex(hold.card, of: hold.customer)
            let merchant = try group.merchantIndex(hold.merchant)
            try group.checkRange(amount, from: card, to: merchant)

            group.setAside(-hold.amount, on: card)
            group.end(index, as: .captured, taking: amount)
            let entry = group.move(amount, from: card, to: merchant, .capture, ask.operation)
            return Done(
                .holdCaptured,
                Wallet.HoldCaptured(
                    operation: ask.operation, hold: ask.hold, card: hold.card, merchant: hold.merchant,
                    amount: group.money(amount), released: group.money(hold.amount - amount),
                    cardBalance: group.money(entry.debitAfter), entry: entry.number, time: group.now))
        }
    }

    /// Frees the money of a hold.
    ///
    /// - Parameter actor: the merchant who asks; nil for a service.
    /// - Faults: `wallet.id_reused`, `bus.forbidden` (another merchant's hold): nothing is kept. Recorded:
    ///   `wallet.hold_not_found`, `wallet.hold_captured`, `wallet.hold_voided`, `wallet.hold_expired`.
    package mutating func decide(_ ask: Wallet.VoidHold, actor: PartyID? = nil, cause: JournaledCause) throws
        -> Decision
    {
        if try !mayEnd(ask.hold, actor) { return .refused(Fault(.forbidden)) }
        return try keyed(ask.operation, ask, fingerprint: Fingerprint(of: ask), cause: cause) { group in
            let index = try group.openHoldIndex(ask.hold)
            let hold = group.hold(at: index)
            try group.release(index, as: .voided)
            return Done(
                .holdVoided,
                Wallet.HoldVoided(
                    operation: ask.operation, hold: ask.hold, released: group.money(hold.amount), time: group.now))
        }
    }

    /// Whether an account has so much to spend. An expired hold keeps nothing back, even before the sweep ends it.
    mutating func hasAvailable(_ amount: Int64, at index: Int) throws -> Bool {
        var seen = 0
        while account(at: index).available < amount, account(at: index).held > 0 {
            // Those that this group has ended are still due in the store.
            let due = try holdsDue(of: account(at: index).id, skip: seen, limit: Self.expiringMax)
            guard !due.isEmpty else { break }
            seen += due.count
            _ = try expire(due)
        }
        return account(at: index).available >= amount
    }

    /// Holds that expire at once; more wait for the next time.
    private static let expiringMax = 1000

    /// Ends expired holds and frees their money, the earliest first.
    ///
    /// - Returns: how many ended.
    package mutating func expireHolds() throws -> Int { try expire(holdsDue(limit: Self.expiringMax)) }

    private mutating func expire(_ holds: [Hold]) throws -> Int {
        var ended = 0
        for due in holds {
            guard let index = try holdIndex(due.id), hold(at: index).state == .open else { continue }
            try release(index, as: .expired)
            append(
                Done(.holdExpired, Wallet.HoldExpired(hold: due.id, released: money(due.amount), time: now)), nil, nil,
                .clock)
            ended += 1
        }
        return ended
    }

    private mutating func release(_ index: Int, as state: Hold.State) throws {
        let hold = hold(at: index)
        let card = try cardIndex(hold.card, of: hold.customer)
        setAside(-hold.amount, on: card)
        end(index, as: state)
    }

    /// The next fact of the journal ends it.
    private mutating func end(_ index: Int, as state: Hold.State, taking amount: Int64 = 0) {
        let sequence = nextSequence
        changeHold(at: index) {
            $0.state = state
            $0.captured = amount
            $0.ended = sequence
        }
    }

    /// A hold that can still be captured or voided. Captured, voided and expired are three different refusals. A hold
    /// past its expiry counts as expired even before the sweep ends it.
    private mutating func openHoldIndex(_ id: OperationID) throws -> Int {
        guard let index = try holdIndex(id) else { throw Decline(.holdNotFound) }
        switch hold(at: index).state {
        case .captured: throw Decline(.holdCaptured)
        case .voided: throw Decline(.holdVoided)
        case .expired: throw Decline(.holdExpired)
        case .open:
            guard hold(at: index).expires > now else { throw Decline(.holdExpired) }
            return index
        }
    }

    /// Only a hold's merchant ends it. A missing hold passes here; the operation refuses it.
    private mutating func mayEnd(_ hold: OperationID, _ actor: PartyID?) throws -> Bool {
        guard let actor, let index = try holdIndex(hold) else { return true }
        return self.hold(at: index).merchant == actor
    }
}
