import Wire

/// Reads a source's published facts, in order: `<service>.facts.read.v1`.
///
/// For subscribers that missed something. Facts come whole, as the envelopes that were published.
package struct ReadFacts<Source: FactSource>: Ask, FastCoded {
    package static var type: MessageType { MessageType("\(Source.service).facts.read.v1") }
    package static var effect: Effect<Self> { .reads }
    package static var access: Access<Self> { .any(.administrator) }
    package static var limits: [Limit<Self>] {
        [
            .number(\.after, 0...Int64.max, example: 0),
            .number(\.limit, 1...1000, example: 100)
        ]
    }
    package static var faults: [FaultCode] { [] }
    package static var examples: Examples<Self> {
        Examples(
            Self(after: 40, limit: 1000),
            reply: FactsPage(facts: [41, 42].map { Samples.published(Source.sample, $0) }, head: 42),
            bareReply: FactsPage(facts: [], head: 0))
    }

    /// The sequence after which to begin; 0 for the first fact.
    package let after: Int64
    /// At most so many facts, 1 to 1000. Fewer come where more would not fit into an envelope.
    package let limit: Int

    package typealias Reply = FactsPage
}

/// Facts one after another without a gap, beginning behind `after`.
package struct FactsPage: FastCoded, Equatable {
    /// Envelopes as published, oldest first.
    package let facts: [RawJSON]
    /// The sequence of the newest fact there is.
    package let head: Int64
}

/// How far a source has come: told once a second, so that a lost last fact is noticed too. Has no sequence itself.
package struct FactsHead<Source: FactSource>: Fact {
    package static var type: MessageType { MessageType("\(Source.service).facts.head.v1") }
    package static var examples: FactExamples<Self> { FactExamples(Self(head: 42)) }
    package let head: Int64
}

/// The recorded outcome of a keyed ask: the fact that it led to.
package struct Recorded<Result: Fact & Equatable>: FastCoded, Equatable {
    package let result: Result
    /// The fact's place in its source's sequence; a reader that has come so far has seen it.
    package let sequence: Int64
    /// Whether this is the answer to an earlier ask with the same key, given again.
    package let replayed: Bool

    package init(_ result: Result, sequence: Int64, replayed: Bool) {
        self.result = result
        self.sequence = sequence
        self.replayed = replayed
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("result")
        result.write(to: &writer)
        writer.field("sequence", sequence)
        writer.field("replayed", replayed)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Recorded<Result> {
        var result: Result?
        var sequence: Int64?
        var replayed: Bool?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "result":
                guard result == nil else { throw WireError(.duplicateKey, path: "result") }
                do throws(WireError) { result = try Result.read(&reader) } catch { throw error.inside("result") }
            case "sequence": try reader.take(&sequence, key)
            case "replayed": try reader.take(&replayed, key)
            default: throw reader.unknown(key)
            }
        }
        return Recorded(
            try required(result, "result"), sequence: try required(sequence, "sequence"),
            replayed: try required(replayed, "replayed"))
    }

    /// The same JSON with the fact already written.
    package static func write(result: [UInt8], sequence: Int64, replayed: Bool, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("result")
        writer.json(result)
        writer.field("sequence", sequence)
        writer.field("replayed", replayed)
        writer.endObject()
    }
}

/// One JSON value kept as it was written.
package struct RawJSON: WireValue, Equatable {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package func write(to writer: inout JSONWriter) { writer.json(bytes) }

    package static func read(_ reader: inout JSONReader) throws(WireError) -> RawJSON { try reader.raw() }
}

extension JSONReader {
    fileprivate mutating func raw() throws(WireError) -> RawJSON {
        let range = try pass()
        return RawJSON(copy(range))
    }
}

extension RawJSON: Codable {
    package init(from decoder: any Decoder) throws {
        throw WireError(.invalidValue(why: "can be read from text only"))
    }
    package func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(self, .init(codingPath: [], debugDescription: "raw JSON is written as text"))
    }
}
