import Bus
import Contracts
import Primitives
import TerminalText
import Wire

/// One message, as `billfold listen` shows it.
package struct MessageLine: Sendable {
    /// What it is among messages.
    package enum Kind: String, Sendable { case fact, ask, reply, fault }

    package let kind: Kind
    package let envelope: Envelope
    package let data: JSONValue
    /// When it was received, for a message without a time of its own.
    package let received: Timestamp
    /// Of an answer: microseconds since its ask.
    package let took: Int64?

    package init(
        _ kind: Kind, _ envelope: Envelope, _ data: JSONValue, received: Timestamp, took: Int64? = nil
    ) {
        self.took = took
        self.kind = kind
        self.envelope = envelope
        self.data = data
        self.received = received
    }

    /// Columns of the widest names there usually are: lines stand below each other.
    private static let (sourceColumn, typeColumn) = (13, 32)

    /// - Parameter isWhole: whether identifiers are shown with all their digits.
    package func text(colour: Bool, isWhole: Bool) -> String {
        let paint = Paint(isOn: colour)
        let time = (envelope.time ?? received).rfc3339.dropFirst(11).dropLast()
        var line = paint.quiet(String(time)) + " " + padded(envelope.source.printable, Self.sourceColumn) + " "
        let type = padded(envelope.type.printable, Self.typeColumn)
        line += kind == .fault ? paint.bad(type) : kind == .fact ? paint.good(type) : type
        if let sequence = envelope.sequence { line += " #\(sequence)" }
        if let actor = envelope.actor {
            line += " " + (isWhole ? actor.text : "\(actor.role.rawValue):\(MessageWords.short(actor.party.hex))")
        }
        if let took { line += " took=" + Shown.latency(micros: Double(took)).replacing(" ", with: "") }
        let words = MessageWords.of(data, isWhole: isWhole)
        if !words.isEmpty { line += " " + words }
        if let correlation = envelope.correlationID {
            line += " " + paint.quiet("trace=" + correlation.printable)
        }
        return line
    }

    /// One object on one line.
    package var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("time", .string((envelope.time ?? received).rfc3339)), .init("kind", .string(kind.rawValue)),
            .init("source", .string(envelope.source)), .init("type", .string(envelope.type)),
            .init("id", .string(envelope.id))
        ]
        func add(_ name: String, _ value: String?) { if let value { members.append(.init(name, .string(value))) } }
        if let sequence = envelope.sequence { members.append(.init("sequence", .integer(sequence))) }
        if let took { members.append(.init("microseconds", .integer(took))) }
        add("correlationid", envelope.correlationID)
        add("causationid", envelope.causationID)
        add("traceparent", envelope.traceparent)
        add("actor", envelope.actor?.text)
        members.append(.init("data", Redaction.masked(data)))
        return .object(members)
    }
}

private func padded(_ text: String, _ width: Int) -> String {
    text.count >= width ? text : text + String(repeating: " ", count: width - text.count)
}
