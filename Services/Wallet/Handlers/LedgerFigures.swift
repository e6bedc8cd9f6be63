import Contracts
import Synchronization

/// Sums over the ledger for metrics, a while old. The first sum reads all accounts while payments wait; later ones
/// follow the changes. An altered file is found by the check of the ledger, not here.
package final class LedgerFigures: Sendable {
    private let store: any LedgerStore
    private let last = Mutex<[ServiceStats.Sample]>([])

    package init(_ store: any LedgerStore) { self.store = store }

    package var samples: [ServiceStats.Sample] { last.withLock { $0 } }

    /// Updates the sums. If an account cannot be read, they stay as they were, and the check of the ledger reports it.
    package func read() {
        guard let (sums, head) = try? store.read({ (try $0.accountSums(), try $0.head()) }) else { return }
        var samples = [ServiceStats.Sample(name: "ledger_entries", kind: "gauge", labels: [:], value: head.entry)]
        var totals: [String: Int64] = [:]
        for sum in sums {
            let labels = ["kind": sum.kind.name, "currency": sum.currency.code]
            totals[sum.currency.code, default: 0] &+= sum.balance
            samples += [
                .init(name: "ledger_accounts", kind: "gauge", labels: labels, value: sum.count),
                .init(name: "ledger_balance_minor", kind: "gauge", labels: labels, value: sum.balance),
                .init(name: "ledger_held_minor", kind: "gauge", labels: labels, value: sum.held)
            ]
        }
        for (currency, total) in totals {
            samples.append(
                .init(name: "ledger_total_minor", kind: "gauge", labels: ["currency": currency], value: total))
        }
        last.withLock { $0 = samples }
    }
}
