import Bus
import Contracts
import Primitives

/// Asks about cards and merchants' accounts.
extension WalletPlan {
    static func addCard(_ ask: Envelope) throws(Fault) -> WalletPlan {
        let add = try parse(Wallet.AddCard.self, ask)
        let cause = JournaledCause(ask)
        return .operate { try $0.decide(add, cause: cause).outcome(Wallet.AddCard.Reply.self) }
    }

    static func reloadCard(_ ask: Envelope) throws(Fault) -> WalletPlan {
        let reload = try parse(Wallet.ReloadCard.self, ask)
        let cause = JournaledCause(ask)
        return .operate { try $0.decide(reload, cause: cause).outcome(Wallet.ReloadCard.Reply.self) }
    }

    static func chooseCard(_ ask: Envelope) throws(Fault) -> WalletPlan {
        let choose = try parse(Wallet.ChooseCard.self, ask)
        return .change({ try $0.choose(choose) }, then: { try cardView(choose.card, of: choose.customer, in: $0) })
    }

    static func readCard(_ ask: Envelope) throws(Fault) -> WalletPlan {
        let read = try parse(Wallet.ReadCard.self, ask)
        return .read { try cardView(read.card, of: read.customer, in: $0) }
    }

    static func readCards(_ ask: Envelope) throws(Fault) -> WalletPlan {
        let read = try parse(Wallet.ReadCards.self, ask)
        return .read { ledger in
            let chosen = try ledger.defaultCard(of: read.customer)
            let cards = try ledger.cards(of: read.customer).compactMap { card in
                try ledger.account(card.card.reinterpreted()).map { Wallet.CardView(card, $0, chosen) }
            }
            return .reply(Wallet.ReadCards.Reply(cards: cards).json)
        }
    }

    /// One card, or the default card if none is named. Another customer's card is not found.
    private static func cardView(
        _ named: CardID?, of customer: PartyID, in ledger: any LedgerInspecting
    ) throws -> Outcome {
        let chosen = try ledger.defaultCard(of: customer)
        guard let id = named ?? chosen else { return .fault(Fault(.noCard)) }
        guard let card = try ledger.card(id), card.customer == customer,
            let account = try ledger.account(id.reinterpreted())
        else { return .fault(Fault(.cardNotFound)) }
        return .reply(Wallet.CardView(card, account, chosen).json)
    }

    static func openAccount(_ ask: Envelope) throws(Fault) -> WalletPlan {
        let open = try parse(Wallet.OpenAccount.self, ask)
        let cause = JournaledCause(ask)
        return .change({ try $0.open(open, cause: cause) }, then: { try accountView(open.merchant, in: $0) })
    }

    static func readAccount(_ ask: Envelope) throws(Fault) -> WalletPlan {
        let read = try parse(Wallet.ReadAccount.self, ask)
        return .read { try accountView(read.merchant, in: $0) }
    }

    private static func accountView(_ merchant: PartyID, in ledger: any LedgerInspecting) throws -> Outcome {
        guard let account = try ledger.account(merchant.reinterpreted()), account.kind == .merchant else {
            return .fault(Fault(.accountNotFound))
        }
        return .reply(
            Wallet.AccountView(merchant: merchant, balance: Money(account.balance, account.currency)).json)
    }
}

extension Wallet.CardView {
    fileprivate init(_ card: CardRecord, _ account: LedgerAccount, _ chosen: CardID?) {
        self.init(
            card: card.card, lastFour: card.lastFour, balance: Money(account.balance, account.currency),
            available: Money(account.available, account.currency), isDefault: card.card == chosen)
    }
}
