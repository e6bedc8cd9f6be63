import Contracts
import Primitives
import Wire

/// CloudEvents 1.0 (section 2, "Context Attributes") in its structured JSON form: what asks, replies and facts travel
/// in.
///
/// The text as it came, and where its attributes lie in it, found in one scan. Strings are made when they are asked
/// for; `data` stays bytes until a handler reads it.
///
/// An immutable class: passing it on costs one retain.
package final class Envelope: Sendable {
    /// Bytes that one envelope may have (CloudEvents section 3.4: what everyone must forward).
    package static let bytesMax = 64 * 1024

    package let type: String
    /// A frame, or a page of facts that the envelope is a part of.
    private let text: [UInt8]
    private let range: Range<Int>
    private let attributes: EnvelopeAttributes

    /// Reads one frame. Attributes that are not named here are passed over, as CloudEvents asks of receivers.
    package convenience init(json frame: [UInt8]) throws(WireError) {
        guard frame.count <= Self.bytesMax else { throw WireError(.outOfRange, path: "envelope") }
        try self.init(text: frame)
    }

    private convenience init(text: [UInt8]) throws(WireError) {
        let attributes = try JSONReader.read(text) { reader throws(WireError) in try EnvelopeAttributes(&reader) }
        self.init(attributes, in: text, range: 0..<text.count)
    }

    /// Reads the next value of a text as an envelope that keeps a reference to that text.
    convenience init(_ reader: inout JSONReader, of text: [UInt8]) throws(WireError) {
        _ = try reader.peek()
        let start = reader.offset
        let attributes = try EnvelopeAttributes(&reader)
        self.init(attributes, in: text, range: start..<reader.offset)
    }

    private init(_ attributes: EnvelopeAttributes, in text: [UInt8], range: Range<Int>) {
        type = attributes.type.string(in: text)
        self.text = text
        self.range = range
        self.attributes = attributes
    }

    /// An envelope of these attributes: its text is that of `json(id:…)`.
    package convenience init(
        id: String, source: String, type: String, time: Timestamp? = nil, correlationID: String? = nil,
        causationID: String? = nil, traceparent: String? = nil, expiryTime: Timestamp? = nil,
        idempotencyKey: String? = nil, sequence: Int64? = nil, actor: Actor? = nil, data: [UInt8]
    ) {
        let text = Self.json(
            id: id, source: source, type: type, time: time, correlationID: correlationID, causationID: causationID,
            traceparent: traceparent, expiryTime: expiryTime, idempotencyKey: idempotencyKey, sequence: sequence,
            actor: actor
        ) { $0.json(data) }
        do throws(WireError) { try self.init(text: text) } catch { preconditionFailure("not an envelope: \(error)") }
    }

    /// The whole envelope as it came.
    package var json: [UInt8] { range.count == text.count ? text : Array(text[range]) }

    /// Whether an ask of these attributes can be answered, and told of by facts: each text has 255 bytes at most.
    var canBeHandedOn: Bool { attributes.canBeHandedOn }

    package var id: String { attributes.id.string(in: text) }
    /// Who made it: a service's name, or whatever a foreign peer calls itself.
    package var source: String { attributes.source.string(in: text) }
    package var time: Timestamp? { attributes.time }
    /// The first message of all that this one belongs to.
    package var correlationID: String? { attributes.correlationID?.string(in: text) }
    /// The message that led to this one.
    package var causationID: String? { attributes.causationID?.string(in: text) }
    /// W3C Trace Context.
    package var traceparent: String? { attributes.traceparent?.string(in: text) }
    /// When an ask is no longer worth doing.
    package var expiryTime: Timestamp? { attributes.expiryTime }
    package var idempotencyKey: String? { attributes.idempotencyKey?.string(in: text) }
    /// A fact's number among those of its source.
    package var sequence: Int64? { attributes.sequence }
    /// For whom an ask is made, as the gateway found out.
    package var actor: Actor? { attributes.actor }
    /// The message itself, JSON as written; `{}` where there is none.
    package var data: ArraySlice<UInt8> { attributes.data.map { text[$0] } ?? Self.noData }

    private static let noData = Array("{}".utf8)[...]

    // MARK: Identifiers of spans

    var messageID: MessageID { identifier(attributes.id) }
    var causation: MessageID? { attributes.causationID.map(identifier) }
    var correlation: MessageID? { attributes.correlationID.map(identifier) }

    var trace: TraceID? {
        guard let traceparent = attributes.traceparent else { return nil }
        return text.withUnsafeBufferPointer { traceparent.plain(in: $0).flatMap { TraceContext(utf8: $0)?.trace } }
    }

    private func identifier(_ string: JSONString) -> MessageID {
        text.withUnsafeBufferPointer { text in string.plain(in: text).flatMap { MessageID(hex: $0) } }
            ?? MessageID(standingFor: string.string(in: text))
    }

    // MARK: Answers

    /// Writes an answer to this ask: it has this ask's type and `ending`, and this ask as its cause.
    func answer(
        _ id: MessageID, from source: String, ending: StaticString, at time: Timestamp,
        data: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: JSONWriter.envelopeCapacity)
        writer.beginObject()
        writer.field("specversion", "1.0")
        writer.field("id", id)
        writer.field("source", source)
        writer.key("type")
        writer.string(attributes.type, of: text, then: ending)
        writer.field("time", time)
        writer.key("correlationid")
        writer.string(attributes.correlationID ?? attributes.id, of: text)
        writer.key("causationid")
        writer.string(attributes.id, of: text)
        if let traceparent = attributes.traceparent {
            writer.key("traceparent")
            writer.string(traceparent, of: text)
        }
        writer.key("data")
        data(&writer)
        writer.endObject()
        return writer.bytes
    }
}
