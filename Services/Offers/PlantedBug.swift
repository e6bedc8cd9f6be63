import Bus
import Contracts
import ServiceKit
import Synchronization

/// A mistake made on purpose: those who check offers from outside are tested against it (`BILLFOLD_PLANTED_BUG`).
/// Without the variable nothing of it exists.
final class PlantedBug: Sendable {
    /// Every 50th charge that was captured with a coupon is not heard of, so that its coupon is never redeemed.
    private static let interval = 50

    private let captures = Mutex(0)

    /// Nil unless a bug of offers is asked for.
    static func asked(of host: ServiceHost) -> PlantedBug? {
        guard host.config.reader.string(forKey: "billfold.planted.bug") == "lost_redemption" else { return nil }
        host.logger.warning("THIS SERVICE LOSES REDEMPTIONS ON PURPOSE", metadata: ["bug": "lost_redemption"])
        return PlantedBug()
    }

    func spoil(_ facts: [Envelope]) -> [Envelope] {
        facts.map { fact in
            guard fact.type == Payments.ChargeCaptured.type.name,
                let captured = try? Payments.ChargeCaptured(json: fact.data),  // unreadable: offers will say so
                captured.coupon != nil
            else { return fact }
            let isUnlucky = captures.withLock { count in
                count += 1
                return count % Self.interval == 0
            }
            return isUnlucky ? fact.with(type: "payments.charge.unheard.v1") : fact
        }
    }
}
