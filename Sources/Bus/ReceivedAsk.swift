import Contracts
import Primitives
import Wire

/// An ask as it came: its frame, and where its attributes lie in it. What is only handed on is never made into texts.
package struct ReceivedAsk: Sendable {
    package let type: String
    private let frame: [UInt8]
    private let places: EnvelopePlaces

    package init(json frame: [UInt8]) throws(WireError) {
        guard frame.count <= Envelope.bytesMax else { throw WireError(.outOfRange, path: "envelope") }
        places = try JSONReader.read(frame) { reader throws(WireError) in try EnvelopePlaces(&reader) }
        type = places.typeName(in: frame)
        self.frame = frame
    }

    package var data: ArraySlice<UInt8> { places.data(of: frame) }
    package var actor: Actor? { places.actor }
    package var expiryTime: Timestamp? { places.expiryTime }

    /// With all of its attributes, for who wants to keep them.
    package var envelope: Envelope { Envelope(places, in: frame) }

    // MARK: What follows from it

    /// Writes an envelope of ours that belongs to the same first message and has this ask as its cause.
    ///
    /// - Parameters:
    ///   - type: what is needed of an ask of ours; nil for an answer, whose type is this ask's and `ending`.
    ///   - expires: when that is no longer worth doing.
    func followed(
        by id: MessageID, from source: String, type: MessageType? = nil, ending: StaticString = "", at time: Timestamp,
        expires: Timestamp? = nil, actor: Actor? = nil, data: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: JSONWriter.envelopeCapacity)
        writer.beginObject()
        writer.field("specversion", "1.0")
        writer.field("id", id)
        writer.field("source", source)
        if let type {
            writer.field("type", type.name)
        } else {
            writer.key("type")
            writer.string(places.type, of: frame, then: ending)
        }
        writer.field("time", time)
        writer.key("correlationid")
        writer.string(places.correlationID ?? places.id, of: frame)
        writer.key("causationid")
        writer.string(places.id, of: frame)
        if let traceparent = places.traceparent {
            writer.key("traceparent")
            writer.string(traceparent, of: frame)
        }
        writer.field("expirytime", expires)
        if type != nil, let idempotencyKey = places.idempotencyKey {
            writer.key("idempotencykey")
            writer.string(idempotencyKey, of: frame)
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

    // MARK: What is remembered of it

    var id: MessageID { identifier(places.id) }
    var causationID: MessageID? { places.causationID.map(identifier) }
    var correlationID: MessageID? { places.correlationID.map(identifier) }

    var trace: TraceID? {
        guard let place = places.traceparent else { return nil }
        return frame.withUnsafeBufferPointer { place.plain(in: $0).flatMap { TraceID(traceparent: $0) } }
    }

    private func identifier(_ place: JSONString) -> MessageID {
        frame.withUnsafeBufferPointer { text in place.plain(in: text).flatMap { MessageID(hex: $0) } }
            ?? frame.withUnsafeBytes { MessageID(standingFor: JSONReader($0).string(place)) }
    }
}
