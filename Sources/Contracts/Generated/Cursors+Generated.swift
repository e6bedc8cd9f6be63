// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension MoveCursor {
    package init(
        source: String,
        from: Int64,
        to: Int64,
        _: Void = ()
    ) {
        self.source = source
        self.from = from
        self.to = to
    }

    package static var summary: String { "Moves the cursor of a reader that cannot go on in a source's facts: `<service>.cursor.move.v1`. For operators on the bus; nobody may ask it for somebody. Facts up to `to` count as applied from then on, and those after it are read and applied. A reader that reads its facts is not moved." }
    package static var fields: [Field<Self>] {
        [
            Field("source", \.source, "The service whose facts are read."),
            Field("from", \.from, "The last fact that counts as applied now: an operator decides on what was seen."),
            Field("to", \.to, "The last fact that counts as applied afterwards; 0 for none."),
        ]
    }
}

extension CursorMoved: Shape {
    package init(
        source: String,
        from: Int64,
        to: Int64,
        head: Int64,
        _: Void = ()
    ) {
        self.source = source
        self.from = from
        self.to = to
        self.head = head
    }

    package static var summary: String { "Where a reader goes on." }
    package static var fields: [Field<Self>] {
        [
            Field("source", \.source),
            Field("from", \.from),
            Field("to", \.to),
            Field("head", \.head, "The newest fact of the source."),
        ]
    }
}
