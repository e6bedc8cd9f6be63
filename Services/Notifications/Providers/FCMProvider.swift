import Crypto
import CryptoExtras
import Foundation
import Primitives
import Synchronization
import Wire

/// What FCM is told.
enum FCMMessage {
    /// Bytes of notification and data; the service takes 4,096.
    static let bytesMax = 4000

    static func body(of delivery: Delivery, at now: Timestamp) -> JSONValue {
        body(delivery, delivery.title, delivery.text, at: now)
    }

    static func bytes(of delivery: Delivery, at now: Timestamp) -> [UInt8] {
        PushText.cut(delivery, to: bytesMax + delivery.address.utf8.count) { body(delivery, $0, $1, at: now) }
    }

    private static func body(_ delivery: Delivery, _ title: String, _ text: String, at now: Timestamp) -> JSONValue {
        let key = delivery.notice?.hex ?? delivery.id.hex
        let seconds = max(0, (delivery.expires - now).wholeMilliseconds / 1000)
        var data: [JSONValue.Member] = [.init("notice", .string(key))]
        if let link = delivery.link { data.append(.init("link", .string(link))) }
        return [
            "message": [
                "token": .string(delivery.address),
                "notification": ["title": .string(title), "body": .string(text)], "data": .object(data),
                // A message that is sent again replaces the first on the phone.
                "android": [
                    "priority": "HIGH", "ttl": .string("\(seconds)s"), "notification": ["tag": .string(key)]
                ]
            ]
        ]
    }
}

/// Pushes to Android phones by FCM's HTTP v1 API, with an access token of a service account (RFC 7523).
package final class FCMProvider: Provider {
    package struct Account: Sendable {
        let project: String
        let mail: String
        let keyID: String
        let key: _RSA.Signing.PrivateKey
        let tokenURL: String

        package struct Invalid: Error, CustomStringConvertible {
            package init() {}
            package let description = "this is not a service account's JSON with an RSA key"
        }

        /// - Parameter json: the file that Google's console gives.
        /// - Throws: `Invalid`.
        package init(json: [UInt8]) throws {
            let file = try JSONValue(parsing: json)
            func text(_ key: String) throws -> String {
                guard case .string(let text)? = file[key], !text.isEmpty else { throw Invalid() }
                return text
            }
            project = try text("project_id")
            mail = try text("client_email")
            keyID = try text("private_key_id")
            tokenURL = try text("token_uri")
            key = try _RSA.Signing.PrivateKey(pemRepresentation: try text("private_key"))
        }
    }

    /// How long an assertion counts; the most that Google allows.
    private static let assertionLifetime = Duration.seconds(3600)
    /// A token is not used so shortly before its end.
    private static let tokenMargin = Duration.seconds(60)
    private static let scope = "https://www.googleapis.com/auth/firebase.messaging"
    package static let url = "https://fcm.googleapis.com"

    private let sender: HTTPSender
    private let account: Account
    private let url: String
    private let token = Mutex<(text: String, expires: Timestamp)?>(nil)

    package init(_ sender: HTTPSender, account: Account, url: String = FCMProvider.url) {
        self.sender = sender
        self.account = account
        self.url = url
    }

    /// What is exchanged for an access token.
    package func assertion(at now: Timestamp) throws -> String {
        let seconds = now.milliseconds / 1000
        return try JSONWebToken.rs256(
            [.init("kid", .string(account.keyID))],
            [
                .init("iss", .string(account.mail)), .init("scope", .string(Self.scope)),
                .init("aud", .string(account.tokenURL)), .init("iat", .integer(seconds)),
                .init("exp", .integer(seconds + Self.assertionLifetime.wholeMilliseconds / 1000))
            ], account.key)
    }

    package func send(_ delivery: Delivery, at now: Timestamp) async -> DeliveryRules.Attempt {
        do throws(SendTrouble) {
            let token = try await accessToken(at: now)
            let answer = try await sender.post(
                "\(url)/v1/projects/\(account.project)/messages:send",
                [("authorization", "Bearer \(token)"), ("content-type", "application/json")],
                FCMMessage.bytes(of: delivery, at: now))
            if answer.status == 401 { self.token.withLock { $0 = nil } }
            return Self.attempt(answer)
        } catch {
            return error.attempt
        }
    }

    private func accessToken(at now: Timestamp) async throws(SendTrouble) -> String {
        if let known = token.withLock({ $0 }), known.expires - Self.tokenMargin > now { return known.text }
        // Whatever is wrong with the key or the answer, there is no token, and it is tried again.
        guard let assertion = try? assertion(at: now) else { throw .passing("no_token") }
        let form = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=\(assertion)"
        let answer = try await sender.post(
            account.tokenURL, [("content-type", "application/x-www-form-urlencoded")], Array(form.utf8))
        guard answer.status == 200, let body = try? JSONValue(parsing: answer.body),
            case .string(let text)? = body["access_token"], case .integer(let seconds)? = body["expires_in"]
        else { throw .passing("no_token") }
        token.withLock { $0 = (text, now + .seconds(min(max(0, seconds), 86_400))) }
        return text
    }

    private static func attempt(_ answer: HTTPAnswer) -> DeliveryRules.Attempt {
        let code = errorCode(answer)
        switch (answer.status, code) {
        case (404, "UNREGISTERED"): return .gone("UNREGISTERED")
        // The account's right to send: nothing that is wrong with this delivery. A token of another sender is.
        case (401, _), (403, nil), (404, nil): return .failed(code ?? "HTTP \(answer.status)")
        default: return .of(answer)
        }
    }

    /// `error.details[].errorCode`, one of FCM's own words.
    private static func errorCode(_ answer: HTTPAnswer) -> String? {
        // One that cannot be read says nothing: the status decides.
        guard answer.status >= 400, let body = try? JSONValue(parsing: answer.body),
            case .array(let details)? = body["error"]?["details"]
        else { return nil }
        for detail in details {
            if case .string(let code)? = detail["errorCode"],
                ["UNREGISTERED", "INVALID_ARGUMENT", "SENDER_ID_MISMATCH", "QUOTA_EXCEEDED", "UNAVAILABLE", "INTERNAL"]
                    .contains(code)
            {
                return code
            }
        }
        return nil
    }
}
