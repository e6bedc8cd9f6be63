import Bus
import Contracts
import Primitives

/// The merchants that may be paid, according to auth.
///
/// The first payment of a merchant opens its account in the wallet. An approval is cached for a minute, or until the
/// fact of a rejection; a missing approval is asked for each time.
package struct Payees: Sendable {
    /// How long an approval is cached.
    package static let approvalMax = Duration.seconds(60)
    /// How long a payment waits for auth when the cached approval has to be read again, and a reader for names.
    package static let patience = Duration.seconds(1)

    private let accounts: AccountDirectory

    package init(asking bus: any Asking, clock: WallClock = .system) {
        accounts = AccountDirectory(asking: bus, clock: clock) { account, context throws(Fault) in
            guard account.role == .merchant else { return }
            _ = try await bus.ask(Wallet.OpenAccount(merchant: account.account), in: context)
        }
    }

    /// The merchant's name.
    ///
    /// - Throws: `payments.merchant_not_found` for an account that is no merchant.
    package nonisolated(nonsending) func name(
        of merchant: PartyID, in context: AskContext
    ) async throws(Fault) -> String {
        try Self.merchant(try await accounts.account(merchant, in: context)).name
    }

    /// The merchant's name and whether it is approved.
    ///
    /// - Throws: `payments.merchant_not_found` for an account that is no merchant.
    package nonisolated(nonsending) func payee(
        _ merchant: PartyID, in context: AskContext
    ) async throws(Fault) -> (name: String, isApproved: Bool) {
        let account: Auth.AccountView?
        if accounts.known(merchant)?.isApproved == true {
            account = try await accounts.account(
                merchant, within: Self.approvalMax, patience: Self.patience, in: context)
        } else {
            account = try await accounts.read(merchant, in: context)
        }
        let found = try Self.merchant(account)
        return (found.name, found.isApproved)
    }

    /// The name of a merchant with a cached approval; nil if auth has to be asked.
    package func payee(known merchant: PartyID) -> String? {
        guard let account = accounts.known(merchant, within: Self.approvalMax), account.role == .merchant,
            account.isApproved
        else { return nil }
        return account.name
    }

    package func isCustomer(_ party: PartyID, in context: AskContext) async throws(Fault) -> Bool {
        try await accounts.account(party, in: context)?.role == .customer
    }

    /// The names of some accounts, as far as auth gives them within `patience`.
    package func names(of parties: some Sequence<PartyID>, in context: AskContext) async -> [PartyID: String] {
        await accounts.found(parties, within: Self.patience, in: context).mapValues(\.name)
    }

    /// Call it when a merchant was rejected.
    package func forget(_ merchant: PartyID) { accounts.forget(merchant) }

    private static func merchant(_ account: Auth.AccountView?) throws(Fault) -> Auth.AccountView {
        guard let account, account.role == .merchant else { throw Fault(.merchantNotFound) }
        return account
    }
}
