// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension FollowState {
    package init(
        _: Void = ()
    ) {
    }

    package static var summary: String { "Begins a hand-over of a service's state: `<service>.state.follow.v1`. For a program that is to take the service's place; nobody may ask it for somebody. From now on the service notes which rows change. There is one hand-over at a time: it ends when another one begins, when its tables are not read for ten minutes, and with the process. Facts are not part of it: `facts.read` has them." }
    package static var fields: [Field<Self>] {
        [
        ]
    }
}

extension FollowedState: Shape {
    package init(
        copy: Int64,
        tables: [StateTable],
        _: Void = ()
    ) {
        self.copy = copy
        self.tables = tables
    }

    package static var summary: String { "A hand-over that has begun." }
    package static var fields: [Field<Self>] {
        [
            Field("copy", \.copy, "Names the hand-over in each `state.read`."),
            Field("tables", \.tables, "All tables but the log of facts. Each is read by itself."),
        ]
    }
}

extension StateTable: Shape {
    package init(
        name: String,
        columns: [StateColumn],
        _: Void = ()
    ) {
        self.name = name
        self.columns = columns
    }

    package static var summary: String { "One table of a service's state." }
    package static var fields: [Field<Self>] {
        [
            Field("name", \.name),
            Field("columns", \.columns),
        ]
    }
}

extension StateColumn: Shape {
    package init(
        name: String,
        kind: String,
        isKey: Bool,
        _: Void = ()
    ) {
        self.name = name
        self.kind = kind
        self.isKey = isKey
    }

    package static var summary: String { "One column of a table." }
    package static var fields: [Field<Self>] {
        [
            Field("name", \.name),
            Field("kind", \.kind, "`integer` (64 bits; times are milliseconds since 1970), `text`, or `bytes`: hex digits, or, of more than 64 bytes, `{\"base64\":\"…\"}` with the URL-safe alphabet."),
            Field("isKey", \.isKey, "Whether it is part of the key that tells rows apart."),
        ]
    }
}

extension ReadState {
    package init(
        copy: Int64,
        table: String,
        after: String? = nil,
        limit: Int,
        _: Void = ()
    ) {
        self.copy = copy
        self.table = table
        self.after = after
        self.limit = limit
    }

    package static var summary: String { "Reads one table of a hand-over: `<service>.state.read.v1`. First all of its rows, then the rows that have changed since, again and again. A page may be read twice. Whoever applies each page, removals first, has the table as it is once `isEnd` comes while the service's queue is paused." }
    package static var fields: [Field<Self>] {
        [
            Field("copy", \.copy, "The hand-over, as `state.follow` named it."),
            Field("table", \.table, "One of the tables that it named."),
            Field("after", \.after, "The `next` of the page before; absent for the first one."),
            Field("limit", \.limit, "At most so many rows, 1 to 1000. Fewer come where more would not fit into an envelope."),
        ]
    }
}

extension StatePage: Shape {
    package init(
        rows: [RawJSON],
        removed: [RawJSON],
        next: String,
        isEnd: Bool,
        _: Void = ()
    ) {
        self.rows = rows
        self.removed = removed
        self.next = next
        self.isEnd = isEnd
    }

    package static var summary: String { "Rows of a table, each an object with all of its columns, and keys of rows that are gone." }
    package static var fields: [Field<Self>] {
        [
            Field("rows", \.rows, "Each takes the place of the row with the same key."),
            Field("removed", \.removed, "Objects with the key's columns."),
            Field("next", \.next, "Ask on with this as `after`, also after the end: then for what has changed since."),
            Field("isEnd", \.isEnd, "Whether nothing more is to be read at present."),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("rows", rows)
        writer.field("removed", removed)
        writer.field("next", next)
        writer.field("isEnd", isEnd)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var rows: [RawJSON]?
        var removed: [RawJSON]?
        var next: String?
        var isEnd: Bool?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "rows": try reader.take(&rows, key)
            case "removed": try reader.take(&removed, key)
            case "next": try reader.take(&next, key)
            case "isEnd": try reader.take(&isEnd, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            rows: try required(rows, "rows"),
            removed: try required(removed, "removed"),
            next: try required(next, "next"),
            isEnd: try required(isEnd, "isEnd")
        )
    }
}

extension SealState {
    package init(
        copy: Int64,
        isSealed: Bool,
        _: Void = ()
    ) {
        self.copy = copy
        self.isSealed = isSealed
    }

    package static var summary: String { "Ends the changes of a service's state for the end of a hand-over: `<service>.state.seal.v1`. Asked for while the service's queue is paused. For 5 s the service writes nothing, not even what it does by itself, and refuses what would have to be written. Then it goes on, if it still runs." }
    package static var fields: [Field<Self>] {
        [
            Field("copy", \.copy, "The hand-over, as `state.follow` named it."),
            Field("isSealed", \.isSealed, "False takes the seal off at once: the hand-over has failed."),
        ]
    }
}

extension SealedState: Shape {
    package init(
        tables: [SealedTable],
        facts: Int64,
        _: Void = ()
    ) {
        self.tables = tables
        self.facts = facts
    }

    package static var summary: String { "What a state that changes no more consists of." }
    package static var fields: [Field<Self>] {
        [
            Field("tables", \.tables, "The tables that are on the disk."),
            Field("facts", \.facts, "The number of the newest fact."),
        ]
    }
}

extension SealedTable: Shape {
    package init(
        name: String,
        rows: Int64,
        last: Int64? = nil,
        _: Void = ()
    ) {
        self.name = name
        self.rows = rows
        self.last = last
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("name", \.name),
            Field("rows", \.rows),
            Field("last", \.last, "The greatest number that was ever given to a row, of a table that gives none twice."),
        ]
    }
}

extension AdvanceTakeOver {
    package init(
        to: TakeOverPhase,
        _: Void = ()
    ) {
        self.to = to
    }

    package static var summary: String { "Brings a program on that takes a service's state over: `<service>.takeover.advance.v1`, answered under the name `next.<service>` and only until it serves. `billfold swap` asks it." }
    package static var fields: [Field<Self>] {
        [
            Field("to", \.to, "What it is to reach: `following` only says how far it is."),
        ]
    }
}

extension TakeOver: Shape {
    package init(
        phase: TakeOverPhase,
        rows: Int64,
        facts: Int64,
        _: Void = ()
    ) {
        self.phase = phase
        self.rows = rows
        self.facts = facts
    }

    package static var summary: String { "How far a program is that takes a service's state over." }
    package static var fields: [Field<Self>] {
        [
            Field("phase", \.phase),
            Field("rows", \.rows, "Rows read so far, changed ones again."),
            Field("facts", \.facts, "The number of the last fact that it has."),
        ]
    }
}

extension TakeOverPhase: Choice {
    package static var summary: String { "" }
    package static var meanings: [Self: String] {
        [
            .copying: "It reads the tables for the first time.",
            .following: "It has read everything once, and reads what changes.",
            .complete: "It has read to the end, while the service's queue was paused, and reads no more.",
            .serving: "It takes the service's asks.",
        ]
    }
}
