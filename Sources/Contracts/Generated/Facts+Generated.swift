// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension ReadFacts {
    package init(
        after: Int64,
        limit: Int,
        _: Void = ()
    ) {
        self.after = after
        self.limit = limit
    }

    package static var summary: String { "Reads a source's published facts, in order: `<service>.facts.read.v1`. For subscribers that missed something. Facts come whole, as the envelopes that were published." }
    package static var fields: [Field<Self>] {
        [
            Field("after", \.after, "The sequence after which to begin; 0 for the first fact."),
            Field("limit", \.limit, "At most so many facts, 1 to 1000. Fewer come where more would not fit into an envelope."),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("after", after)
        writer.field("limit", limit)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var after: Int64?
        var limit: Int?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "after": try reader.take(&after, key)
            case "limit": try reader.take(&limit, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            after: try required(after, "after"),
            limit: try required(limit, "limit")
        )
    }
}

extension FactsPage: Shape {
    package init(
        facts: [RawJSON],
        head: Int64,
        _: Void = ()
    ) {
        self.facts = facts
        self.head = head
    }

    package static var summary: String { "Facts one after another without a gap, beginning behind `after`." }
    package static var fields: [Field<Self>] {
        [
            Field("facts", \.facts, "Envelopes as published, oldest first."),
            Field("head", \.head, "The sequence of the newest fact there is."),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("facts", facts)
        writer.field("head", head)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var facts: [RawJSON]?
        var head: Int64?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "facts": try reader.take(&facts, key)
            case "head": try reader.take(&head, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            facts: try required(facts, "facts"),
            head: try required(head, "head")
        )
    }
}

extension FactsHead {
    package init(
        head: Int64,
        _: Void = ()
    ) {
        self.head = head
    }

    package static var summary: String { "How far a source has come: told once a second, so that a lost last fact is noticed too. Has no sequence itself." }
    package static var fields: [Field<Self>] {
        [
            Field("head", \.head),
        ]
    }
}

extension Recorded: Shape {
    package static var summary: String { "The recorded outcome of a keyed ask: the fact that it led to." }
    package static var fields: [Field<Self>] {
        [
            Field("result", \.result),
            Field("sequence", \.sequence, "The fact's place in its source's sequence; a reader that has come so far has seen it."),
            Field("replayed", \.replayed, "Whether this is the answer to an earlier ask with the same key, given again."),
        ]
    }
}
