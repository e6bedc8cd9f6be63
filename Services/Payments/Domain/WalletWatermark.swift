import Synchronization

/// The sequence of the newest fact of the wallet that this process has answered for. Reads wait until it is applied, so
/// that they show what was answered.
package final class WalletWatermark: Sendable {
    private let newest = Atomic<Int64>(0)

    package init() {}

    package var sequence: Int64 { newest.load(ordering: .acquiring) }

    package func raise(to sequence: Int64) { newest.max(sequence, ordering: .acquiringAndReleasing) }
}
