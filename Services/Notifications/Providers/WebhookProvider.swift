import Crypto
import Foundation
import Primitives
import Wire

/// The signature of Standard Webhooks 1.0 with a symmetric key.
package struct WebhookSignature: Sendable {
    /// Bytes of a new secret; the specification asks for 24 to 64.
    package static let secretBytes = 32

    private let secret: [UInt8]

    package init(secret: [UInt8]) { self.secret = secret }

    /// How a merchant is told it.
    package var secretText: String { "whsec_" + Data(secret).base64EncodedString() }

    /// `v1,…` over id, time and body.
    package func sign(id: String, seconds: Int64, body: [UInt8]) -> String {
        let content = Array("\(id).\(seconds).".utf8) + body
        let code = HMAC<SHA256>.authenticationCode(for: content, using: SymmetricKey(data: secret))
        return "v1," + Data(code).base64EncodedString()
    }
}

/// Tells a merchant's web hook of a fact (Standard Webhooks 1.0).
package struct WebhookProvider: Provider {
    private let sender: HTTPSender

    package init(_ sender: HTTPSender) { self.sender = sender }

    package func send(_ delivery: Delivery, at now: Timestamp) async -> DeliveryRules.Attempt {
        guard let secret = delivery.secret else { return .refused("no_secret") }
        let body = Self.body(of: delivery)
        let seconds = now.milliseconds / 1000
        let headers = [
            ("content-type", "application/json"), ("user-agent", "Billfold"),
            // Kept over all attempts and replays: by it the receiver knows what it has had already.
            ("webhook-id", delivery.id.hex), ("webhook-timestamp", String(seconds)),
            (
                "webhook-signature",
                WebhookSignature(secret: secret).sign(id: delivery.id.hex, seconds: seconds, body: body)
            )
        ]
        do throws(SendTrouble) {
            let answer = try await sender.post(toUsers: delivery.address, headers, body)
            return Self.attempt(of: answer)
        } catch {
            return error.attempt
        }
    }

    /// Tries again whatever is no success (Standard Webhooks 1.0, "Deliverability and reliability"): a proxy that says
    /// 404 for an hour must not lose an hour's payments. 410 ends the registration.
    static func attempt(of answer: HTTPAnswer) -> DeliveryRules.Attempt {
        switch answer.status {
        case 200..<300: .delivered()
        case 410: .gone("HTTP 410")
        default: .failed("HTTP \(answer.status)", retryAfter: answer.retryAfter)
        }
    }

    /// `{"type": …, "timestamp": …, "data": …}`; the data as it was written down.
    package static func body(of delivery: Delivery) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("type", delivery.title)
        writer.field("timestamp", delivery.created)
        writer.key("data")
        writer.json(Array(delivery.text.utf8))
        writer.endObject()
        return writer.bytes
    }
}
