import Bus
import Contracts
import Primitives

/// Merchants as those who may be paid, by what auth says of them.
///
/// The first meeting opens the merchant's account in the wallet, so that a payment never finds it missing. An approval
/// is believed for a minute, or until the fact of a rejection comes; a missing one is asked for each time.
package struct Payees: Sendable {
    /// How long an approval is believed.
    package static let approvalMax = Duration.seconds(60)
    /// How long the payment that asks for it again waits for auth.
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
    /// - Throws: `payments.merchant_not_found` for anyone who is not a merchant.
    package nonisolated(nonsending) func name(
        of merchant: PartyID, in context: AskContext
    ) async throws(Fault) -> String {
        try Self.merchant(try await accounts.account(merchant, in: context)).name
    }

    /// The merchant's name, and whether it may charge.
    ///
    /// - Throws: `payments.merchant_not_found` for anyone who is not a merchant.
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

    /// The name of a merchant of whom is known that it may charge; nil when that has to be asked.
    package func payee(known merchant: PartyID) -> String? {
        guard let account = accounts.known(merchant, within: Self.approvalMax), account.role == .merchant,
            account.isApproved
        else { return nil }
        return account.name
    }

    package func isCustomer(_ party: PartyID, in context: AskContext) async throws(Fault) -> Bool {
        try await accounts.account(party, in: context)?.role == .customer
    }

    /// What a customer is called; nil while auth cannot say.
    package func customerName(of customer: PartyID, in context: AskContext) async -> String? {
        let account = try? await accounts.account(customer, in: context)
        return account?.name
    }

    /// To be called when a merchant has been rejected.
    package func forget(_ merchant: PartyID) { accounts.forget(merchant) }

    private static func merchant(_ account: Auth.AccountView?) throws(Fault) -> Auth.AccountView {
        guard let account, account.role == .merchant else { throw Fault(.merchantNotFound) }
        return account
    }
}

extension Auth.AccountView {
    /// An auth that says nothing of approvals is older than they are.
    fileprivate var isApproved: Bool { status ?? .approved == .approved }
}
