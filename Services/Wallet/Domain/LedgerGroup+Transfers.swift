import Contracts
import Primitives

extension LedgerGroup {
    /// Moves money between two users, customers or merchants, free of charge.
    ///
    /// - Faults: `wallet.amount_invalid`, `wallet.currency_mismatch`, `bus.malformed` (memo, a merchant with a card),
    ///   `wallet.id_reused`: nothing is kept. Recorded: `wallet.no_card`, `wallet.card_not_found`,
    ///   `wallet.account_not_found`, `wallet.self_transfer`, `wallet.insufficient_funds`, `wallet.amount_invalid`.
    package mutating func decide(_ ask: Wallet.PostTransfer, cause: JournaledCause) throws -> Decision {
        if let fault = rules.fault(of: ask.amount) ?? rules.fault(ofMemo: ask.memo) { return .refused(fault) }
        for holder in [ask.from, ask.to] where holder.role == .merchant && holder.card != nil {
            return .refused(Fault(.malformed, "A merchant has no card"))
        }
        return try keyed(ask.operation, ask, fingerprint: Fingerprint(of: ask), cause: cause) { group in
            let from = try group.index(of: ask.from)
            let to = try group.index(of: ask.to)
            guard from != to else { throw Decline(.selfTransfer) }
            let amount = ask.amount.amount
            guard try group.hasAvailable(amount, at: from) else { throw Decline(.insufficientFunds) }
            try group.checkRange(amount, from: from, to: to)
            let entry = group.move(amount, from: from, to: to, .transfer, ask.operation, memo: ask.memo)
            return Done(
                .transferPosted,
                Wallet.TransferPosted(
                    operation: ask.operation, from: ask.from.with(entry.debit), to: ask.to.with(entry.credit),
                    amount: ask.amount, memo: ask.memo, balance: group.money(entry.debitAfter), entry: entry.number,
                    time: group.now))
        }
    }

    private mutating func index(of holder: Wallet.Holder) throws -> Int {
        switch holder.role {
        case .customer: try cardIndex(holder.card, of: holder.party)
        case .merchant: try merchantIndex(holder.party)
        }
    }
}

extension Wallet.Holder {
    /// With the card that was meant: facts name it even where the ask left it to the default.
    fileprivate func with(_ account: AccountID) -> Wallet.Holder {
        Wallet.Holder(party: party, role: role, card: role == .customer ? account.reinterpreted() : nil)
    }
}
