import Bus
import Contracts
import Primitives
import Testing
import Wire

/// One message with all that it can say, with no more than it must (`.bare`), or with names besides (`.named`), in a
/// whole envelope.
struct Sample: Sendable, CustomTestStringConvertible {
    /// The golden file's name without `.json`.
    let file: String
    let message: any WireMessage
    let envelope: Envelope

    var testDescription: String { file }
    /// No `Codable` can hold raw JSON: such a message has no general codec.
    var hasGeneralCodec: Bool {
        !Mirror(reflecting: message).children.contains { $0.value is RawJSON || $0.value is [RawJSON] }
    }
}

/// The examples of every message in the catalogue, and refusals.
///
/// What is optional is there in one sample and absent in another; `SampleCoverageTests` checks that.
extension Samples {
    static let all: [Sample] = Catalogue.asks.flatMap { of($0) } + Catalogue.facts.flatMap { of($0) } + faults

    private static func of<A: Ask>(_ ask: A.Type) -> [Sample] {
        let (name, examples) = (A.type.name, A.examples)
        var samples = [
            Sample(file: name, message: examples.ask, envelope: full(name, from: "gateway", examples.ask.json)),
            Sample(
                file: "\(name).reply", message: examples.reply,
                envelope: answer(A.type.reply, from: A.type.service, examples.reply.json))
        ]
        if let bare = examples.bare {
            samples.append(
                Sample(file: "\(name).bare", message: bare, envelope: least(name, from: "gateway", bare.json)))
        }
        if let bare = examples.bareReply {
            samples.append(
                Sample(
                    file: "\(name).reply.bare", message: bare,
                    envelope: least(A.type.reply, from: A.type.service, bare.json)))
        }
        return samples
    }

    private static func of<F: Fact>(_ fact: F.Type) -> [Sample] {
        let (name, examples) = (F.type.name, F.examples)
        // Heads tell how far the sequence has come and are no part of it.
        guard !name.hasSuffix(".facts.head.v1") else {
            let head = least(name, from: F.type.service, examples.fact.json)
            return [Sample(file: name, message: examples.fact, envelope: head)]
        }
        var samples = [Sample(file: name, message: examples.fact, envelope: published(name, examples.fact.json, 42))]
        let others: [(String, F?, Int64)] = [("bare", examples.bare, 43), ("named", examples.named, 44)]
        for (ending, other, sequence) in others {
            guard let other else { continue }
            samples.append(
                Sample(file: "\(name).\(ending)", message: other, envelope: published(name, other.json, sequence)))
        }
        return samples
    }

    /// Refusals travel under any ask's type with `.fault` behind it.
    private static let faults: [Sample] = [
        Sample(
            file: "fault", message: fullFault,
            envelope: answer(Wallet.PostPayment.type.fault, from: "wallet", fullFault.json)),
        Sample(
            file: "fault.bare", message: Fault(.busy),
            envelope: least(Auth.OpenSession.type.fault, from: "auth", Fault(.busy).json))
    ]
    private static let fullFault = Fault(.insufficientFunds, "$3.50 of $1.00", retryAfterSeconds: 30, replayed: true)

    // MARK: Envelopes

    private static func published(_ type: String, _ data: [UInt8], _ sequence: Int64) -> Envelope {
        Envelope(
            id: envelopeID, source: MessageType(type).service, type: type, time: time, correlationID: askID,
            causationID: askID, traceparent: traceparent, sequence: sequence, data: data)
    }

    private static func full(_ type: String, from source: String, _ data: [UInt8]) -> Envelope {
        Envelope(
            id: askID, source: source, type: type, time: time, correlationID: askID, causationID: envelopeID,
            traceparent: traceparent, expiryTime: later, idempotencyKey: "till-7 / 2026-11-21 / 0042",
            actor: Actor(role: .customer, party: customer), data: data)
    }

    private static func answer(_ type: String, from source: String, _ data: [UInt8]) -> Envelope {
        Envelope(
            id: envelopeID, source: source, type: type, time: time, correlationID: askID, causationID: askID,
            traceparent: traceparent, data: data)
    }

    /// What CloudEvents requires and no more.
    private static func least(_ type: String, from source: String, _ data: [UInt8]) -> Envelope {
        Envelope(id: envelopeID, source: source, type: type, data: data)
    }
}
