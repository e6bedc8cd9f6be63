import Bus
import Contracts
import Primitives
import Storage
import Wire

/// Asks about entries and facts.
extension WalletPlan {
    /// Entries of one page at most: with memos of 512 bytes, each character escaped, they still fit into an envelope.
    private static let pageBytesMax = FactsPage.bytesMax

    static func readEntries(_ ask: Envelope) throws(Fault) -> WalletPlan {
        let read = try parse(Wallet.ReadEntries.self, ask)
        return .read { ledger in
            let id: AccountID
            switch read.holder.role {
            case .customer:
                guard let card = try read.holder.card ?? ledger.defaultCard(of: read.holder.party) else {
                    return .fault(Fault(.noCard))
                }
                id = card.reinterpreted()
            case .merchant: id = read.holder.party.reinterpreted()
            }
            let (kind, missing) =
                read.holder.role == .customer
                ? (AccountKind.card, FaultCode.cardNotFound) : (.merchant, .accountNotFound)
            guard let account = try ledger.account(id), account.kind == kind, account.owner == read.holder.party else {
                return .fault(Fault(missing))
            }
            return try entries(of: account, before: read.before, limit: read.limit, in: ledger)
        }
    }

    /// Reads the entries of one account, from the newest back.
    private static func entries(
        of account: LedgerAccount, before: Int64?, limit: Int, in ledger: any LedgerInspecting
    ) throws -> Outcome {
        var next = account.lastEntry
        if let before {
            guard let side = try ledger.entry(before)?.side(of: account.id) else {
                return .fault(Fault(.malformed, "'before' is not an entry of this account"))
            }
            next = side.previous
        }
        var page: [Wallet.EntryView] = []
        var text = JSONWriter()  // how long the page will be
        for (entry, side) in try ledger.history(of: account.id, from: next, limit: limit) {
            let view = Wallet.EntryView(
                entry: entry.number, kind: entry.kind, operation: entry.operation,
                amount: Money(side.change, entry.currency), balance: Money(side.after, entry.currency),
                time: entry.time, memo: entry.memo)
            text.encode(view)
            if text.count > pageBytesMax, !page.isEmpty { break }
            page.append(view)
            next = side.previous
        }
        let more = next == 0 ? nil : page.last?.entry
        return .reply(Wallet.ReadEntries.Reply(entries: page, next: more).json)
    }

    static func readLedger(_ ask: Envelope, _ checks: LedgerChecks) throws(Fault) -> WalletPlan {
        _ = try parse(Wallet.ReadLedger.self, ask)
        return .read { ledger in
            let head = try ledger.head()
            var sums: [AccountKind: (count: Int64, balance: Int64)] = [:]
            var held: Int64 = 0
            var currency = Currency.usd
            for each in try ledger.accountSums() {
                let sum = sums[each.kind, default: (0, 0)]
                // `LedgerAccount.balanceMax` keeps these in range. A damaged file must not end the process.
                sums[each.kind] = (sum.count + each.count, sum.balance &+ each.balance)
                held &+= each.held
                currency = each.currency
            }
            return .reply(
                Wallet.ReadLedger.Reply(
                    accounts: AccountKind.allCases.map { kind in
                        let sum = sums[kind, default: (0, 0)]
                        return Wallet.ReadLedger.Sum(
                            kind: kind.name, count: sum.count, balance: Money(sum.balance, currency))
                    },
                    total: Money(sums.values.reduce(0) { $0 &+ $1.balance }, currency),
                    held: Money(held, currency), entries: head.entry, head: hexDigits(head.hash), sequence: head.fact,
                    chain: head.fact > 0 ? hexDigits(head.chain) : nil, verified: checks.last
                ).json)
        }
    }

    static func verifyLedger(
        _ ask: Envelope, now: Timestamp, _ checks: LedgerChecks
    ) throws(Fault) -> WalletPlan {
        let verify = try parse(Wallet.VerifyLedger.self, ask)
        return .read {
            let asked = verify.anchor.map {
                LedgerAnchor(sequence: $0.sequence, chain: $0.chain, origin: "the head that was given")
            }
            let (rows, start) = (checks.rows(atMost: verify.limit), monotonicNanoseconds())
            let stretch = try LedgerCheck.run($0, after: verify.after, limit: rows, now: now, anchor: asked)
            checks.note(
                stretch, after: verify.after, at: now, rows: rows, nanoseconds: monotonicNanoseconds() - start)
            return .reply(stretch.json)
        }
    }
}

extension LedgerInspecting {
    /// Facts after a sequence: at most `limit`, and no more than fit into one envelope.
    package func factsPage(after sequence: Int64, limit: Int) throws -> FactsPage {
        var facts: [RawJSON] = []
        var bytes = 0
        try journal(after: sequence, limit: limit) { row in
            let fact = row.published.envelope
            bytes += fact.count + 1
            guard bytes <= FactsPage.bytesMax || facts.isEmpty else { return false }
            facts.append(RawJSON(fact))
            return true
        }
        return FactsPage(facts: facts, head: try head().fact)
    }
}
