import Primitives
import Wire

/// Stands in for APNs or FCM where no account of theirs is configured: keeps what it would have sent, as they
/// would have had it.
package struct SimulatorProvider: Provider {
    private let write: @Sendable (Delivery) -> String

    package static let apns = SimulatorProvider { delivery in
        JSONValue.object([
            .init("path", .string("/3/device/\(delivery.address)")), .init("apns-id", .string(delivery.id.uuid)),
            .init("apns-push-type", "alert"), .init("payload", APNsMessage.payload(of: delivery))
        ]).text
    }

    package static let fcm = SimulatorProvider { FCMMessage.body(of: $0, at: $0.created).text }

    package func send(_ delivery: Delivery, at now: Timestamp) async -> DeliveryRules.Attempt {
        .delivered(simulated: write(delivery))
    }
}
