import Bus
import Contracts
import Primitives

/// Closes requested charges that have expired. The wallet decides: an approval that came first wins.
package struct ExpirySweep: Sendable {
    let service: ChargeService

    package init(service: ChargeService) { self.service = service }

    /// Charges that one sweep closes; the next sweep closes the rest.
    private static let sweepMax = 100

    package func run() async throws {
        var failure: Fault?
        for id in try await service.store.overdue(at: service.clock.now(), limit: Self.sweepMax) {
            let context = AskContext(deadline: service.clock.now() + .seconds(5))
            do throws(Fault) { _ = try await service.closeInWallet(id, .expired, in: context) } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }
}
