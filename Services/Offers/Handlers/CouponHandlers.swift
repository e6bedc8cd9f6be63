import Bus
import Contracts
import Primitives

/// Reserves a coupon for a charge, before money moves.
package struct ReserveCouponHandler: Answering {
    private let service: DealService

    package init(_ service: DealService) { self.service = service }

    package func answer(
        _ ask: Offers.ReserveCoupon, in context: AskContext
    ) async throws(Fault) -> Offers.ReserveCoupon.Reply {
        let now = service.clock.now()
        guard now < context.deadline else { throw Fault(.deadlineExceeded) }
        let (reservation, replayed) = try await service.store.reserve(ask, at: now)
        return Offers.ReserveCoupon.Reply(discount: reservation.discount, replayed: replayed)
    }
}
