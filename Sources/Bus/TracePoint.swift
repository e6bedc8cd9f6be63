import Contracts
import Primitives
import Wire

/// Something that happened within a trace: an HTTP request, an ask, or a fact.
package struct TracePoint: Sendable, Equatable {
    package enum Kind: String, Sendable { case request, ask, fact }

    package let kind: Kind
    package let id: MessageID
    package let parent: MessageID?
    package let correlation: MessageID
    package let trace: TraceID?
    /// The service that answered or published it.
    package let service: String
    package let name: String
    /// Since 1970. Of a fact whole milliseconds.
    package let startMicroseconds: Int64
    /// Absent of facts.
    package let microseconds: Int64?
    package let fault: String?
    package let status: Int?
    package let sequence: Int64?
    /// A fact's content.
    package let data: JSONValue?

    package init(_ span: Span, of service: String) {
        kind = span.status == nil ? .ask : .request
        id = span.id
        parent = span.parent
        correlation = span.correlation
        trace = span.trace
        self.service = service
        name = span.name
        startMicroseconds = span.startMicroseconds
        microseconds = span.microseconds
        fault = span.fault
        status = span.status
        sequence = nil
        data = nil
    }

    /// Nil for one that belongs to no trace.
    package init?(_ fact: Envelope) {
        guard let correlation = fact.correlationID, let time = fact.time else { return nil }
        kind = .fact
        id = MessageID(standingFor: fact.id)
        parent = fact.causationID.map { MessageID(standingFor: $0) }
        self.correlation = MessageID(standingFor: correlation)
        trace = fact.traceparent.flatMap { TraceID(traceparent: $0) }
        service = fact.source
        name = fact.type
        startMicroseconds = time.milliseconds * 1000
        microseconds = nil
        fault = nil
        status = nil
        sequence = fact.sequence
        data = try? JSONValue(parsing: fact.data)
    }

    /// Whether it belongs to what an id names.
    package func belongs(to id: MessageID) -> Bool {
        correlation == id || self.id == id || trace == id.reinterpreted()
    }
}

extension Envelope {
    /// Whether it belongs to the trace that an id names, as its ``TracePoint`` would; its content is not read.
    package func belongs(to id: MessageID) -> Bool {
        correlationID.map { MessageID(standingFor: $0) == id } ?? false || MessageID(standingFor: self.id) == id
            || traceparent.flatMap { TraceID(traceparent: $0) } == id.reinterpreted()
    }
}
