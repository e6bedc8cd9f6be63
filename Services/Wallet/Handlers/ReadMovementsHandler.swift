import Bus
import Contracts
import Primitives
import Storage
import Synchronization
import Wire

/// Reads what moved on all accounts of a holder.
///
/// A card that `before` did not move is searched along its entries for those before it. A search that is long goes on
/// in later turns of the reactor, so that payments do not wait for it.
package final class ReadMovementsHandler: Answering {
    /// Entries that all searches together pass over in one turn.
    private static let stepsMax = 500
    /// Entries that each search passes over in one turn at least.
    private static let stepsMin = 16
    /// The time between two turns of a search.
    private static let pause = Duration.milliseconds(1)

    private let wallet: WalletAnswering
    private let clock: WallClock
    /// Those that need more than one turn.
    private let searches = Atomic(0)

    package init(_ wallet: WalletAnswering, clock: WallClock) {
        self.wallet = wallet
        self.clock = clock
    }

    package func answer(
        _ ask: Wallet.ReadMovements, in context: AskContext
    ) async throws(Fault) -> Wallet.ReadMovements.Reply {
        var walk = MovementWalk(ask)
        if let page = try wallet.read({ try walk.page(steps: Self.stepsMax, in: $0) }) { return page }
        searches.add(1, ordering: .relaxed)
        defer { searches.subtract(1, ordering: .relaxed) }
        while clock.now() < context.deadline {
            try? await Task.sleep(for: Self.pause)
            let steps = max(Self.stepsMin, Self.stepsMax / searches.load(ordering: .relaxed))
            if let page = try wallet.read({ try walk.page(steps: steps, in: $0) }) { return page }
        }
        throw Fault(.deadlineExceeded)
    }
}

/// A way back through all accounts of a holder, newest first.
private struct MovementWalk {
    private let ask: Wallet.ReadMovements
    /// One for each account; nil before they were read.
    private var walks: [AccountWalk]?

    init(_ ask: Wallet.ReadMovements) { self.ask = ask }

    /// The page, or nil where its begin was not found within so many entries.
    mutating func page(steps: Int, in ledger: any LedgerInspecting) throws -> Wallet.ReadMovements.Reply? {
        var walks = try walks ?? accounts(in: ledger)
        if let before = ask.before {
            var steps = steps
            for index in walks.indices { try walks[index].search(before: before, &steps, in: ledger) }
            guard walks.allSatisfy({ $0.next < before }) else {
                self.walks = walks
                return nil
            }
        }
        return try Self.page(of: ask, along: walks, in: ledger)
    }

    private func accounts(in ledger: any LedgerInspecting) throws -> [AccountWalk] {
        let ids: [AccountID] =
            switch (ask.holder.role, ask.holder.card) {
            case (.customer, nil): try ledger.cards(of: ask.holder.party).map { $0.card.reinterpreted() }
            case (.customer, let card?): [card.reinterpreted()]
            case (.merchant, _): [ask.holder.party.reinterpreted()]
            }
        return try ids.compactMap { id in
            guard let account = try ledger.account(id), account.owner == ask.holder.party else { return nil }
            return AccountWalk(account, pace: ask.limit / ids.count + 1)
        }
    }

    private static func page(
        of ask: Wallet.ReadMovements, along walks: [AccountWalk], in ledger: any LedgerInspecting
    ) throws -> Wallet.ReadMovements.Reply {
        var walks = walks
        var page: [Wallet.EntryView] = []
        var text = JSONWriter()  // how long the page will be
        var isCut = false
        // Numbers of entries grow over all accounts: the largest is the newest.
        while let newest = walks.indices.max(by: { walks[$0].next < walks[$1].next }), walks[newest].next != 0 {
            // A transfer between two of the holder's cards moves both: no page ends between its sides.
            let isOtherSide = walks[newest].next == page.last?.entry
            guard page.count < ask.limit || isOtherSide else { break }
            let (entry, side) = try walks[newest].entry(in: ledger)
            // A card's opening balance came from nowhere that anybody did something.
            if entry.kind == .opening {
                walks[newest].pass()
                continue
            }
            if let since = ask.since, entry.time < since {
                isCut = true
                break
            }
            let view = view(entry, side, of: walks[newest])
            text.encode(view)
            if text.count > FactsPage.bytesMax, !page.isEmpty, !isOtherSide { break }
            page.append(view)
            walks[newest].pass()
        }
        let older = walks.map(\.next).max() ?? 0
        guard older != 0 else { return Wallet.ReadMovements.Reply(entries: page, next: nil) }
        // A first page that ends at `since` may be empty: the next one begins at its end all the same. A reader who
        // goes on with `since` comes to an end.
        let next = page.last?.entry ?? (isCut && ask.before == nil ? older + 1 : nil)
        return Wallet.ReadMovements.Reply(entries: page, next: next)
    }

    private static func view(
        _ entry: LedgerEntry, _ side: LedgerEntry.Side, of walk: AccountWalk
    ) -> Wallet.EntryView {
        let counterparty = walk.other(of: entry).flatMap { $0.kind.isUsers ? $0 : nil }
        return Wallet.EntryView(
            entry: entry.number, kind: entry.kind, operation: entry.operation,
            amount: Money(side.change, entry.currency), balance: Money(side.after, entry.currency), time: entry.time,
            memo: entry.memo, card: walk.account.kind == .card ? walk.account.id.reinterpreted() : nil,
            counterparty: counterparty?.owner,
            counterpartyRole: counterparty.map { $0.kind == .card ? .customer : .merchant })
    }
}

/// A way back through one account, from entry to entry.
private struct AccountWalk {
    let account: LedgerAccount
    /// The entry that comes next; 0 behind the first one.
    private(set) var next: Int64
    /// Entries that are read at once.
    private let pace: Int
    /// Those that have been read, the next one first.
    private var ahead: ArraySlice<(entry: LedgerEntry, side: LedgerEntry.Side)> = []
    /// The accounts on the other side of what has been read.
    private var others: [AccountID: LedgerAccount] = [:]

    init(_ account: LedgerAccount, pace: Int) {
        self.account = account
        self.pace = pace
        next = account.lastEntry
    }

    /// Goes back to the newest entry before `end`, whichever account that moved, as far as the steps reach.
    ///
    /// - Parameter steps: entries that may be passed over, less those that are.
    mutating func search(before end: Int64, _ steps: inout Int, in ledger: any LedgerInspecting) throws {
        guard next >= end, steps > 0 else { return }
        if let previous = try ledger.entry(end)?.side(of: account.id)?.previous {
            next = previous
        } else {
            let passed = try ledger.back(along: account.id, to: end, from: next, limit: steps)
            (next, steps) = (passed.next, steps - passed.steps)
        }
    }

    /// The next entry. There has to be one.
    mutating func entry(in ledger: any LedgerInspecting) throws -> (entry: LedgerEntry, side: LedgerEntry.Side) {
        if ahead.isEmpty {
            ahead = try ledger.history(of: account.id, from: next, limit: pace)[...]
            others.merge(try ledger.accounts(Set(ahead.map { otherID(of: $0.entry) }))) { $1 }
        }
        guard let first = ahead.first else { throw StoreFailure.damaged("entry \(next) of an account") }
        return first
    }

    /// The account on the other side of an entry that has been read.
    func other(of entry: LedgerEntry) -> LedgerAccount? { others[otherID(of: entry)] }

    private func otherID(of entry: LedgerEntry) -> AccountID {
        entry.debit == account.id ? entry.credit : entry.debit
    }

    /// Goes on behind the entry that was read.
    mutating func pass() {
        next = ahead.removeFirst().side.previous
    }
}
