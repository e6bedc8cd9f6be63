import Contracts
import Crypto
import CryptoExtras
import Foundation
import NotificationsService
import Primitives
import Testing
import Wire

@Suite("encrypting and signing")
struct SigningTests {
    private func bytes(_ text: String) throws -> [UInt8] { try #require(Base64URL.decode(text)) }

    @Test("the example of RFC 8291, appendix A")
    func webPush() throws {
        let key = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
        let message = try WebPushMessage.encrypt(
            Array("When I grow up, I want to be a watermelon".utf8),
            for: bytes("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
            bytes("BTBZMqHH6r4Tts7J_aSIgg"), key: key, salt: bytes("DGv6ra1nlYgDCS1FRnbzlw"))
        #expect(
            Base64URL.encode(message)
                == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6Tlz"
                + "AC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN")
    }

    @Test("the longest plaintext makes a message of 4,096 bytes, and no more (RFC 8291 section 4)")
    func longest() throws {
        let browser = P256.KeyAgreement.PrivateKey()
        let message = try WebPushMessage.encrypt(
            [UInt8](repeating: 7, count: WebPushMessage.plaintextBytesMax),
            for: [UInt8](browser.publicKey.x963Representation), [UInt8](repeating: 1, count: 16),
            key: P256.KeyAgreement.PrivateKey(), salt: [UInt8](repeating: 2, count: 16))
        #expect(message.count <= 4096 && message.count >= 4095)
        #expect(throws: WebPushMessage.InvalidKey.self) {
            try WebPushMessage.encrypt(
                [], for: [UInt8](repeating: 4, count: 65), [], key: P256.KeyAgreement.PrivateKey(),
                salt: [UInt8](repeating: 0, count: 16))
        }
    }

    @Test("texts are cut to what push services take, whatever they are made of", arguments: ["a", "\u{1}", "☕️", "\""])
    func cut(character: String) throws {
        let delivery = Delivery.sample(text: String(repeating: character, count: 5000))
        let content = WebPushProvider.content(of: delivery)
        #expect(content.count <= WebPushMessage.plaintextBytesMax)
        #expect(content.count > WebPushMessage.plaintextBytesMax / 2)
        let json = try JSONValue(parsing: content)
        #expect(json["link"] == "/charges/1")
        #expect(json["title"] == "The Shop asks for $4.20")
    }

    @Test("Standard Webhooks' published example")
    func webhook() throws {
        let secret = try #require(Data(base64Encoded: "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let signature = WebhookSignature(secret: [UInt8](secret))
        #expect(
            signature.sign(
                id: "msg_p5jXN8AQM9LWM0D4loKWxJek", seconds: 1_614_265_330, body: Array(#"{"test": 2432232314}"#.utf8))
                == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
        #expect(signature.secretText == "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    }

    private func claims(_ token: Substring) throws -> (content: String, claims: JSONValue, signature: [UInt8]) {
        let parts = token.split(separator: ".")
        try #require(parts.count == 3)
        return (
            parts[0] + "." + parts[1], try JSONValue(parsing: bytes(String(parts[1]))), try bytes(String(parts[2]))
        )
    }

    @Test("a VAPID token is for one origin, and signed with the key that it names (RFC 8292)")
    func vapid() throws {
        let key = try PushKey([UInt8](1...32), subject: "mailto:ops@example.com")
        let now = NoticesHarness.start
        let text = try key.authorization(for: "https://push.example.com", at: now)
        #expect(text.hasPrefix("vapid t=") && text.hasSuffix(", k=\(key.publicKey)"))
        let token = try claims(text.dropFirst(8).prefix { $0 != "," })
        let verifier = try P256.Signing.PublicKey(x963Representation: bytes(key.publicKey))
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: token.signature)
        #expect(verifier.isValidSignature(signature, for: Array(token.content.utf8)))
        #expect(token.claims["aud"] == "https://push.example.com" && token.claims["sub"] == "mailto:ops@example.com")
        #expect(token.claims["exp"] == .integer(now.milliseconds / 1000 + 12 * 3600))
    }

    @Test("an APNs token is kept for 40 minutes, then renewed")
    func apns() throws {
        let key = P256.Signing.PrivateKey()
        let provider = APNsProvider(
            try HTTPSender(trusting: nil, allowsPrivate: false),
            account: try .init(
                key: key.pemRepresentation, keyID: "K", teamID: "T", topic: "app", url: "https://localhost"))
        let now = NoticesHarness.start
        let first = try provider.token(at: now)
        let token = try claims(first[...])
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: token.signature)
        #expect(key.publicKey.isValidSignature(signature, for: Array(token.content.utf8)))
        #expect(token.claims["iss"] == "T" && token.claims["iat"] == .integer(now.milliseconds / 1000))
        #expect(try provider.token(at: now + .seconds(40 * 60 - 1)) == first)
        let second = try provider.token(at: now + .seconds(40 * 60))
        #expect(second != first)
        #expect(try provider.token(at: now) != second)
    }

    @Test("an FCM assertion is signed by its service account")
    func fcm() throws {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let file: JSONValue = [
            "project_id": "p", "client_email": "push@example.com", "private_key_id": "k",
            "token_uri": "https://oauth2.example.com/token", "private_key": .string(key.pemRepresentation)
        ]
        let provider = FCMProvider(
            try HTTPSender(trusting: nil, allowsPrivate: false), account: try .init(json: Array(file.text.utf8)))
        let token = try claims(try provider.assertion(at: NoticesHarness.start)[...])
        let signature = _RSA.Signing.RSASignature(rawRepresentation: token.signature)
        #expect(
            key.publicKey.isValidSignature(
                signature, for: Array(token.content.utf8), padding: .insecurePKCS1v1_5))
        #expect(token.claims["iss"] == "push@example.com" && token.claims["aud"] == "https://oauth2.example.com/token")
        #expect(throws: (any Error).self) { try FCMProvider.Account(json: Array("{}".utf8)) }
    }
}

extension Delivery {
    static func sample(
        medium: Medium = .website, address: String = "https://push.example.com/1", text: String = "Two coffees"
    ) -> Delivery {
        Delivery(
            id: .test(1), notice: .test(2), account: .alice, channel: medium, address: address, endpoint: .test(3),
            kind: .request, title: "The Shop asks for $4.20", text: text, link: "/charges/1",
            created: NoticesHarness.start, expires: NoticesHarness.start + .seconds(3600))
    }
}
