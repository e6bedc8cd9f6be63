import Bus
import Contracts
import Primitives

/// Closes requested charges that have expired. The wallet decides: an approval that came first wins.
package struct ExpirySweep: Sendable {
    let service: ChargeService

    package init(service: ChargeService) { self.service = service }

    /// Charges that are closed at once.
    private static let groupMax = 100

    package func run() async throws {
        var last: [ChargeID] = []
        while true {
            let due = try await service.store.overdue(at: service.clock.now(), limit: Self.groupMax)
            // The next sweep looks again at charges that stay due though they are closed.
            guard !due.isEmpty, due != last else { return }
            try await close(due)
            last = due
        }
    }

    /// Returns when payments has read that they are closed.
    private func close(_ due: [ChargeID]) async throws {
        let context = AskContext(deadline: service.clock.now() + .seconds(5))
        let failure = await withTaskGroup(of: Fault?.self) { group in
            for id in due {
                group.addTask {
                    do throws(Fault) { _ = try await service.closeInWallet(id, .expired, in: context) } catch {
                        return error
                    }
                    return nil
                }
            }
            return await group.reduce(nil) { $0 ?? $1 }
        }
        if let failure { throw failure }
        try await service.caughtUp(service.watermark.sequence, context.deadline)
    }
}
