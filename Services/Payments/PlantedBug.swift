import Bus
import Contracts
import ServiceKit
import Synchronization

/// A mistake made on purpose: those who check payments from outside are tested against it (`BILLFOLD_PLANTED_BUG`).
/// Without the variable nothing of it exists.
final class PlantedBug: Sendable {
    /// Every 50th posted payment is not understood, so that its charge is never told as captured.
    private static let interval = 50

    private let payments = Mutex(0)

    /// Nil unless a bug of payments is asked for.
    static func asked(of host: ServiceHost) -> PlantedBug? {
        guard host.config.reader.string(forKey: "billfold.planted.bug") == "lost_notice" else { return nil }
        host.logger.warning("THIS SERVICE LOSES NOTICES ON PURPOSE", metadata: ["bug": "lost_notice"])
        return PlantedBug()
    }

    func spoil(_ facts: [Envelope]) -> [Envelope] {
        facts.map { fact in
            guard fact.type == Wallet.PaymentPosted.type.name else { return fact }
            let isUnlucky = payments.withLock { count in
                count += 1
                return count % Self.interval == 0
            }
            return isUnlucky ? fact.with(type: "wallet.payment.unheard.v1") : fact
        }
    }
}
