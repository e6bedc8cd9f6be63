import Wire

/// Reads what a source has told, in order: `<service>.facts.read.v1`.
///
/// For subscribers that missed something. Facts come whole, as the envelopes that were published.
package struct ReadFacts<Source: FactSource>: Ask, HandCoded {
    package static var type: MessageType { MessageType("\(Source.service).facts.read.v1") }
    package static var retry: RetryClass { .idempotent }
    package static var faults: [FaultCode] { [] }

    /// The sequence after which to begin; 0 for the first fact.
    package let after: Int64
    /// At most so many facts, 1 to 1000. Fewer come where more would not fit into an envelope.
    package let limit: Int

    package init(after: Int64, limit: Int) {
        self.after = after
        self.limit = limit
    }

    package typealias Reply = FactsPage

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("after", after)
        writer.field("limit", Int64(limit))
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> ReadFacts<Source> {
        var after: Int64?
        var limit: Int64?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "after": try reader.take(&after, key)
            case "limit": try reader.take(&limit, key)
            default: throw reader.unknown(key)
            }
        }
        return ReadFacts(after: try required(after, "after"), limit: Int(try required(limit, "limit")))
    }
}

/// Facts one after another without a gap, beginning behind `after`.
package struct FactsPage: WireMessage, HandCoded, Equatable {
    /// Envelopes as published, oldest first.
    package let facts: [RawJSON]
    /// The sequence of the newest fact there is.
    package let head: Int64

    package init(facts: [RawJSON], head: Int64) {
        self.facts = facts
        self.head = head
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("facts")
        writer.beginArray()
        for fact in facts { fact.write(to: &writer) }
        writer.endArray()
        writer.field("head", head)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> FactsPage {
        var facts: [RawJSON]?
        var head: Int64?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "facts":
                guard facts == nil else { throw WireError(.duplicateKey, path: "facts") }
                var list: [RawJSON] = []
                try reader.array { reader throws(WireError) in list.append(try RawJSON.read(&reader)) }
                facts = list
            case "head": try reader.take(&head, key)
            default: throw reader.unknown(key)
            }
        }
        return FactsPage(facts: try required(facts, "facts"), head: try required(head, "head"))
    }
}

/// How far a source has come: told once a second, so that a lost last fact is noticed too. Has no sequence itself.
package struct FactsHead<Source: FactSource>: Fact {
    package static var type: MessageType { MessageType("\(Source.service).facts.head.v1") }
    package let head: Int64

    package init(head: Int64) { self.head = head }
}

/// The recorded outcome of a keyed ask: the fact that it led to.
package struct Recorded<Result: Fact & Equatable>: HandCoded, Equatable {
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
