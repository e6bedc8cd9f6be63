import Contracts

extension RouteTable {
    static let merchantAccount = [
        Route(
            .get, "/v1/account", "readAccount", "The merchant's balance", for: .merchant,
            asks: [Wallet.ReadAccount.self, Wallet.OpenAccount.self], unseen: [.accountNotFound]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Wallet.AccountView> in
            do throws(Fault) {
                return Given(try await call.ask(Wallet.ReadAccount(merchant: call.account)))
            } catch {
                guard error.code == .accountNotFound else { throw error }
                // The wallet was away when the merchant was registered.
                return Given(try await call.ask(Wallet.OpenAccount(merchant: call.account)))
            }
        },
        Route(
            .get, "/v1/account/entries", "readAccountEntries", "What moved on the merchant's account, newest first",
            for: .merchant, query: QueryParameter.page, asks: [Wallet.ReadEntries.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Wallet.ReadEntries.Reply> in
            let holder = Wallet.Holder(party: call.account, role: .merchant)
            return Given(
                try await call.ask(
                    Wallet.ReadEntries(
                        holder: holder, before: try call.query.before(), limit: try call.query.limit())))
        }
    ]
}
