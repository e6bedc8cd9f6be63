import Bus
import Contracts
import Primitives
import Storage
import Wire

/// Reads what moved: on all accounts of a holder, and by one operation.
extension WalletPlan {
    static func readPayment(_ ask: Envelope) throws(Fault) -> WalletPlan {
        let read = try parse(Wallet.ReadPayment.self, ask)
        return .read { ledger in
            guard let row = try ledger.recorded(read.payment.reinterpreted()), row.kind == .paymentPosted else {
                return .fault(Fault(.paymentNotFound))
            }
            return Decision.recorded(row, replayed: true).outcome(Wallet.ReadPayment.Reply.self)
        }
    }

    static func readTransfer(_ ask: Envelope) throws(Fault) -> WalletPlan {
        let read = try parse(Wallet.ReadTransfer.self, ask)
        return .read { ledger in
            guard let row = try ledger.recorded(read.operation), row.kind == .transferPosted else {
                return .fault(Fault(.transferNotFound))
            }
            guard let posted = try? Wallet.TransferPosted(json: row.body) else {
                throw StoreFailure.damaged("fact \(row.sequence)")
            }
            guard posted.from.party == read.sender else { return .fault(Fault(.transferNotFound)) }
            return Decision.recorded(row, replayed: true).outcome(Wallet.ReadTransfer.Reply.self)
        }
    }

    static func readMovements(_ ask: Envelope) throws(Fault) -> WalletPlan {
        let read = try parse(Wallet.ReadMovements.self, ask)
        return .read { ledger in
            let ids = try accounts(of: read.holder, in: ledger)
            var walks: [AccountWalk] = []
            for id in ids {
                guard let account = try ledger.account(id), account.owner == read.holder.party else { continue }
                walks.append(
                    try AccountWalk(account, before: read.before, pace: read.limit / ids.count + 1, in: ledger))
            }
            var page: [Wallet.EntryView] = []
            var text = JSONWriter()  // how long the page will be
            var isCut = false
            // Numbers of entries grow over all accounts: the largest is the newest.
            while page.count < read.limit, let newest = walks.indices.max(by: { walks[$0].next < walks[$1].next }),
                walks[newest].next != 0
            {
                let (entry, side) = try walks[newest].entry(in: ledger)
                // A card's opening balance came from nowhere that anybody did something.
                if entry.kind == .opening {
                    walks[newest].pass()
                    continue
                }
                if let since = read.since, entry.time < since {
                    isCut = true
                    break
                }
                let view = view(entry, side, of: walks[newest])
                text.encode(view)
                if text.count > FactsPage.bytesMax, !page.isEmpty { break }
                page.append(view)
                walks[newest].pass()
            }
            let older = walks.map(\.next).max() ?? 0
            guard older != 0 else { return .reply(Wallet.ReadMovements.Reply(entries: page, next: nil).json) }
            // A first page that ends at `since` may be empty: the next one begins at its end all the same. A reader who
            // goes on with `since` comes to an end.
            let next = page.last?.entry ?? (isCut && read.before == nil ? older + 1 : nil)
            return .reply(Wallet.ReadMovements.Reply(entries: page, next: next).json)
        }
    }

    private static func accounts(
        of holder: Wallet.Holder, in ledger: any LedgerInspecting
    ) throws -> [AccountID] {
        switch (holder.role, holder.card) {
        case (.customer, nil): try ledger.cards(of: holder.party).map { $0.card.reinterpreted() }
        case (.customer, let card?): [card.reinterpreted()]
        case (.merchant, _): [holder.party.reinterpreted()]
        }
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

    /// - Parameter before: only what is older than this entry, whichever account that moved.
    init(_ account: LedgerAccount, before: Int64?, pace: Int, in ledger: any LedgerInspecting) throws {
        self.account = account
        self.pace = pace
        next = account.lastEntry
        guard let before, next >= before else { return }
        next =
            try ledger.entry(before)?.side(of: account.id)?.previous
            ?? ledger.newestEntry(of: account.id, before: before, from: next)
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
