import Contracts
import Synchronization

/// What the ledger adds up to, as it was a while ago: adding up the first time takes the longer the more accounts there
/// are (half a second for a million), and nobody pays meanwhile. Later it goes on with what moves: that a file was
/// altered beside the wallet is for the check of the ledger to tell.
package final class LedgerFigures: Sendable {
    private let store: any LedgerStore
    private let last = Mutex<[ServiceStats.Sample]>([])

    package init(_ store: any LedgerStore) { self.store = store }

    package var samples: [ServiceStats.Sample] { last.withLock { $0 } }

    /// Adds up. What cannot be read is told of by the check of the ledger, and leaves the figures as they were.
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
