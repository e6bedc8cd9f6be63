import Bus
import Contracts
import Primitives

/// Closes requested charges whose time is up (A55). Asks the wallet, as everyone does: an approval that was faster
/// wins.
package struct ExpirySweep: Sendable {
    let desk: ChargeDesk

    package init(desk: ChargeDesk) { self.desk = desk }

    /// Charges closed in one sweep; the next sweep takes the rest.
    private static let sweepMax = 100

    package func run() async throws {
        for id in try await desk.store.overdue(at: desk.clock.now(), limit: Self.sweepMax) {
            let context = AskContext(deadline: desk.clock.now() + .seconds(5))
            _ = try await desk.closeInWallet(id, .expired, in: context)
        }
    }
}
