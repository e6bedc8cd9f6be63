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
}

/// A value of every message in the catalogue.
///
/// What is optional is there in one sample and absent in another; `SampleCoverageTests` checks that.
enum Samples {
    static let all: [Sample] =
        auth + wallet + walletFacts + payments + paymentsFacts + location + offers + notifications
        + shared + faults

    static func ask<A: Ask>(_ ask: A, bare: A? = nil, reply: A.Reply, bareReply: A.Reply? = nil) -> [Sample] {
        let name = A.type.name
        var samples = [
            Sample(file: name, message: ask, envelope: full(name, from: "gateway", ask.json)),
            Sample(
                file: "\(name).reply", message: reply, envelope: answer(A.type.reply, from: A.type.service, reply.json))
        ]
        if let bare {
            samples.append(
                Sample(file: "\(name).bare", message: bare, envelope: least(name, from: "gateway", bare.json)))
        }
        if let bareReply {
            samples.append(
                Sample(
                    file: "\(name).reply.bare", message: bareReply,
                    envelope: least(A.type.reply, from: A.type.service, bareReply.json)))
        }
        return samples
    }

    /// - Parameter named: the same with names that older facts do not have.
    static func fact<F: Fact>(_ fact: F, bare: F? = nil, named: F? = nil) -> [Sample] {
        var samples = [Sample(file: F.type.name, message: fact, envelope: published(fact, 42))]
        for (ending, other, sequence) in [("bare", bare, 43), ("named", named, 44)] as [(String, F?, Int64)] {
            guard let other else { continue }
            samples.append(
                Sample(file: "\(F.type.name).\(ending)", message: other, envelope: published(other, sequence)))
        }
        return samples
    }

    /// Heads tell how far the sequence has come and are no part of it.
    static func head<Source: FactSource>(of source: Source.Type) -> [Sample] {
        let name = FactsHead<Source>.type.name
        let head = FactsHead<Source>(head: 42)
        return [Sample(file: name, message: head, envelope: least(name, from: Source.service, head.json))]
    }

    /// A fact's envelope, as its source publishes it and its log keeps it.
    static func published<F: Fact>(_ fact: F, _ sequence: Int64) -> Envelope {
        Envelope(
            id: envelopeID, source: F.type.service, type: F.type.name, time: time, correlationID: askID,
            causationID: askID, traceparent: traceparent, sequence: sequence, data: fact.json)
    }

    // MARK: Envelopes

    static func full(_ type: String, from source: String, _ data: [UInt8]) -> Envelope {
        Envelope(
            id: askID, source: source, type: type, time: time, correlationID: askID, causationID: envelopeID,
            traceparent: traceparent, expiryTime: later, idempotencyKey: "till-7 / 2026-11-21 / 0042",
            actor: Actor(role: .customer, party: customer), data: data)
    }

    static func answer(_ type: String, from source: String, _ data: [UInt8]) -> Envelope {
        Envelope(
            id: envelopeID, source: source, type: type, time: time, correlationID: askID, causationID: askID,
            traceparent: traceparent, data: data)
    }

    /// What CloudEvents requires and no more.
    static func least(_ type: String, from source: String, _ data: [UInt8]) -> Envelope {
        Envelope(id: envelopeID, source: source, type: type, data: data)
    }

    // MARK: Values

    static let time = Timestamp(milliseconds: 1_795_253_400_000)  // 2026-11-21T09:30:00Z
    static let later = time + .seconds(10)
    static let askID = "019a9c3d2c40a1a1a1a1a1a1a1a1a1a1"
    static let envelopeID = "019a9c3d2c40b2b2b2b2b2b2b2b2b2b2"
    static let traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    static let customer = PartyID(high: 0x019a_9c3d_2c40_0001, low: 0xC0C0_C0C0_C0C0_C0C0)
    static let friend = PartyID(high: 0x019a_9c3d_2c40_0002, low: 0xC1C1_C1C1_C1C1_C1C1)
    static let merchant = PartyID(high: 0x019a_9c3d_2c40_0003, low: 0x3E3E_3E3E_3E3E_3E3E)
    static let card = CardID(high: 0x019a_9c3d_2c40_0004, low: 0xCACA_CACA_CACA_CACA)
    static let charge = ChargeID(high: 0x019a_9c3d_2c40_0005, low: 0xCECE_CECE_CECE_CECE)
    static let operation = OperationID(high: 0x019a_9c3d_2c40_0006, low: 0x0909_0909_0909_0909)
    static let hold = OperationID(high: 0x019a_9c3d_2c40_0007, low: 0x4D4D_4D4D_4D4D_4D4D)
    static let session = SessionID(high: 0x019a_9c3d_2c40_0008, low: 0x5E5E_5E5E_5E5E_5E5E)
    static let offer = OfferID(high: 0x019a_9c3d_2c40_000a, low: 0x0FFE_0FFE_0FFE_0FFE)
    static let price = Money(350)
    static let balance = Money(1650)
    /// Text that needs each kind of escape, and characters of one to four bytes.
    static let memo = "1 × \"flat white\" \\ déjà vu\t☕️\n𝄞\u{1}"
    static let digest = String(repeating: "0123456789abcdef", count: 4)
}
