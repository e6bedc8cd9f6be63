import Contracts
import Primitives
import Wire

/// CloudEvents 1.0 (section 2, "Context Attributes") in its structured JSON form: what asks, replies and facts travel in.
///
/// Read in one pass; `data` stays as it was written until a handler wants it.
package struct Envelope: Sendable {
    /// Bytes that one envelope may have (CloudEvents section 3.4: what everyone must forward).
    package static let bytesMax = 64 * 1024

    package var id: String
    /// Who made it: a service's name, or whatever a foreign peer calls itself.
    package var source: String
    package var type: String
    package var time: Timestamp?
    /// The first message of all that this one belongs to.
    package var correlationID: String?
    /// The message that led to this one.
    package var causationID: String?
    /// W3C Trace Context.
    package var traceparent: String?
    /// When an ask is no longer worth doing.
    package var expiryTime: Timestamp?
    package var idempotencyKey: String?
    /// A fact's place among those of its source.
    package var sequence: Int64?
    /// For whom an ask is made, as the gateway found out.
    package var actor: Actor?
    /// The message itself, JSON as written. Of an envelope that was read, a part of its frame.
    package var data: ArraySlice<UInt8>

    package init(
        id: String, source: String, type: String, time: Timestamp? = nil, correlationID: String? = nil,
        causationID: String? = nil, traceparent: String? = nil, expiryTime: Timestamp? = nil,
        idempotencyKey: String? = nil, sequence: Int64? = nil, actor: Actor? = nil, data: [UInt8]
    ) {
        self.id = id
        self.source = source
        self.type = type
        self.time = time
        self.correlationID = correlationID
        self.causationID = causationID
        self.traceparent = traceparent
        self.expiryTime = expiryTime
        self.idempotencyKey = idempotencyKey
        self.sequence = sequence
        self.actor = actor
        self.data = data[...]
    }
}

/// On whose behalf an ask is made. Absent from the envelope: a service acts for itself.
package struct Actor: Hashable, Sendable {
    package let role: Auth.Role
    package let party: PartyID

    package init(role: Auth.Role, party: PartyID) {
        self.role = role
        self.party = party
    }

    /// `customer:0192…`
    package var text: String { "\(role.rawValue):\(party.hex)" }

    package init?(_ text: String) {
        var text = text
        guard let actor = text.withUTF8({ Actor(utf8: $0) }) else { return nil }
        self = actor
    }

    init?(utf8 text: UnsafeBufferPointer<UInt8>) {
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")),
            let role = Auth.Role(rawValue: String(decoding: text[..<colon], as: UTF8.self)),
            let party = PartyID(hex: UnsafeBufferPointer(rebasing: text[(colon + 1)...]))
        else { return nil }
        self.init(role: role, party: party)
    }

    func write(to writer: inout JSONWriter) {
        writer.plainString { bytes in
            bytes.append(contentsOf: role.rawValue.utf8)
            bytes.append(UInt8(ascii: ":"))
            party.appendHex(to: &bytes)
        }
    }
}

extension JSONWriter {
    /// Room for an envelope of a payment's. With the array's own 32 bytes it is the largest piece of memory that glibc keeps
    /// at hand for each thread (1,032 bytes); taking and giving back a larger one is several times as dear.
    static let envelopeCapacity = 1000
}

extension Envelope {
    /// `sequence` as text: sorts like the number (CloudEvents extension "sequence").
    private static let sequenceDigits = 20

    package func write(to writer: inout JSONWriter) { write(to: &writer) { $0.json(data) } }

    private func write(to writer: inout JSONWriter, data: (inout JSONWriter) -> Void) {
        writer.beginObject()
        writer.field("specversion", "1.0")
        writer.field("id", id)
        writer.field("source", source)
        writer.field("type", type)
        writer.field("time", time)
        writer.field("correlationid", correlationID)
        writer.field("causationid", causationID)
        writer.field("traceparent", traceparent)
        writer.field("expirytime", expiryTime)
        writer.field("idempotencykey", idempotencyKey)
        if let sequence {
            writer.key("sequence")
            writer.plainString { bytes in
                let end = bytes.count + Self.sequenceDigits
                bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: Self.sequenceDigits))
                var (rest, at) = (sequence.magnitude, end)
                while rest > 0 {
                    at -= 1
                    bytes[at] += UInt8(truncatingIfNeeded: rest % 10)
                    rest /= 10
                }
            }
        }
        if let actor {
            writer.key("actor")
            actor.write(to: &writer)
        }
        writer.key("data")
        data(&writer)
        writer.endObject()
    }

    package var json: [UInt8] {
        var writer = JSONWriter(capacity: data.count + 512)
        write(to: &writer)
        return writer.bytes
    }

    /// The envelope with a `data` that is written in its place, which saves making it first.
    package func json(data: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter(capacity: JSONWriter.envelopeCapacity)
        write(to: &writer, data: data)
        return writer.bytes
    }
}
