import Bus
import Contracts
import Primitives
import Synchronization

/// Merchants by id, as far as payments has met them: asked of auth once and remembered.
///
/// The first meeting also opens the merchant's account in the wallet, so that a payment never finds it missing.
///
/// An approval is remembered, a missing one is not. Whoever is rejected later is forgotten when the fact is heard
/// (`forget`); since facts can get lost on the way, an approval older than a minute is asked for again by one payment,
/// which goes on with the old one if auth is away.
package final class MerchantDirectory: Sendable {
    /// Merchants remembered. When full, all are forgotten and asked for again: simpler than a queue, and rare.
    package static let countMax = 100_000
    /// How long an approval is believed.
    package static let approvalMax = Duration.seconds(60)
    /// How long the payment that asks for it again waits for auth.
    package static let askingMax = Duration.seconds(1)

    private struct Entry {
        let name: String
        let isApproved: Bool
        /// When auth was last asked.
        var asked: Timestamp
    }

    private let bus: any Asking
    private let clock: WallClock
    private struct State {
        var entries: [PartyID: Entry] = [:]
        /// Grows with every rejection that was heard. What was asked for before one is not remembered after it: it may be
        /// from before.
        var rejections: UInt64 = 0
    }
    private let state = Mutex(State())

    package init(asking bus: any Asking, clock: WallClock = .system) {
        self.bus = bus
        self.clock = clock
    }

    /// The merchant's name.
    /// - Throws: `payments.merchant_not_found` for anyone who is not a merchant.
    package nonisolated(nonsending) func name(
        of merchant: PartyID, in context: AskContext
    ) async throws(Fault) -> String {
        if let entry = state.withLock({ $0.entries[merchant] }) { return entry.name }
        return try await meet(merchant, in: context).name
    }

    /// The merchant's name, and whether it may charge (A36).
    /// - Throws: `payments.merchant_not_found` for anyone who is not a merchant.
    package nonisolated(nonsending) func payee(
        _ merchant: PartyID, in context: AskContext
    ) async throws(Fault) -> (name: String, isApproved: Bool) {
        let now = clock.now()
        // Only one finds it old: the others go on with it meanwhile.
        let (known, isOld) = state.withLock { state in
            guard let entry = state.entries[merchant], entry.isApproved else { return (Entry?.none, false) }
            let age = now - entry.asked
            let isOld = age < .zero || age >= Self.approvalMax
            if isOld { state.entries[merchant]?.asked = now }
            return (entry, isOld)
        }
        guard let known else {
            let met = try await meet(merchant, in: context)
            return (met.name, met.isApproved)
        }
        guard isOld else { return (known.name, true) }
        do throws(Fault) {
            let met = try await meet(merchant, in: context.by(now + Self.askingMax))
            return (met.name, met.isApproved)
        } catch {
            if error.code == .merchantNotFound { throw error }
            return (known.name, true)
        }
    }

    /// To be called when a merchant has been rejected.
    package func forget(_ merchant: PartyID) {
        state.withLock { state in
            state.rejections &+= 1
            state.entries[merchant] = nil
        }
    }

    private nonisolated(nonsending) func meet(
        _ merchant: PartyID, in context: AskContext
    ) async throws(Fault) -> Entry {
        // These two are asked for the service's own sake, whoever the actor is.
        let own = context.onOwnBehalf
        let asked = clock.now()
        let (isKnown, rejections) = state.withLock { ($0.entries[merchant] != nil, $0.rejections) }
        let account = try await account(merchant, in: own)
        guard let account, account.role == .merchant else { throw Fault(.merchantNotFound) }
        if !isKnown { _ = try await bus.ask(Wallet.OpenAccount(merchant: merchant), in: own) }
        // An auth that says nothing of approvals is older than they are.
        let entry = Entry(name: account.name, isApproved: account.status ?? .approved == .approved, asked: asked)
        state.withLock { state in
            guard state.rejections == rejections else { return }
            if state.entries.count >= Self.countMax { state.entries.removeAll() }
            state.entries[merchant] = entry
        }
        return entry
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
