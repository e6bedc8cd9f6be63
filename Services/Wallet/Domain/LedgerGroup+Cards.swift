import Contracts
import Primitives

extension LedgerGroup {
    /// Registers a card with its opening balance as the customer's default.
    ///
    /// - Faults: `wallet.card_invalid`, `wallet.id_reused`: nothing is kept. Recorded: `wallet.card_taken`,
    ///   `wallet.too_many_cards`.
    package mutating func decide(_ ask: Wallet.AddCard, cause: JournaledCause) throws -> Decision {
        guard let number = Digits(ask.number, count: 16), Digits(ask.code, count: 8) != nil else {
            return .refused(Fault(.cardInvalid))
        }
        let operation: OperationID = ask.card.reinterpreted()
        let id: AccountID = ask.card.reinterpreted()
        // Keyed, as the ask has the card's number and code, which nobody may find by trying digits.
        let fingerprint = Fingerprint(of: ask, key: rules.cardNumberKey)
        // The id belongs to another account, by chance or by intent. That account is not changed.
        if try recorded(operation) == nil, try LedgerAccount.isReserved(id) || index(id) != nil {
            return .refused(Fault(.idReused))
        }
        return try keyed(operation, ask, fingerprint: fingerprint, cause: cause) { group in
            // First: a customer finds out about as many numbers as there is room for cards.
            guard try group.cardCount(of: ask.customer) < group.rules.cardsMax else { throw Decline(.tooManyCards) }
            let digest = group.rules.digest(ofNumber: number)
            if try group.hasCard(numberDigest: digest) { throw Decline(.cardTaken) }
            let opening = group.rules.openingBalanceMinor
            let issuing = try group.ownIndex(.issuing)
            guard group.account(at: issuing).balance(adding: -opening) != nil else { throw Decline(.tooManyCards) }

            let card = group.insert(
                LedgerAccount(id: id, kind: .card, owner: ask.customer, currency: group.rules.currency), .added)
            group.insert(
                CardRecord(
                    card: ask.card, customer: ask.customer, numberDigest: digest, lastFour: number.lastFour,
                    position: group.nextSequence))
            group.setDefaultCard(ask.card, of: ask.customer)
            let entry = opening > 0 ? group.move(opening, from: issuing, to: card, .opening, operation) : nil
            return Done(
                .cardAdded,
                Wallet.CardAdded(
                    card: ask.card, customer: ask.customer, lastFour: number.lastFour, balance: group.money(opening),
                    entry: entry?.number ?? 0, time: group.now))
        }
    }

    /// Moves money from the funding source to a card.
    ///
    /// - Faults: `wallet.amount_invalid`, `wallet.currency_mismatch`, `wallet.id_reused`: nothing is kept. Recorded:
    ///   `wallet.no_card`, `wallet.card_not_found`, `wallet.amount_invalid` (range).
    package mutating func decide(_ ask: Wallet.ReloadCard, cause: JournaledCause) throws -> Decision {
        if let fault = rules.fault(of: ask.amount) { return .refused(fault) }
        return try keyed(ask.operation, ask, fingerprint: Fingerprint(of: ask), cause: cause) { group in
            let card = try group.cardIndex(ask.card, of: ask.customer)
            let funding = try group.ownIndex(.funding)
            try group.checkRange(ask.amount.amount, from: funding, to: card)
            let entry = group.move(ask.amount.amount, from: funding, to: card, .reload, ask.operation)
            return Done(
                .cardReloaded,
                Wallet.CardReloaded(
                    operation: ask.operation, card: entry.credit.reinterpreted(), customer: ask.customer,
                    amount: ask.amount, cardBalance: group.money(entry.creditAfter), entry: entry.number,
                    time: group.now))
        }
    }

    /// Makes a card the customer's default. Durable, without a fact, as no service consumes it.
    ///
    /// - Returns: `wallet.card_not_found`, or nil on success.
    package mutating func choose(_ ask: Wallet.ChooseCard) throws -> Fault? {
        do {
            _ = try cardIndex(ask.card, of: ask.customer)
        } catch let decline as Decline {
            return decline.fault
        }
        if try defaultCard(of: ask.customer) != ask.card { setDefaultCard(ask.card, of: ask.customer) }
        return nil
    }

    /// Opens a merchant's account, unless it exists.
    ///
    /// - Returns: `wallet.id_reused` if the id belongs to another account, or nil on success.
    package mutating func open(_ ask: Wallet.OpenAccount, cause: JournaledCause) throws -> Fault? {
        let id: AccountID = ask.merchant.reinterpreted()
        if let index = try index(id) { return account(at: index).kind == .merchant ? nil : Fault(.idReused) }
        if LedgerAccount.isReserved(id) { return Fault(.idReused) }
        insert(LedgerAccount(id: id, kind: .merchant, owner: ask.merchant, currency: rules.currency), .added)
        append(Done(.accountOpened, Wallet.AccountOpened(merchant: ask.merchant, time: now)), nil, nil, cause)
        return nil
    }
}
