import Wire

/// A 16-byte identifier of one kind of thing, chosen by whoever makes the thing. On the wire 32 lowercase hex digits.
///
/// Those made here begin with their time, so that a table of them grows at its end. An identifier from elsewhere may
/// hold any 16 bytes.
package struct Identifier<Subject>: Hashable, Sendable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// 48 bits of milliseconds, then 80 random ones (the order of RFC 9562's version 7, without its version bits).
    package init(at time: Timestamp, random: (UInt64, UInt64)) {
        high = UInt64(truncatingIfNeeded: time.milliseconds) << 16 | random.0 & 0xFFFF
        low = random.1
    }

    package init?(hex: some Collection<UInt8>) {
        guard hex.count == 32 else { return nil }
        var words: (UInt64, UInt64) = (0, 0)
        var position = 0
        for character in hex {
            // Lowercase only: two spellings of one identifier would be two keys elsewhere.
            guard let digit = hexValue(character), character < UInt8(ascii: "A") || character > UInt8(ascii: "F") else {
                return nil
            }
            if position < 16 { words.0 = words.0 << 4 | UInt64(digit) } else { words.1 = words.1 << 4 | UInt64(digit) }
            position += 1
        }
        (high, low) = words
    }

    package init?(_ hex: String) { self.init(hex: hex.utf8) }

    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        var words: (UInt64, UInt64) = (0, 0)
        for (position, byte) in bytes.enumerated() {
            if position < 8 { words.0 = words.0 << 8 | UInt64(byte) } else { words.1 = words.1 << 8 | UInt64(byte) }
        }
        (high, low) = words
    }

    package var bytes: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
            for index in 0..<8 {
                buffer[index] = UInt8(truncatingIfNeeded: high >> (56 - 8 * UInt64(index)))
                buffer[index + 8] = UInt8(truncatingIfNeeded: low >> (56 - 8 * UInt64(index)))
            }
            count = 16
        }
    }

    package func appendHex(to bytes: inout [UInt8]) {
        for word in [high, low] {
            for shift in stride(from: UInt64(60), through: 0, by: -4) {
                bytes.append(hexDigit(UInt8(truncatingIfNeeded: word >> shift & 15)))
            }
        }
    }

    package var hex: String {
        String(unsafeUninitializedCapacity: 32) { buffer in
            var bytes: [UInt8] = []
            bytes.reserveCapacity(32)
            appendHex(to: &bytes)
            return buffer.initialize(fromContentsOf: bytes)
        }
    }

    /// The same bytes, meant as another kind of thing (a pay code's id becomes its payment's).
    package func reinterpreted<Other>(as type: Identifier<Other>.Type = Identifier<Other>.self) -> Identifier<Other> {
        Identifier<Other>(high: high, low: low)
    }
}

extension Identifier: CustomStringConvertible {
    package var description: String { hex }
}

extension Identifier: WireValue, Codable {
    package func write(to writer: inout JSONWriter) { writer.plainString { appendHex(to: &$0) } }

    package static func read(_ reader: inout JSONReader) throws(WireError) -> Identifier {
        try reader.text { text throws(WireError) in
            guard let id = Identifier(hex: text.utf8) else { throw notAnIdentifier }
            return id
        }
    }

    package init(from decoder: any Decoder) throws {
        guard let id = Identifier(try decoder.singleValueContainer().decode(String.self)) else {
            throw Self.notAnIdentifier
        }
        self = id
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(hex)
    }

    private static var notAnIdentifier: WireError {
        WireError(.invalidValue(why: "must be 32 lowercase hexadecimal digits"))
    }
}

/// A customer, a merchant or an administrator: whoever can log in.
package enum Party {}
package typealias PartyID = Identifier<Party>

package enum Card {}
package typealias CardID = Identifier<Card>

/// One intended movement of money from a customer to a merchant, from its request to its receipt.
package enum Charge {}
package typealias ChargeID = Identifier<Charge>

/// One keyed change of the ledger: a payment, hold, reload, transfer, refund. A charge's payment bears the charge's id.
package enum Operation {}
package typealias OperationID = Identifier<Operation>

/// A ledger account: a card's, a merchant's, or one of the ledger's own.
package enum Account {}
package typealias AccountID = Identifier<Account>

/// A trace of W3C Trace Context: one touch or HTTP request and all that it led to.
package enum Trace {}
package typealias TraceID = Identifier<Trace>

package enum Session {}
package typealias SessionID = Identifier<Session>

/// An envelope.
package enum Message {}
package typealias MessageID = Identifier<Message>
