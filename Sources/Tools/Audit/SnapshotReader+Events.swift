import Bus
import Contracts
import Primitives

/// What offers, location and notifications publish.
extension SnapshotReader {
    func readRedemption(_ fact: Envelope, into snapshot: inout Snapshot) throws {
        guard fact.type == Offers.CouponRedeemed.type.name else { return }
        let published = try Offers.CouponRedeemed(json: fact.data)
        snapshot.redemptions.append(
            Snapshot.Redemption(
                sequence: fact.sequence ?? 0, coupon: published.coupon, charge: published.charge,
                customer: published.customer))
    }

    func limits(_ coupons: Set<OfferID>) async throws -> [OfferID: Snapshot.CouponLimits] {
        let limits = try await pipelined(Array(coupons), width: Self.width, on: bus) { coupon in
            let offer = try await bus.ask(Offers.ReadOffer(offer: coupon), in: bus.patient)
            let each = offer.revision == 1 ? offer.terms.usesPerCustomer : nil
            return (coupon, Snapshot.CouponLimits(inAll: offer.terms.usesInAll, each: each))
        }
        return limits.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }

    func readFence(_ fact: Envelope, into snapshot: inout Snapshot) throws {
        let sequence = fact.sequence ?? 0
        switch fact.type {
        case Location.FenceEntered.type.name:
            let published = try Location.FenceEntered(json: fact.data)
            snapshot.fences.append(
                Snapshot.Fence(
                    sequence: sequence, kind: .entered, customer: published.customer, place: published.place))
        case Location.FenceDwelled.type.name:
            let published = try Location.FenceDwelled(json: fact.data)
            snapshot.fences.append(
                Snapshot.Fence(
                    sequence: sequence, kind: .dwelled, customer: published.customer, place: published.place))
        case Location.FenceExited.type.name:
            let published = try Location.FenceExited(json: fact.data)
            snapshot.fences.append(
                Snapshot.Fence(
                    sequence: sequence, kind: .exited, customer: published.customer, place: published.place))
        default: break
        }
    }

    func readNotice(_ fact: Envelope, into snapshot: inout Snapshot) throws {
        let sequence = fact.sequence ?? 0
        switch fact.type {
        case Notifications.NoticeAdded.type.name:
            snapshot.notices.insert(try Notifications.NoticeAdded(json: fact.data).notice)
        // A letter, or a message to an address that nobody has registered, is in no account's inbox.
        case Notifications.NoticeDelivered.type.name:
            let published = try Notifications.NoticeDelivered(json: fact.data)
            if let notice = published.notice, published.account != nil {
                snapshot.deliveries.append((sequence, notice))
            }
        case Notifications.NoticeFailed.type.name:
            let published = try Notifications.NoticeFailed(json: fact.data)
            if let notice = published.notice, published.account != nil {
                snapshot.deliveries.append((sequence, notice))
            }
        default: break
        }
    }
}
