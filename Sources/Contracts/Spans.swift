import Primitives
import Wire

/// What a process remembers of what it has answered lately: `<service>.spans.read.v1`. Every service answers it; with
/// an `actor`, administrators only.
///
/// It is memory, of a bounded size and gone with the process: what lasts of a trace are the facts it led to.
package struct ReadSpans<Service: BusService>: Ask, Equatable {
    package static var type: MessageType { MessageType("\(Service.service).spans.read.v1") }
    package static var effect: Effect<Self> { .reads }
    package static var access: Access<Self> { .any(.administrator) }
    package static var limits: [Limit<Self>] {
        [
            .number(\.limit, 1...100, example: 10)
        ]
    }
    package static var faults: [FaultCode] { [] }
    package static var examples: Examples<Self> {
        let (ask, answer) = (MessageID(standingFor: Samples.askID), MessageID(standingFor: Samples.envelopeID))
        return Examples(
            Self(id: ask, refused: false, limit: 100), bare: Self(id: nil, refused: true, limit: 1),
            reply: Reply(spans: [
                Span(
                    id: answer, parent: ask, correlation: ask, trace: TraceID(traceparent: Samples.traceparent),
                    name: "wallet.payment.post.v1", startMicroseconds: 1_795_253_400_000_250, microseconds: 812,
                    fault: "wallet.insufficient_funds", status: 402),
                Span(
                    id: ask, parent: nil, correlation: ask, trace: nil, name: "POST /v1/payments",
                    startMicroseconds: 1_795_253_400_000_000, microseconds: 1430, fault: nil, status: nil)
            ]))
    }

    /// Only those of this trace, correlation id or message; of all that there are where it is absent.
    package let id: MessageID?
    /// Whether only what was refused is wanted: that is remembered for longer.
    package let refused: Bool
    /// At most so many, the newest, 1 to 100.
    package let limit: Int

    package struct Reply: WireMessage, Equatable {
        /// Newest first.
        package let spans: [Span]
    }
}

extension ReadSpans {
    /// The newest refusals.
    package init(refused limit: Int) { self.init(id: nil, refused: true, limit: limit) }
}

/// One ask that was answered, or one HTTP request.
///
/// The ids are those of the envelopes. In the place of one that is not 32 hex digits, as foreign peers may choose,
/// stands a digest of it: the same text always gives the same one.
package struct Span: Codable, Sendable, Equatable {
    /// The ask's own; of an HTTP request, its `X-Correlation-Id`.
    package let id: MessageID
    /// The message that led to it.
    package let parent: MessageID?
    package let correlation: MessageID
    package let trace: TraceID?
    /// The ask's type; of an HTTP request, method and path.
    package let name: String
    /// Since 1970, when it was taken.
    package let startMicroseconds: Int64
    /// Until the answer was given away.
    package let microseconds: Int64
    /// The refusal's code.
    package let fault: String?
    /// Of an HTTP request.
    package let status: Int?
}

extension Identifier {
    /// The identifier that a text is; one made of it where it is none.
    package init(standingFor text: some StringProtocol) {
        let own = text.utf8.withContiguousStorageIfAvailable { Identifier(hex: $0) }
        if let own = own ?? Identifier(String(text)) {
            self = own
            return
        }
        // FNV-1a (draft-eastlake-fnv) from two beginnings: it has to tell texts apart, not to keep anything.
        var (high, low) = (0xCBF2_9CE4_8422_2325 as UInt64, 0x9AE1_6A3B_2F90_404F as UInt64)
        for byte in text.utf8 {
            high = (high ^ UInt64(byte)) &* 0x100_0000_01B3
            low = (low ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        self.init(high: high, low: low)
    }
}
