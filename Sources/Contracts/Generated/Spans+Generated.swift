// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension ReadSpans {
    package init(
        id: MessageID? = nil,
        refused: Bool,
        limit: Int,
        _: Void = ()
    ) {
        self.id = id
        self.refused = refused
        self.limit = limit
    }

    package static var summary: String { "What a process remembers of what it has answered lately: `<service>.spans.read.v1`. Every service answers it; with an `actor`, administrators only. It is memory, of a bounded size and gone with the process: what lasts of a trace are the facts it led to." }
    package static var fields: [Field<Self>] {
        [
            Field("id", \.id, "Only those of this trace, correlation id or message; of all that there are where it is absent."),
            Field("refused", \.refused, "Whether only what was refused is wanted: that is remembered for longer."),
            Field("limit", \.limit, "At most so many, the newest, 1 to 100."),
        ]
    }
}

extension ReadSpans.Reply: Shape {
    package init(
        spans: [Span],
        _: Void = ()
    ) {
        self.spans = spans
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("spans", \.spans, "Newest first."),
        ]
    }
}

extension Span: Shape {
    package init(
        id: MessageID,
        parent: MessageID? = nil,
        correlation: MessageID,
        trace: TraceID? = nil,
        name: String,
        startMicroseconds: Int64,
        microseconds: Int64,
        fault: String? = nil,
        status: Int? = nil,
        _: Void = ()
    ) {
        self.id = id
        self.parent = parent
        self.correlation = correlation
        self.trace = trace
        self.name = name
        self.startMicroseconds = startMicroseconds
        self.microseconds = microseconds
        self.fault = fault
        self.status = status
    }

    package static var summary: String { "One ask that was answered, or one HTTP request. The ids are those of the envelopes. In the place of one that is not 32 hex digits, as foreign peers may choose, stands a digest of it: the same text always gives the same one." }
    package static var fields: [Field<Self>] {
        [
            Field("id", \.id, "The ask's own; of an HTTP request, its `X-Correlation-Id`."),
            Field("parent", \.parent, "The message that led to it."),
            Field("correlation", \.correlation),
            Field("trace", \.trace),
            Field("name", \.name, "The ask's type; of an HTTP request, method and path."),
            Field("startMicroseconds", \.startMicroseconds, "Since 1970, when it was taken."),
            Field("microseconds", \.microseconds, "Until the answer was given away."),
            Field("fault", \.fault, "The refusal's code."),
            Field("status", \.status, "Of an HTTP request."),
        ]
    }
}
