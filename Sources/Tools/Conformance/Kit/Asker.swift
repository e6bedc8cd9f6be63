import Bus
import Contracts
import Primitives
import Sodium
import Wire

/// Asks one service as a stranger would: envelopes of its own making, nothing repeated, each answer's form looked at.
///
/// `Bus` would ask again after troubles; here they are what is looked for.
package final class Asker: Sendable {
    /// Whose types are asked.
    package let service: String
    /// Where its asks go: the service's name, or `try.` and its name.
    private let route: String
    private let bus: Bus
    /// How long one ask may take.
    let patience: Duration

    package init(service: String, route: String, bus: Bus, patience: Duration) {
        self.service = service
        self.route = route
        self.bus = bus
        self.patience = patience
    }

    var now: Timestamp { bus.clock.now() }
    var transport: any Transport { bus.transport }

    /// What an ask says besides its data.
    struct Manner: Sendable {
        var actor: Actor?
        /// `expirytime`; `patience` from now where it is absent.
        var expires: Timestamp?
        /// Asked under another type than the contract's.
        var type: String?
        /// One more attribute of the envelope, which receivers pass over.
        var attribute: String?
        /// `AskSent.mayBeUnreadable`.
        var mayBeUnreadable = false
    }

    // MARK: By contract

    /// The reply. Throws `Wrong` for anything else.
    func ask<A: Ask>(_ ask: A, _ manner: Manner = Manner()) async throws -> A.Reply {
        try decode(A.self, try await replyData(ask, manner))
    }

    /// The reply's data, which the contract can read.
    func replyData<A: Ask>(_ ask: A, _ manner: Manner = Manner()) async throws -> JSONValue {
        switch try await answer(ask, manner) {
        case .reply(let data):
            _ = try decode(A.self, data)
            return data
        case .fault(let fault): throw Wrong("it is refused: \(Answer.fault(fault).words)")
        }
    }

    func answer<A: Ask>(_ ask: A, _ manner: Manner = Manner()) async throws -> Answer {
        try await answer(A.type, data: ask.json, faults: A.faults, manner)
    }

    /// The reply as its contract has it: a field too many is as wrong as one too few.
    func decode<A: Ask>(_ type: A.Type, _ data: JSONValue) throws(Wrong) -> A.Reply {
        do throws(WireError) { return try A.Reply(json: Array(data.text.utf8)) } catch {
            throw Wrong("the reply is not as its contract says: \(error)")
        }
    }

    // MARK: By bytes

    func answer(
        _ type: MessageType, data: [UInt8], faults: [FaultCode] = [], _ manner: Manner = Manner()
    ) async throws -> Answer {
        let sent = AskSent(
            id: Self.newID(), type: manner.type ?? type.name, correlationID: Self.newID(), faults: faults,
            mayBeUnreadable: manner.mayBeUnreadable)
        return try AnswerForm.read(try await send(envelope(sent, data, manner)), to: sent)
    }

    /// The answer's frame.
    func send(_ frame: [UInt8]) async throws(Wrong) -> [UInt8] {
        switch await deliver(frame) {
        case .envelope(let bytes): return bytes
        case .refused(let code): throw Wrong("there is no answer: \(code)", isSilence: true)
        }
    }

    /// What becomes of a frame: an answer, or the broker's word for why there is none.
    func deliver(_ frame: [UInt8]) async -> TransportAnswer {
        await bus.transport.ask(service: route, retry: .once, deadline: now + patience, body: frame)
    }

    /// The envelope of an ask whose answer only counts as one: what the process cases send many of.
    func frame<A: Ask>(_ ask: A, type: String? = nil) -> (sent: AskSent, frame: [UInt8]) {
        let sent = AskSent(id: Self.newID(), type: type ?? A.type.name, correlationID: Self.newID(), faults: A.faults)
        return (sent, envelope(sent, ask.json, Manner()))
    }

    /// Stands for data that `Envelope` refuses to write.
    private static let gap = Array("\"billfold-check-gap\"".utf8)

    private func envelope(_ ask: AskSent, _ data: [UInt8], _ manner: Manner) -> [UInt8] {
        let frame = Envelope(
            id: ask.id, source: "billfold-check", type: ask.type, time: now, correlationID: ask.correlationID,
            expiryTime: manner.expires ?? now + patience, actor: manner.actor,
            data: manner.mayBeUnreadable ? Self.gap : data
        ).json
        if manner.mayBeUnreadable, let place = frame.firstRange(of: Self.gap) {
            return frame[..<place.lowerBound] + data + frame[place.upperBound...]
        }
        guard let attribute = manner.attribute else { return frame }
        return Array("{\"\(attribute)\":\"x\",".utf8) + frame.dropFirst()
    }

    static func newID() -> String {
        let pair = Randomness.shared.pair()
        return OperationID(high: pair.0, low: pair.1).hex
    }
}
