import Synchronization

/// The newest of the wallet's facts that this process has told anyone of. Readers wait until it has been applied, so
/// that whoever got an answer finds what it said.
package final class WalletWatermark: Sendable {
    private let newest = Atomic<Int64>(0)

    package init() {}

    package var sequence: Int64 { newest.load(ordering: .acquiring) }

    package func raise(to sequence: Int64) { newest.max(sequence, ordering: .acquiringAndReleasing) }
}
