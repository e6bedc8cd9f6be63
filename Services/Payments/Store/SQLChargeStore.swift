import Bus
import Contracts
import Primitives
import Storage

/// Payments' database.
package final class SQLChargeStore: ChargeStore {
    package let store: Store
    package let disabled: DisabledCustomers
    let charges: ChargeTable

    /// - Parameter rowsAheadMax: see `KeysAhead.placesMax`.
    /// - Throws: as `Store.init`.
    package convenience init(_ place: StorePlace, rowsAheadMax: Int = KeysAhead.placesMax) throws {
        try self.init(Store(place, migrations: ChargeMigrations.all), rowsAheadMax)
    }

    /// A store that ends with the process: for tests.
    package convenience init(rowsAheadMax: Int = KeysAhead.placesMax) throws {
        try self.init(Store(forTests: ChargeMigrations.all), rowsAheadMax)
    }

    private init(_ store: Store, _ rowsAheadMax: Int) throws {
        self.store = store
        (charges, disabled) = try store.opening { transaction in
            (
                try ChargeTable(transaction, rowsAheadMax: rowsAheadMax),
                DisabledCustomers(try transaction.values("SELECT customer FROM disabled"))
            )
        }
        store.afterRollback { [charges] in charges.undone($0) }
    }

    package func request(
        _ charge: Charge, waitingMax: Int, ofKnown: Bool, causedBy context: AskContext
    ) async throws(Fault) -> Requesting {
        try await store.write { [charges] transaction in
            if let known = try charges.find(charge.id) { return .existed(known.charge, number: known.row) }
            if ofKnown, try !charges.isKnown(charge.merchant, to: charge.customer, in: transaction) { return .stranger }
            guard let expires = charge.expires else { throw StoreFailure.constraint("a request without an end") }
            let waiting = try charges.requests.waiting(
                of: charge.merchant, for: charge.customer, at: charge.requested)
            if waiting.count >= waitingMax { return .tooManyWait(until: waiting.firstEnd ?? expires) }
            try charges.begin()
            try charges.write(Charge.apply(.requested(charge), to: nil), to: nil, in: transaction, because: context)
            try charges.finish()
            return .recorded(number: charges.newest)
        }
    }

    package func charge(_ id: ChargeID) async throws(Fault) -> Charge? {
        try await store.read { [charges] _ in try charges.find(id)?.charge }
    }

    package func number(of charge: ChargeID) async throws(Fault) -> Int64? {
        try await store.read { [charges] _ in try charges.find(charge)?.row }
    }

    package func charge(number: Int64) async throws(Fault) -> Charge? {
        try await store.read { [charges] _ in try charges.charge(in: number) }
    }

    package func charges(
        of party: PartyID, state: Payments.ChargeState?, since: Timestamp?, before: Int64?, limit: Int,
        isLate: @Sendable () -> Bool
    ) async throws(Fault) -> ChargePage {
        @Sendable func read(_ page: HistoryPage) throws -> HistoryReading {
            var page = page
            guard try page.search(atMost: Self.chargesPerSearch) else { return .searching(page) }
            var found = ChargePage()
            for read in 0..<Self.chargesPerPage {
                guard let (row, charge) = try page.peek() else { return .found(found) }
                // The page ends before the first charge that is too old. A page that begins there is the last one, so
                // that a reader who goes on comes to an end.
                if let since, HistoryPlace(charge, in: row).moment < since {
                    if read > 0 || before == nil { found.next = try page.next ?? 0 }
                    return .found(found)
                }
                if charge.isParty(party), state == nil || charge.state == state {
                    if found.charges.count == limit { break }
                    found.charges.append(charge)
                    found.numbers.append(row)
                }
                page.take()
            }
            found.next = try page.next
            return .found(found)
        }
        var reading = try await store.read { [charges] _ in
            try HistoryPage(of: party, behind: before ?? 0, limit: limit, state: state, charges).map(read)
        }
        // Others are answered between two steps of a search.
        while case .searching(let page) = reading {
            guard !isLate() else { throw Fault(.deadlineExceeded) }
            reading = try await store.read { _ in try read(page) }
        }
        return if case .found(let page) = reading { page } else { ChargePage() }
    }

    private enum HistoryReading {
        case found(ChargePage)
        case searching(HistoryPage)
    }

    /// Charges that one page reads at most, so that a search for a rare state does not delay others. Such a page is
    /// short and has a next one.
    private static let chargesPerPage = 2_000
    /// Charges that one step of a search for a page's begin passes over.
    private static let chargesPerSearch = 500

    package func overdue(at now: Timestamp, limit: Int) async throws(Fault) -> [ChargeID] {
        try await store.read {
            try $0.values(
                "SELECT id FROM charges WHERE state = 0 AND expires <= ? ORDER BY expires LIMIT ?", now, limit)
        }
    }

    package func enable(_ customer: PartyID, _ enabled: Bool) async throws(Fault) {
        try await store.write { transaction in
            try transaction.run(
                enabled
                    ? "DELETE FROM disabled WHERE customer = ?"
                    : "INSERT INTO disabled (customer) VALUES (?) ON CONFLICT DO NOTHING", customer)
        }
        // Memory takes what is committed: a change that fails with its group leaves it as it was.
        try await store.read { [disabled] transaction in
            let found: PartyID? = try transaction.value("SELECT customer FROM disabled WHERE customer = ?", customer)
            disabled.note(customer, enabled: found == nil)
        }
    }

    package func apply(_ facts: [Envelope]) async throws(Fault) {
        try await store.write { [charges] transaction in
            var turns = ShortTurns()
            try charges.begin()
            let news = try transaction.take(facts, from: Wallet.service).map { fact in
                turns.mayEnd()
                return (fact, try Charge.Event(fact))
            }
            try charges.prefetch(news.compactMap(\.1))
            for (fact, event) in news {
                if let event {
                    let known = try charges.find(event.charge)
                    try charges.write(
                        Charge.apply(event, to: known?.charge), to: known?.row, in: transaction,
                        because: AskContext(from: fact))
                } else if fact.type == Wallet.TransferPosted.type.name {
                    let transfer = try Wallet.TransferPosted(json: fact.data)
                    try transaction.publish(
                        transfer.wasReceived, at: transfer.time, because: AskContext(from: fact))
                }
                turns.mayEnd()
            }
            try charges.finish { turns.mayEnd() }
            if let newest = news.last?.0.time {
                try Self.forgetCodes(before: newest - PayCode.remembered, in: transaction)
            }
        }
    }

    package func walletPosition() async throws(Fault) -> FactPosition { try await store.position(of: Wallet.service) }

    package func read(after sequence: Int64, limit: Int) async throws -> FactsPage {
        try await store.read(after: sequence, limit: limit)
    }
}
