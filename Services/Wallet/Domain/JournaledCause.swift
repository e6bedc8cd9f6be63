import Bus
import Primitives

/// The ask that led to a change, as the journal keeps it. It is part of the row's hash.
package struct JournaledCause: Equatable, Sendable {
    /// Longer attributes of foreign askers are dropped, so that every fact stays far below the size of an envelope.
    package static let attributeBytesMax = 128

    package let correlation: String?
    package let causation: String?
    package let trace: TraceContext?

    package init(correlation: String? = nil, causation: String? = nil, trace: TraceContext? = nil) {
        self.correlation = correlation
        self.causation = causation
        self.trace = trace
    }

    package init(_ ask: Envelope) {
        func kept(_ attribute: String) -> String? {
            attribute.utf8.count <= Self.attributeBytesMax ? attribute : nil
        }
        self.init(
            correlation: kept(ask.correlationID ?? ask.id), causation: kept(ask.id),
            trace: ask.traceparent.flatMap { TraceContext($0) })
    }

    /// Of a change that the ledger makes by itself, such as the end of a hold.
    package static let clock = JournaledCause()
}

extension TraceContext {
    /// The `traceparent` of a fact. Its parent-id is derived from trace and sequence, so that a fact always has the
    /// same bytes.
    package func traceparent(sequence: Int64) -> String {
        // SplitMix64's finaliser (Steele, Lea and Flood 2014): spreads neighbouring sequences over all 64 bits.
        var span = trace.low ^ UInt64(bitPattern: sequence) &* 0x9E37_79B9_7F4A_7C15
        span = (span ^ span >> 30) &* 0xBF58_476D_1CE4_E5B9
        span = (span ^ span >> 27) &* 0x94D0_49BB_1331_11EB
        span ^= span >> 31
        return traceparent(span: span)
    }
}
