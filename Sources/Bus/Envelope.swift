import Contracts
import Glibc
import Primitives
import Wire

/// CloudEvents 1.0 (section 2, "Context Attributes") in its structured JSON form: what asks, replies and facts travel in.
///
/// Read in one pass; `data` stays as it was written until a handler wants it.
///
/// A class whose values never change, so that handing one on is cheap: it has seven texts, each with an owner to count.
package final class Envelope: Sendable {
    /// Bytes that one envelope may have (CloudEvents section 3.4: what everyone must forward).
    package static let bytesMax = 64 * 1024

    package let id: String
    /// Who made it: a service's name, or whatever a foreign peer calls itself.
    package let source: String
    package let type: String
    package let time: Timestamp?
    /// The first message of all that this one belongs to.
    package let correlationID: String?
    /// The message that led to this one.
    package let causationID: String?
    /// W3C Trace Context.
    package let traceparent: String?
    /// When an ask is no longer worth doing.
    package let expiryTime: Timestamp?
    package let idempotencyKey: String?
    /// A fact's place among those of its source.
    package let sequence: Int64?
    /// For whom an ask is made, as the gateway found out.
    package let actor: Actor?
    /// The message itself, JSON as written. Of an envelope that was read, a part of its frame.
    package let data: ArraySlice<UInt8>

    package convenience init(
        id: String, source: String, type: String, time: Timestamp? = nil, correlationID: String? = nil,
        causationID: String? = nil, traceparent: String? = nil, expiryTime: Timestamp? = nil,
        idempotencyKey: String? = nil, sequence: Int64? = nil, actor: Actor? = nil, data: [UInt8]
    ) {
        self.init(
            id: id, source: source, type: type, time: time, correlationID: correlationID, causationID: causationID,
            traceparent: traceparent, expiryTime: expiryTime, idempotencyKey: idempotencyKey, sequence: sequence,
            actor: actor, part: data[...])
    }

    private init(
        id: String, source: String, type: String, time: Timestamp?, correlationID: String?, causationID: String?,
        traceparent: String?, expiryTime: Timestamp?, idempotencyKey: String?, sequence: Int64?, actor: Actor?,
        part data: ArraySlice<UInt8>
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
        self.data = data
    }

    /// The same with another type or another `data`: for who puts something else in a message's place.
    package func with(type: String? = nil, data: [UInt8]? = nil) -> Envelope {
        Envelope(
            id: id, source: source, type: type ?? self.type, time: time, correlationID: correlationID,
            causationID: causationID, traceparent: traceparent, expiryTime: expiryTime, idempotencyKey: idempotencyKey,
            sequence: sequence, actor: actor, part: data?[...] ?? self.data)
    }

    /// - Parameter places: where its attributes lie in a text that was read.
    init(_ places: EnvelopePlaces, in text: [UInt8]) {
        id = places.id.string(in: text)
        source = places.source.string(in: text)
        type = places.typeName(in: text)
        time = places.time
        correlationID = places.correlationID?.string(in: text)
        causationID = places.causationID?.string(in: text)
        traceparent = places.traceparent?.string(in: text)
        expiryTime = places.expiryTime
        idempotencyKey = places.idempotencyKey?.string(in: text)
        sequence = places.sequence
        actor = places.actor
        data = places.data(of: text)
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
        var role = role.rawValue
        role.withUTF8 { role in
            writer.plainString(countMax: role.count + 33) { place in
                if let start = role.baseAddress { memcpy(place, start, role.count) }
                place[role.count] = UInt8(ascii: ":")
                party.writeHex(to: place + role.count + 1)
                return role.count + 33
            }
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
            writer.plainString(countMax: Self.sequenceDigits) { place in
                var rest = sequence.magnitude
                for digit in (0..<Self.sequenceDigits).reversed() {
                    place[digit] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                    rest /= 10
                }
                return Self.sequenceDigits
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
