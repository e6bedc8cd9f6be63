import Contracts
import Primitives
import Synchronization

/// Accounts by id: read from auth once and remembered, with their names, roles and approval.
///
/// A fact or a reply that carries the name needs no look-up; this is for those that do not.
package final class AccountDirectory: Sendable {
    /// Runs before an account is remembered for the first time. An account for which it throws is not remembered.
    package typealias Meeting = @Sendable (Auth.AccountView, AskContext) async throws(Fault) -> Void

    /// Accounts remembered.
    package static let countMax = 100_000
    /// How long `found` does not ask again for an account that auth does not have.
    package static let missingMax = Duration.seconds(5)

    private struct Entry {
        let account: Auth.AccountView
        /// When auth was last asked.
        var asked: Timestamp
    }

    private struct State {
        var entries = Remembered<PartyID, Entry>(atMost: countMax)
        /// When auth was last asked about an account that it does not have.
        var missing = Remembered<PartyID, Timestamp>(atMost: countMax)
        /// Grows with every `forget`. What was asked before one is not remembered after it: it may be out of date.
        var forgotten: UInt64 = 0
    }

    private let bus: any Asking
    private let clock: WallClock
    private let meeting: Meeting
    private let state = Mutex(State())

    package init(
        asking bus: any Asking, clock: WallClock = .system,
        meeting: @escaping Meeting = { _, _ throws(Fault) in }
    ) {
        self.bus = bus
        self.clock = clock
        self.meeting = meeting
    }

    /// The account as auth last gave it; nil for one that is not remembered.
    package func known(_ id: PartyID) -> Auth.AccountView? { state.withLock { $0.entries[id]?.account } }

    /// The same; nil also when auth was last asked longer ago than `age`.
    package func known(_ id: PartyID, within age: Duration) -> Auth.AccountView? {
        let now = clock.now()
        return state.withLock { state in
            guard let entry = state.entries[id], Self.isFresh(entry.asked, within: age, at: now) else { return nil }
            return entry.account
        }
    }

    /// The account as it is remembered, or else as auth has it; nil where there is none.
    package nonisolated(nonsending) func account(
        _ id: PartyID, in context: AskContext
    ) async throws(Fault) -> Auth.AccountView? {
        if let known = known(id) { return known }
        return try await read(id, in: context)
    }

    /// The account as auth had it at most `age` ago, or as it is remembered while auth cannot say within `patience`.
    ///
    /// One caller asks about an account whose time is up; the others go on meanwhile with what is remembered.
    package nonisolated(nonsending) func account(
        _ id: PartyID, within age: Duration, patience: Duration, in context: AskContext
    ) async throws(Fault) -> Auth.AccountView? {
        let now = clock.now()
        let (known, isFresh) = state.withLock { state in
            guard let entry = state.entries[id] else { return (Auth.AccountView?.none, false) }
            let isFresh = Self.isFresh(entry.asked, within: age, at: now)
            if !isFresh { state.entries[id]?.asked = now }
            return (entry.account, isFresh)
        }
        guard let known else { return try await read(id, in: context) }
        if isFresh { return known }
        do throws(Fault) { return try await read(id, in: context.by(now + patience)) } catch { return known }
    }

    /// The account as auth has it now; nil where there is none.
    package nonisolated(nonsending) func read(
        _ id: PartyID, in context: AskContext
    ) async throws(Fault) -> Auth.AccountView? {
        // Asked for the service's own sake, whoever the actor is.
        let own = context.onOwnBehalf
        let asked = clock.now()
        let (isKnown, forgotten) = state.withLock { ($0.entries[id] != nil, $0.forgotten) }
        let account: Auth.AccountView
        do throws(Fault) { account = try await bus.ask(Auth.ReadAccount(account: id), in: own) } catch {
            guard error.code == .partyNotFound else { throw error }
            state.withLock { if $0.forgotten == forgotten { $0.missing[id] = asked } }
            return nil
        }
        if !isKnown { try await meeting(account, own) }
        state.withLock { state in
            guard state.forgotten == forgotten else { return }
            state.entries[id] = Entry(account: account, asked: asked)
            state.missing[id] = nil
        }
        return account
    }

    /// Those of some accounts that are found within `patience`: for names that only adorn what a service says.
    ///
    /// - Parameter age: as of `account(_:within:patience:in:)`; nil for accounts as they are remembered.
    package func found(
        _ wanted: some Sequence<PartyID>, within patience: Duration, noOlderThan age: Duration? = nil,
        in context: AskContext = AskContext(deadline: Timestamp(milliseconds: .max))
    ) async -> [PartyID: Auth.AccountView] {
        let now = clock.now()
        let patient = context.by(now + patience)
        var found: [PartyID: Auth.AccountView] = [:]
        for id in wanted where found[id] == nil && !isMissing(id, at: now) {
            do throws(Fault) {
                found[id] =
                    if let age { try await account(id, within: age, patience: patience, in: patient) } else {
                        try await account(id, in: patient)
                    }
            } catch {
                // Auth is not there: the others need not wait for it too.
                if FaultCode.common.contains(error.code) { break }
            }
        }
        return found
    }

    private func isMissing(_ id: PartyID, at now: Timestamp) -> Bool {
        state.withLock { $0.missing[id].map { Self.isFresh($0, within: Self.missingMax, at: now) } ?? false }
    }

    /// Whether others than the merchant may see what it shows: an administrator has approved it.
    package nonisolated(nonsending) func isShown(
        _ merchant: PartyID, in context: AskContext
    ) async throws(Fault) -> Bool {
        // An approval counts at once.
        try await isApproved(merchant, otherwiseWithin: .zero, in: context)
    }

    /// Whether auth has the merchant, and no administrator has approved it.
    ///
    /// - Throws: where auth cannot be asked about a merchant that is not remembered.
    package nonisolated(nonsending) func isRefused(
        _ merchant: PartyID, in context: AskContext
    ) async throws(Fault) -> Bool {
        try await decided(merchant, otherwiseWithin: .zero, in: context)?.isApproved == false
    }

    /// - Parameter age: how long it is remembered that a merchant is not approved.
    private nonisolated(nonsending) func isApproved(
        _ merchant: PartyID, otherwiseWithin age: Duration, in context: AskContext
    ) async throws(Fault) -> Bool {
        try await decided(merchant, otherwiseWithin: age, in: context)?.isApproved == true
    }

    private nonisolated(nonsending) func decided(
        _ merchant: PartyID, otherwiseWithin age: Duration, in context: AskContext
    ) async throws(Fault) -> Auth.AccountView? {
        let age = known(merchant)?.isApproved == false ? age : Self.approvalMax
        return try await account(merchant, within: age, patience: Self.patience, in: context)
    }

    /// Whether what a merchant shows is hidden from others, as `isShown` says. The merchant itself and administrators
    /// may see it all the same.
    ///
    /// - Throws: `refusal`, where whoever asks may not.
    package nonisolated(nonsending) func isHidden(
        _ merchant: PartyID, in context: AskContext, or refusal: FaultCode
    ) async throws(Fault) -> Bool {
        if try await isShown(merchant, in: context) { return false }
        guard let actor = context.actor, actor.party == merchant || actor.role == .administrator else {
            throw Fault(refusal)
        }
        return true
    }

    /// How long an approval is remembered; the fact of a decision ends it sooner.
    package static let approvalMax = Duration.seconds(60)
    /// How long an answer waits for auth when a remembered approval has to be read again.
    private static let patience = Duration.seconds(1)

    /// One page of a list without the merchants whom others may not see.
    ///
    /// - Parameter list: rows from a position on, at most so many.
    /// - Returns: the rows, and the position at which the next page begins. A page may have fewer rows than `limit`.
    package nonisolated(nonsending) func shown<Item: Sendable>(
        skip: Int, limit: Int, in context: AskContext, of merchant: (Item) -> PartyID,
        from list: (_ skip: Int, _ limit: Int) async throws(Fault) -> [Item]
    ) async throws(Fault) -> (items: [Item], next: Int?) {
        let rows = try await list(skip, Self.rowsMax)
        var shown: [Item] = []
        for (index, row) in rows.enumerated()
        where try await isApproved(merchant(row), otherwiseWithin: Self.listedMax, in: context) {
            if shown.count == limit { return (shown, skip + index) }
            shown.append(row)
        }
        return (shown, rows.count == Self.rowsMax ? skip + rows.count : nil)
    }

    /// How long lists remember that a merchant is not approved, and do not ask; the fact of a decision ends it sooner.
    private static let listedMax = Duration.seconds(5)

    /// Rows that one page reads: so many merchants are asked for at most.
    private static let rowsMax = 200

    /// To be called when an account has another name, or a merchant was decided on.
    package func forget(_ id: PartyID) {
        state.withLock { state in
            state.forgotten &+= 1
            state.entries[id] = nil
            state.missing[id] = nil
        }
    }

    private static func isFresh(_ asked: Timestamp, within age: Duration, at now: Timestamp) -> Bool {
        let past = now - asked
        return past >= .zero && past < age
    }
}

extension Auth.AccountView {
    /// An older auth without approvals says nothing: all are approved.
    package var isApproved: Bool { status ?? .approved == .approved }
}
