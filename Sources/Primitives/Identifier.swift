import Wire

/// 2020-01-01: no identifier with its time is older.
private let identifiersBegan = Timestamp(milliseconds: 1_577_836_800_000)

/// A 16-byte identifier of one kind of thing, chosen by whoever makes the thing. On the wire 32 lowercase hex digits.
///
/// Those made here begin with their time, so that a table of them grows at its end. An identifier from elsewhere may
/// hold any 16 bytes.
@usableFromInline
package struct Identifier<Subject>: Hashable, Sendable {
    @usableFromInline
    package let high: UInt64
    @usableFromInline
    package let low: UInt64

    @inlinable
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// 48 bits of milliseconds, then 80 random ones (the order of RFC 9562's version 7, without its version bits).
    package init(at time: Timestamp, random: (UInt64, UInt64)) {
        high = UInt64(truncatingIfNeeded: time.milliseconds) << 16 | random.0 & 0xFFFF
        low = random.1
    }

    /// When it was made here; nil for one that does not begin with a time from 2020 to `latest`.
    package func made(until latest: Timestamp) -> Timestamp? {
        let time = Timestamp(milliseconds: Int64(high >> 16))
        return (identifiersBegan...max(identifiersBegan, latest)).contains(time) ? time : nil
    }

    package init?(hex: some Collection<UInt8>) {
        guard let words = Array(hex).withUnsafeBufferPointer(hexWords) else { return nil }
        (high, low) = words
    }

    @inlinable
    package init?(hex: UnsafeBufferPointer<UInt8>) {
        guard let words = hexWords(hex) else { return nil }
        (high, low) = words
    }

    package init?(_ hex: String) { self.init(hex: hex.utf8) }

    package init?(bytes: some Collection<UInt8>) {
        guard let words = Array(bytes).withUnsafeBytes(byteWords) else { return nil }
        (high, low) = words
    }

    package init?(bytes: UnsafeRawBufferPointer) {
        guard let words = byteWords(bytes) else { return nil }
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

    @inlinable
    package func appendHex(to bytes: inout [UInt8]) { appendHexWords(high, low, to: &bytes) }

    /// Fills the first 32 bytes.
    @inlinable
    package func writeHex(to digits: UnsafeMutablePointer<UInt8>) { writeHexWords(high, low, to: digits) }

    package var hex: String {
        String(unsafeUninitializedCapacity: 32) { buffer in
            writeHexWords(high, low, to: buffer.baseAddress!)
            return 32
        }
    }

    /// The same bytes, meant as another kind of thing (a pay code's id becomes its payment's).
    @inlinable
    package func reinterpreted<Other>(as type: Identifier<Other>.Type = Identifier<Other>.self) -> Identifier<Other> {
        Identifier<Other>(high: high, low: low)
    }
}

// What follows is not generic, and is called by the inlined methods above: other modules would call those
// unspecialised.

/// 32 lowercase digits; nil for anything else. Two spellings of one identifier would be two keys elsewhere.
@usableFromInline
func hexWords(_ text: UnsafeBufferPointer<UInt8>) -> (UInt64, UInt64)? {
    guard text.count == 32 else { return nil }
    let raw = UnsafeRawBufferPointer(text)
    var halves: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    guard readEightDigits(raw, 0, &halves.0), readEightDigits(raw, 8, &halves.1), readEightDigits(raw, 16, &halves.2),
        readEightDigits(raw, 24, &halves.3)
    else { return nil }
    return (halves.0 << 32 | halves.1, halves.2 << 32 | halves.3)
}

/// Eight digits at once, each in its byte of a word. Whatever is not spelled as it would be written is no digit.
@inline(__always)
private func readEightDigits(_ text: UnsafeRawBufferPointer, _ at: Int, _ value: inout UInt64) -> Bool {
    let digits = UInt64(bigEndian: text.loadUnaligned(fromByteOffset: at, as: UInt64.self))
    // Letters have bit 6, and are nine more than their lower half.
    let nibbles = (digits & 0x0F0F_0F0F_0F0F_0F0F) &+ ((digits >> 6) & 0x0101_0101_0101_0101) &* 9
    guard nibbles & 0xF0F0_F0F0_F0F0_F0F0 == 0, eightDigits(nibbles) == digits else { return false }
    var packed = (nibbles | nibbles >> 4) & 0x00FF_00FF_00FF_00FF
    packed = (packed | packed >> 8) & 0x0000_FFFF_0000_FFFF
    value = (packed | packed >> 16) & 0xFFFF_FFFF
    return true
}

/// The lowercase digits of eight values below 16, each in its byte.
@inline(__always)
private func eightDigits(_ nibbles: UInt64) -> UInt64 {
    let letters = ((nibbles &+ 0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101
    return nibbles &+ 0x3030_3030_3030_3030 &+ letters &* 0x27
}

/// Sixteen bytes, the first one highest; nil for any other number of them.
private func byteWords(_ bytes: UnsafeRawBufferPointer) -> (UInt64, UInt64)? {
    guard bytes.count == 16 else { return nil }
    func word(_ offset: Int) -> UInt64 {
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    return (word(0), word(8))
}

@usableFromInline
func appendHexWords(_ high: UInt64, _ low: UInt64, to bytes: inout [UInt8]) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { digits in
        writeHexWords(high, low, to: digits.baseAddress!)
        bytes.append(contentsOf: UnsafeBufferPointer(digits))
    }
}

/// Fills the first 32 bytes.
@usableFromInline
func writeHexWords(_ high: UInt64, _ low: UInt64, to digits: UnsafeMutablePointer<UInt8>) {
    let raw = UnsafeMutableRawPointer(digits)
    for index in 0..<4 {
        let word = index < 2 ? high : low
        let half = index & 1 == 0 ? word >> 32 : word
        var spread = half & 0xFFFF_FFFF
        spread = (spread | spread << 16) & 0x0000_FFFF_0000_FFFF
        spread = (spread | spread << 8) & 0x00FF_00FF_00FF_00FF
        spread = (spread | spread << 4) & 0x0F0F_0F0F_0F0F_0F0F
        raw.storeBytes(of: eightDigits(spread).bigEndian, toByteOffset: index * 8, as: UInt64.self)
    }
}

@usableFromInline
func writeHexWords(_ high: UInt64, _ low: UInt64, to writer: inout JSONWriter) {
    writer.plainString(countMax: 32) { destination in
        writeHexWords(high, low, to: destination)
        return 32
    }
}

@usableFromInline
func readHexWords(_ reader: inout JSONReader) throws(WireError) -> (UInt64, UInt64) {
    if let text = try reader.plainText() {
        guard let words = hexWords(text) else { throw notAnIdentifier }
        return words
    }
    let text = Array(try reader.string().utf8)
    guard let words = text.withUnsafeBufferPointer(hexWords) else { throw notAnIdentifier }
    return words
}

private var notAnIdentifier: WireError {
    WireError(.invalidValue(why: "must be 32 lowercase hexadecimal digits"))
}

extension Identifier: CustomStringConvertible {
    @usableFromInline
    package var description: String { hex }
}

extension Identifier: WireValue, Codable {
    @inlinable
    package func write(to writer: inout JSONWriter) { writeHexWords(high, low, to: &writer) }

    @inlinable
    package static func read(_ reader: inout JSONReader) throws(WireError) -> Identifier {
        let words = try readHexWords(&reader)
        return Identifier(high: words.0, low: words.1)
    }

    @usableFromInline
    package init(from decoder: any Decoder) throws {
        guard let id = Identifier(try decoder.singleValueContainer().decode(String.self)) else {
            throw notAnIdentifier
        }
        self = id
    }

    @usableFromInline
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(hex)
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

/// A place where a merchant does business; a merchant may have several.
package enum Place {}
package typealias PlaceID = Identifier<Place>

/// An ad or a coupon.
package enum Offer {}
package typealias OfferID = Identifier<Offer>

/// One message to one account, in its inbox.
package enum Notice {}
package typealias NoticeID = Identifier<Notice>

/// Where notices are sent to besides the inbox: a phone's or a browser's push address, a mail address, a web hook.
package enum Endpoint {}
package typealias EndpointID = Identifier<Endpoint>

/// One notice on its way to one endpoint.
package enum QueuedDelivery {}
package typealias DeliveryID = Identifier<QueuedDelivery>

/// A letter to the owner of an account. One with a code bears the code's id.
package enum Letter {}
package typealias LetterID = Identifier<Letter>

package enum Session {}
package typealias SessionID = Identifier<Session>

/// An envelope.
package enum Message {}
package typealias MessageID = Identifier<Message>
