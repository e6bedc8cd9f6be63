import Bus
import Contracts
import Primitives
import Synchronization

/// Merchants by id, as far as payments has met them: asked of auth once and remembered.
///
/// The first meeting also opens the merchant's account in the wallet, so that a payment never finds it missing.
package final class MerchantDirectory: Sendable {
    /// Merchants remembered. When full, all are forgotten and asked for again: simpler than a queue, and rare.
    package static let countMax = 100_000

    private let bus: any Asking
    private let names = Mutex<[PartyID: String]>([:])

    package init(asking bus: any Asking) { self.bus = bus }

    /// The merchant's name.
    /// - Throws: `payments.merchant_not_found` for anyone who is not a merchant.
    package nonisolated(nonsending) func name(
        of merchant: PartyID, in context: AskContext
    ) async throws(Fault) -> String {
        if let name = names.withLock({ $0[merchant] }) { return name }
        // These two are asked for the service's own sake, whoever the actor is.
        let own = context.onOwnBehalf
        let account = try await account(merchant, in: own)
        guard let account, account.role == .merchant else { throw Fault(.merchantNotFound) }
        _ = try await bus.ask(Wallet.OpenAccount(merchant: merchant), in: own)
        names.withLock { names in
            if names.count >= Self.countMax { names.removeAll() }
            names[merchant] = account.name
        }
        return account.name
    }

    /// Whether there is such a customer.
    package func isCustomer(_ party: PartyID, in context: AskContext) async throws(Fault) -> Bool {
        try await account(party, in: context.onOwnBehalf)?.role == .customer
    }

    private func account(_ party: PartyID, in context: AskContext) async throws(Fault) -> Auth.AccountView? {
        do throws(Fault) { return try await bus.ask(Auth.ReadAccount(account: party), in: context) } catch {
            if error.code == .partyNotFound { return nil }
            throw error
        }
    }
}
