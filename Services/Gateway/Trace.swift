import Bus
import Contracts
import Primitives
import Wire

/// All that happened under one id: requests, asks and facts.
package struct Trace: WireMessage, Equatable {
    /// Oldest first.
    package let steps: [Step]
    /// Services that did not answer, or had more to say than was read: the trace may lack what they know.
    package let missing: [String]

    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// An HTTP request, or a touch.
        case request
        case ask
        case fact
    }

    package struct Step: Codable, Sendable, Equatable {
        package let kind: Kind
        /// The service that answered or published it.
        package let service: String
        /// The ask's or fact's type; of a request, method and path.
        package let name: String
        package let time: Timestamp
        /// Until the answer was given; absent of facts.
        package let microseconds: Int64?
        package let id: MessageID
        /// The message that led to it.
        package let parent: MessageID?
        package let correlation: MessageID
        /// The refusal's code.
        package let fault: String?
        /// The HTTP status of a request.
        package let status: Int64?
        /// A fact's place in its source's log.
        package let sequence: Int64?
        /// The ledger's entry that a fact names.
        package let entry: Int64?
    }
}

/// A charge with all that happened to it, from the first request to the ledger's entry.
package struct ChargeTrace: WireMessage, Equatable {
    package let charge: Payments.ChargeView
    /// Oldest first.
    package let steps: [Trace.Step]
    /// Services that did not answer, or had more to say than was read: the trace may lack what they know.
    package let missing: [String]
}

extension Trace.Step {
    init(_ point: TracePoint) {
        let kind: Trace.Kind =
            switch point.kind {
            case .request: .request
            case .ask: .ask
            case .fact: .fact
            }
        var entry: Int64?
        if case .integer(let number)? = point.data?["entry"] { entry = number }
        self.init(
            kind: kind, service: point.service, name: point.name,
            time: Timestamp(milliseconds: point.startMicroseconds / 1000), microseconds: point.microseconds,
            id: point.id, parent: point.parent, correlation: point.correlation, fault: point.fault,
            status: point.status.map { Int64($0) }, sequence: point.sequence, entry: entry)
    }
}
