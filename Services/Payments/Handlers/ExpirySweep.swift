import Bus
import Contracts
import Primitives

/// Closes requested charges whose time is up (A55). Asks the wallet, as everyone does: an approval that was faster
/// wins.
package struct ExpirySweep: Sendable {
    let service: ChargeService

    package init(service: ChargeService) { self.service = service }

    /// Charges closed in one sweep; the next sweep takes the rest.
    private static let sweepMax = 100

    package func run() async throws {
        for id in try await service.store.overdue(at: service.clock.now(), limit: Self.sweepMax) {
            let context = AskContext(deadline: service.clock.now() + .seconds(5))
            _ = try await service.closeInWallet(id, .expired, in: context)
        }
    }
}
