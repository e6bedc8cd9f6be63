import Contracts
import Primitives
import Wire

extension Envelope {
    /// `sequence` as text sorts like the number (CloudEvents extension "sequence").
    private static let sequenceDigits = 20

    /// Writes an envelope whose `data` is written in its place.
    package static func json(
        id: String, source: String, type: String, time: Timestamp? = nil, correlationID: String? = nil,
        causationID: String? = nil, traceparent: String? = nil, expiryTime: Timestamp? = nil,
        idempotencyKey: String? = nil, sequence: Int64? = nil, actor: Actor? = nil, data: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: JSONWriter.envelopeCapacity)
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
            writer.plainString(countMax: sequenceDigits) { room in
                var rest = sequence.magnitude
                for digit in (0..<sequenceDigits).reversed() {
                    room[digit] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                    rest /= 10
                }
                return sequenceDigits
            }
        }
        if let actor {
            writer.key("actor")
            actor.write(to: &writer)
        }
        writer.key("data")
        data(&writer)
        writer.endObject()
        return writer.bytes
    }
}

extension JSONWriter {
    /// Room for the envelope of a payment. With an array's own 32 bytes it is the largest piece that glibc caches for
    /// each thread (1,032 bytes).
    static let envelopeCapacity = 1000
}
