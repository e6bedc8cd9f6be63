import Primitives
import Sodium

/// A pay code names the card that pays. A merchant who has seen it can redeem it until it expires.
///
/// Codes are not stored. The text is base64url of version, id, customer, card, expiry and a keyed BLAKE2b over them.
/// The id becomes the payment's, so the wallet's commit spends the code.
package struct PayCode: Equatable, Sendable {
    package let id: ChargeID
    package let customer: PartyID
    package let card: CardID
    package let expires: Timestamp

    package init(id: ChargeID, customer: PartyID, card: CardID, expires: Timestamp) {
        self.id = id
        self.customer = customer
        self.card = card
        self.expires = expires
    }

    /// How long a typed code is remembered after its end, so that a repeat is answered again; and which code an attempt
    /// redeems, after its first try.
    package static let remembered = Duration.seconds(86_400)

    private static let version: UInt8 = 1
    private static let contentBytes = 1 + 16 + 16 + 16 + 8
    private static let sealBytes = 16

    package func sealed(with key: [UInt8]) -> String {
        let content = self.content
        return Base64URL.encode(content + Digest.blake2b(content, key: key, length: Self.sealBytes))
    }

    /// Nil if the text was not sealed with this key.
    package init?(_ text: String, key: [UInt8]) {
        let length = Self.contentBytes + Self.sealBytes
        guard text.utf8.count <= 2 * length else { return nil }
        // Base64 has spare bits at its end. Requires the one canonical spelling of a code.
        guard let bytes = Base64URL.decode(text), bytes.count == length, bytes[0] == Self.version,
            Base64URL.encode(bytes) == text
        else { return nil }
        let content = Array(bytes[..<Self.contentBytes])
        guard
            Digest.equal(
                Array(bytes[Self.contentBytes...]), Digest.blake2b(content, key: key, length: Self.sealBytes)),
            let id = ChargeID(bytes: content[1..<17]), let customer = PartyID(bytes: content[17..<33]),
            let card = CardID(bytes: content[33..<49])
        else { return nil }
        let expires = content[49..<57].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        self.init(id: id, customer: customer, card: card, expires: Timestamp(milliseconds: Int64(bitPattern: expires)))
    }

    private var content: [UInt8] {
        let time = UInt64(bitPattern: expires.milliseconds)
        return [Self.version] + id.bytes + customer.bytes + card.bytes
            + (0..<8).map { UInt8(truncatingIfNeeded: time >> (56 - 8 * UInt64($0))) }
    }
}
