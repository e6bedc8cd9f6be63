import Bus
import Contracts

/// The wallet's log of facts, for its publisher.
package struct LedgerFactLog: FactLog {
    private let store: any LedgerStore

    package init(_ store: any LedgerStore) { self.store = store }

    package func read(after sequence: Int64, limit: Int) async throws -> FactsPage {
        try store.read { try $0.factsPage(after: sequence, limit: limit) }
    }
}
