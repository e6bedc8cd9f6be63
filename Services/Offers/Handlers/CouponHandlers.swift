import Bus
import Contracts
import Primitives

/// Binds a coupon to a charge, before the customer's money moves.
package struct ReserveCouponHandler: Answering {
    private let desk: DealDesk

    package init(_ desk: DealDesk) { self.desk = desk }

    package func answer(
        _ ask: Offers.ReserveCoupon, in context: AskContext
    ) async throws(Fault) -> Offers.ReserveCoupon.Reply {
        let now = desk.clock.now()
        guard now < context.deadline else { throw Fault(.deadlineExceeded) }
        let (reservation, replayed) = try await desk.store.reserve(ask, at: now)
        return Offers.ReserveCoupon.Reply(discount: reservation.discount, replayed: replayed)
    }
}
