import Bus
import Contracts
import Primitives
import Wire

/// What has to be known of an ask to judge the form of its answer.
package struct AskSent: Sendable {
    let id: String
    let type: String
    let correlationID: String
    /// The refusals that its contract names; those of the bus come on top.
    let faults: [FaultCode]
    /// Whether its data may keep a reader from reading the envelope around it: then the refusal has no ask to refer to.
    let mayBeUnreadable: Bool

    package init(
        id: String, type: String, correlationID: String, faults: [FaultCode] = [], mayBeUnreadable: Bool = false
    ) {
        self.id = id
        self.type = type
        self.correlationID = correlationID
        self.faults = faults
        self.mayBeUnreadable = mayBeUnreadable
    }
}

/// An answer whose form is right.
package enum Answer: Sendable {
    /// The reply's `data`.
    case reply(JSONValue)
    case fault(Fault)

    /// For people: the code, or `a reply`.
    var words: String {
        switch self {
        case .reply: "a reply"
        case .fault(let fault): fault.detail.map { "\(fault.code) (\($0))" } ?? fault.code.code
        }
    }
}

/// The rules of docs/wire.md for answers: envelope, ending of the type, chain of causes, problem members, known codes.
package enum AnswerForm {
    package static func read(_ frame: [UInt8], to ask: AskSent) throws(Wrong) -> Answer {
        let envelope: Envelope
        do throws(WireError) { envelope = try Envelope(json: frame) } catch {
            throw Wrong("the answer is no envelope: \(error)")
        }
        if ask.mayBeUnreadable, envelope.type == "bus.fault.v1" { return .fault(try readRefusal(frame)) }
        try require(envelope.id != ask.id, "the answer has the ask's own id")
        try require(
            envelope.causationID == ask.id,
            "the answer's causationid is \(words(envelope.causationID)), not the ask's id")
        try require(
            envelope.correlationID == ask.correlationID,
            "the answer's correlationid is \(words(envelope.correlationID)), not the ask's")
        let data: JSONValue
        do throws(WireError) { data = try JSONValue(parsing: envelope.data) } catch {
            throw Wrong("the answer's data cannot be read: \(error)")
        }
        switch envelope.type {
        case ask.type + ".reply": return .reply(data)
        case ask.type + ".fault": return .fault(try fault(data, of: ask))
        default: throw Wrong("the answer's type is \(envelope.type), neither \(ask.type).reply nor .fault")
        }
    }

    /// The refusal of a body that is no envelope: there is no type and no id to refer to.
    package static func readRefusal(_ frame: [UInt8]) throws(Wrong) -> Fault {
        let envelope: Envelope
        do throws(WireError) { envelope = try Envelope(json: frame) } catch {
            throw Wrong("the answer is no envelope: \(error)")
        }
        try require(!envelope.type.hasSuffix(".reply"), "it was answered with \(envelope.type)")
        let data: JSONValue
        do throws(WireError) { data = try JSONValue(parsing: envelope.data) } catch {
            throw Wrong("the refusal's data cannot be read: \(error)")
        }
        return try fault(data, of: AskSent(id: "", type: "", correlationID: ""))
    }

    private static func fault(_ data: JSONValue, of ask: AskSent) throws(Wrong) -> Fault {
        for member in ["type", "title", "status", "code", "retry"] {
            try require(data[member] != nil, "the refusal has no '\(member)'")
        }
        let fault: Fault
        do throws(WireError) { fault = try data.decode(Fault.self) } catch {
            throw Wrong("the refusal is no problem of RFC 9457: \(error)")
        }
        guard let known = (FaultCode.common + ask.faults).first(where: { $0 == fault.code }) else {
            throw Wrong("it is refused with \(fault.code), which the contract of \(ask.type) does not know")
        }
        try require(
            data["type"] == .string("urn:billfold:fault:\(known.code)"),
            "the type of \(known) is not urn:billfold:fault:\(known)")
        try require(
            fault.code.status == known.status, "the status of \(known) is \(fault.code.status), not \(known.status)")
        try require(
            fault.code.retry == known.retry,
            "the retry of \(known) is \(fault.code.retry.rawValue), not \(known.retry.rawValue)")
        return fault
    }

    private static func words(_ text: String?) -> String { text.map { "'\($0)'" } ?? "absent" }
}
