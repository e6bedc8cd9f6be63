import Crypto
import Foundation
import Primitives
import Synchronization
import Wire

/// What APNs is told.
enum APNsMessage {
    /// Bytes of a payload.
    static let bytesMax = 4096

    static func payload(of delivery: Delivery) -> JSONValue { payload(delivery, delivery.title, delivery.text) }

    static func body(of delivery: Delivery) -> [UInt8] {
        PushText.cut(delivery, to: bytesMax) { payload(delivery, $0, $1) }
    }

    private static func payload(_ delivery: Delivery, _ title: String, _ text: String) -> JSONValue {
        .object(
            [
                .init(
                    "aps",
                    ["alert": ["title": .string(title), "body": .string(text)], "sound": "default"]),
                .init("notice", .string(delivery.notice?.hex ?? delivery.id.hex))
            ] + (delivery.link.map { [.init("link", .string($0))] } ?? []))
    }
}

/// Pushes to iPhones: HTTP/2, signed with a token (Apple, "Establishing a token-based connection to APNs").
package final class APNsProvider: Provider {
    package struct Account: Sendable {
        let key: P256.Signing.PrivateKey
        let keyID: String
        let teamID: String
        /// The app's bundle id.
        let topic: String
        let url: String

        /// - Parameter key: the `.p8` file's text (PEM).
        /// - Throws: when it is no P-256 key.
        package init(key: String, keyID: String, teamID: String, topic: String, url: String) throws {
            self.key = try P256.Signing.PrivateKey(pemRepresentation: key)
            self.keyID = keyID
            self.teamID = teamID
            self.topic = topic
            self.url = url
        }
    }

    /// APNs wants a token to be renewed after 20 minutes at the earliest and 60 at the latest.
    package static let tokenLifetime = Duration.seconds(40 * 60)

    private let sender: HTTPSender
    private let account: Account
    private let token = Mutex<(text: String, made: Timestamp)?>(nil)

    package init(_ sender: HTTPSender, account: Account) {
        self.sender = sender
        self.account = account
    }

    /// The token of this hour.
    package func token(at now: Timestamp) throws -> String {
        try token.withLock { token in
            // A clock that was set back makes it stale too.
            if let token, (.zero..<Self.tokenLifetime).contains(now - token.made) { return token.text }
            let text = try JSONWebToken.es256(
                [.init("kid", .string(account.keyID))],
                [.init("iss", .string(account.teamID)), .init("iat", .integer(now.milliseconds / 1000))], account.key)
            token = (text, now)
            return text
        }
    }

    package func send(_ delivery: Delivery, at now: Timestamp) async -> DeliveryRules.Attempt {
        // Of a key that was looked at when the process began nothing but "failed" can be said; it is tried again.
        guard let token = try? token(at: now) else { return .failed("no_token") }
        let headers = [
            ("authorization", "bearer \(token)"), ("apns-topic", account.topic), ("apns-push-type", "alert"),
            ("apns-priority", "10"), ("apns-id", delivery.id.uuid),
            ("apns-expiration", String(delivery.expires.milliseconds / 1000)), ("content-type", "application/json")
        ]
        do throws(SendTrouble) {
            let answer = try await sender.post(
                "\(account.url)/3/device/\(delivery.address)", headers, APNsMessage.body(of: delivery))
            // An answer without a readable reason is judged by its status.
            return Self.attempt(answer.status, try? JSONValue(parsing: answer.body), answer)
        } catch {
            return error.attempt
        }
    }

    private static func attempt(_ status: Int, _ body: JSONValue?, _ answer: HTTPAnswer) -> DeliveryRules.Attempt {
        var reason = "HTTP \(status)"
        // APNs's own reasons are words of letters; anything else is not passed on.
        if case .string(let word)? = body?["reason"], (1...64).contains(word.utf8.count),
            word.utf8.allSatisfy({ (65...90).contains($0 & 0xDF) })
        {
            reason = word
        }
        switch (status, reason) {
        case (410, _), (400, "BadDeviceToken"), (400, "DeviceTokenNotForTopic"): return .gone(reason)
        // The token, or the provider's right to use it: nothing that is wrong with this delivery.
        case (403, _): return .failed(reason)
        case (200, _): return .delivered()
        case (429, _), (500..., _): return .failed(reason, retryAfter: answer.retryAfter)
        default: return .refused(reason)
        }
    }
}
