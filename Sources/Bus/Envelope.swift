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
    /// The message itself, JSON as written.
    package var data: [UInt8]

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
        self.data = data
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
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let role = Auth.Role(rawValue: String(parts[0])), let party = PartyID(String(parts[1]))
        else { return nil }
        self.init(role: role, party: party)
    }
}

extension Envelope {
    /// `sequence` as text: sorts like the number (CloudEvents extension "sequence").
    private static let sequenceDigits = 20

    package func write(to writer: inout JSONWriter) {
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
                let digits = String(sequence).utf8
                bytes.append(
                    contentsOf: repeatElement(UInt8(ascii: "0"), count: max(0, Self.sequenceDigits - digits.count)))
                bytes.append(contentsOf: digits)
            }
        }
        if let actor { writer.field("actor", actor.text) }
        writer.key("data")
        writer.json(data)
        writer.endObject()
    }

    package var json: [UInt8] {
        var writer = JSONWriter(capacity: data.count + 512)
        write(to: &writer)
        return writer.bytes
    }

    /// Reads one frame. Attributes that are not named here are passed over, as CloudEvents asks of receivers.
    package init(json frame: [UInt8]) throws(WireError) {
        guard frame.count <= Self.bytesMax else { throw WireError(.outOfRange, path: "envelope") }
        self = try JSONReader.read(frame) { reader throws(WireError) in try Envelope.read(&reader) }
    }

    private static func read(_ reader: inout JSONReader) throws(WireError) -> Envelope {
        var specversion: String?
        var id: String?
        var source: String?
        var type: String?
        var time: Timestamp?
        var correlationID: String?
        var causationID: String?
        var traceparent: String?
        var expiryTime: Timestamp?
        var idempotencyKey: String?
        var sequence: String?
        var actor: String?
        var data: Range<Int>?
        var others: Set<String> = []
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "specversion": try reader.take(&specversion, key)
            case "id": try reader.take(&id, key)
            case "source": try reader.take(&source, key)
            case "type": try reader.take(&type, key)
            case "time": try reader.takeOptional(&time, key)
            case "correlationid": try reader.takeOptional(&correlationID, key)
            case "causationid": try reader.takeOptional(&causationID, key)
            case "traceparent": try reader.takeOptional(&traceparent, key)
            case "expirytime": try reader.takeOptional(&expiryTime, key)
            case "idempotencykey": try reader.takeOptional(&idempotencyKey, key)
            case "sequence": try reader.takeOptional(&sequence, key)
            case "actor": try reader.takeOptional(&actor, key)
            case "data":
                guard data == nil else { throw WireError(.duplicateKey, path: "data") }
                data = try reader.pass()
            default:
                guard others.insert(key.string).inserted else { throw WireError(.duplicateKey, path: key.string) }
                _ = try reader.skip()
            }
        }
        guard try required(specversion, "specversion") == "1.0" else {
            throw WireError(.invalidValue(why: "must be \"1.0\""), path: "specversion")
        }
        var envelope = Envelope(
            id: try required(id, "id"), source: try required(source, "source"), type: try required(type, "type"),
            time: time, correlationID: correlationID, causationID: causationID, traceparent: traceparent,
            expiryTime: expiryTime, idempotencyKey: idempotencyKey, data: [])
        guard !envelope.id.isEmpty, !envelope.source.isEmpty, !envelope.type.isEmpty else {
            throw WireError(.invalidValue(why: "must not be empty"), path: "id, source or type")
        }
        if let sequence {
            // Digits only: Swift would read "+5" and "-0" too.
            guard let number = Int64(sequence), sequence.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
                throw WireError(.invalidValue(why: "must be a number"), path: "sequence")
            }
            envelope.sequence = number
        }
        if let actor {
            guard let known = Actor(actor) else {
                throw WireError(.invalidValue(why: "must be role:id"), path: "actor")
            }
            envelope.actor = known
        }
        envelope.data = data.map(reader.copy) ?? Array("{}".utf8)
        return envelope
    }
}
