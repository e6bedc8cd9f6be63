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
        while try await closeGroup() == Self.groupMax {}
    }

    /// - Returns: how many were due.
    private func closeGroup() async throws -> Int {
        let due = try await service.store.overdue(at: service.clock.now(), limit: Self.groupMax)
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
        // Or the next group would be the same one.
        if due.count == Self.groupMax { try await service.caughtUp(service.watermark.sequence, context.deadline) }
        return due.count
    }
}
