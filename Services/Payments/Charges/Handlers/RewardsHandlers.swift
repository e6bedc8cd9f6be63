import Bus
import Contracts
import Primitives

package struct ReadRewardsHandler: Answering {
    let desk: ChargeDesk

    package init(desk: ChargeDesk) { self.desk = desk }

    package func answer(
        _ ask: Payments.ReadRewards, in context: AskContext
    ) async throws(Fault) -> Payments.RewardsView {
        try context.require(ask.customer, as: .customer)
        return try await desk.rewards(of: ask.customer, in: context)
    }
}

package struct JoinRewardsHandler: Answering {
    let desk: ChargeDesk

    package init(desk: ChargeDesk) { self.desk = desk }

    package func answer(
        _ ask: Payments.JoinRewards, in context: AskContext
    ) async throws(Fault) -> Payments.RewardsView {
        try context.require(ask.customer, as: .customer)
        do {
            try await desk.store.join(ask.customer, since: ask.joined ? desk.clock.now() : nil)
        } catch { throw Fault(.unavailable) }
        return try await desk.rewards(of: ask.customer, in: context)
    }
}

extension ChargeDesk {
    /// Stars counted for one answer.
    private static let starsMax = 10_000

    /// With all payments that anyone has been told of.
    fileprivate func rewards(
        of customer: PartyID, in context: AskContext
    ) async throws(Fault) -> Payments.RewardsView {
        try await caughtUp(watermark.sequence, context.deadline)
        do {
            let stars = try await store.stars(of: customer, limit: Self.starsMax)
            return Payments.RewardsView(customer: customer, joined: stars != nil, stars: stars ?? 0)
        } catch { throw Fault(.unavailable) }
    }
}
