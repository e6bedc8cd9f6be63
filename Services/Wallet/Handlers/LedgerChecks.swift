import Contracts
import Primitives
import Synchronization

/// The checks of the ledger that are under way, stretch by stretch, and the newest that has ended.
package final class LedgerChecks: Sendable {
    /// Checks under way at once. One that was given up is never ended, so a further one forgets all of them.
    private static let openMax = 16

    private struct State {
        /// What was found up to where the next stretch begins.
        var open: [Int64: Found] = [:]
        var last: Wallet.Verification?
        var pace = StretchPace()
    }

    private struct Found {
        var checked: Int64 = 0
        var problems: Int64 = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// The newest check that went through the whole ledger; nil until there is one.
    package var last: Wallet.Verification? { state.withLock { $0.last } }

    /// The newest whole check, for metrics.
    package var samples: [ServiceStats.Sample] {
        guard let last else { return [] }
        return [
            ("ledger_check_timestamp_seconds", last.time.milliseconds * 1000), ("ledger_check_entries", last.checked),
            ("ledger_check_problems", last.problems)
        ].map { .init(name: $0, kind: "gauge", labels: [:], value: $1) }
    }

    /// How many rows a stretch may have for which so many are asked.
    package func rows(atMost limit: Int) -> Int { state.withLock { $0.pace.rows(atMost: limit) } }

    /// Adds a stretch to the check that it continues. One that continues none is not part of a whole.
    ///
    /// - Parameters:
    ///   - rows: the most that it could have.
    ///   - nanoseconds: how long it took.
    package func note(
        _ stretch: Wallet.VerifyLedger.Reply, after: Int64, at now: Timestamp, rows: Int, nanoseconds: UInt64
    ) {
        state.withLock { state in
            // The last stretch adds up all accounts, whatever rows it has.
            if stretch.next != nil { state.pace.note(nanoseconds, of: rows) }
            let before = after == 0 ? Found() : state.open.removeValue(forKey: after)
            guard var found = before else { return }
            found.checked += stretch.checked
            found.problems += Int64(stretch.problems.count)
            if let next = stretch.next {
                if state.open.count >= Self.openMax { state.open = [:] }
                state.open[next] = found
            } else {
                state.last = Wallet.Verification(time: now, checked: found.checked, problems: found.problems)
            }
        }
    }
}
