import Crypto
import Foundation
import Primitives
import Sodium
import Wire

/// The key that our web pushes are signed with (VAPID, RFC 8292).
package struct PushKey: Sendable {
    /// How long a token counts; the RFC allows a day.
    static let tokenLifetime = Duration.seconds(12 * 3600)

    private let key: P256.Signing.PrivateKey
    /// Whom a push service may write to: `mailto:` or `https:`.
    private let subject: String

    /// - Parameter bytes: 32, of which nearly all are a key.
    /// - Throws: when they are none.
    package init(_ bytes: [UInt8], subject: String) throws {
        key = try P256.Signing.PrivateKey(rawRepresentation: bytes)
        self.subject = subject
    }

    /// 65 bytes, base64url: what browsers subscribe with.
    package var publicKey: String { Base64URL.encode(key.publicKey.x963Representation) }

    /// The `Authorization` of one message to one push service.
    package func authorization(for origin: String, at now: Timestamp) throws -> String {
        let token = try JSONWebToken.es256(
            [],
            [
                .init("aud", .string(origin)),
                .init("exp", .integer((now + Self.tokenLifetime).milliseconds / 1000)),
                .init("sub", .string(subject))
            ], key)
        return "vapid t=\(token), k=\(publicKey)"
    }
}

/// Pushes to browsers (RFC 8030, 8291, 8292).
package struct WebPushProvider: Provider {
    private let sender: HTTPSender
    private let key: PushKey

    package init(_ sender: HTTPSender, key: PushKey) {
        self.sender = sender
        self.key = key
    }

    package func send(_ delivery: Delivery, at now: Timestamp) async -> DeliveryRules.Attempt {
        guard let url = WebAddress(delivery.address), let p256dh = delivery.p256dh, let auth = delivery.auth else {
            return .refused("not_registered")
        }
        let headers: [(String, String)]
        let body: [UInt8]
        do {
            body = try WebPushMessage.encrypt(
                Self.content(of: delivery), for: p256dh, auth, key: P256.KeyAgreement.PrivateKey(),
                salt: Randomness.shared.bytes(16))
            headers = [
                ("authorization", try key.authorization(for: url.origin, at: now)),
                ("content-encoding", "aes128gcm"), ("content-type", "application/octet-stream"),
                ("ttl", String(max(0, (delivery.expires - now).wholeMilliseconds / 1000))),
                ("urgency", delivery.kind == .offer ? "normal" : "high"),
                // 22 of the 32 characters that a topic may have: a message that is sent again replaces the first.
                ("topic", Base64URL.encode(delivery.id.bytes))
            ]
        } catch {
            return .refused("key_invalid")
        }
        do throws(SendTrouble) {
            let answer = try await sender.post(toUsers: delivery.address, headers, body)
            switch answer.status {
            case 404, 410: return .gone("HTTP \(answer.status)")
            default: return .of(answer)
            }
        } catch {
            return error.attempt
        }
    }

    /// What the page's service worker reads; texts are cut to what fits.
    package static func content(of delivery: Delivery) -> [UInt8] {
        PushText.cut(delivery, to: WebPushMessage.plaintextBytesMax) { title, text in
            JSONValue.object(
                [
                    .init("title", .string(title)), .init("body", .string(text)),
                    .init("tag", .string((delivery.notice?.hex ?? delivery.id.hex)))
                ] + (delivery.link.map { [.init("link", .string($0))] } ?? []))
        }
    }
}

/// Texts cut to what a push service takes.
enum PushText {
    /// The JSON that `write` makes of title and text, with as much of the text as fits.
    static func cut(_ delivery: Delivery, to bytesMax: Int, _ write: (String, String) -> JSONValue) -> [UInt8] {
        var text = delivery.text
        var title = delivery.title
        while true {
            let json = Array(write(title, text).text.utf8)
            if json.count <= bytesMax || (text.isEmpty && title.isEmpty) { return json }
            // Escapes may be longer than what they stand for: halve what is too much until it fits.
            let over = json.count - bytesMax
            if !text.isEmpty {
                text = String(text.prefix(max(0, text.count - max(1, over / 6 + 1))))
            } else {
                title = String(title.prefix(max(0, title.count - max(1, over / 6 + 1))))
            }
        }
    }
}
