import Bus
import Contracts
import Primitives

/// Asks remembered, one after the other: what each answer pays for being traced.
struct SpanBench {
    let seconds: Double

    private static let asksAtATime = 1000

    func run(_ time: inout ProcessorTime) -> Figure {
        let ring = SpanRing()
        let id = "019a9c3d2c40a1a1a1a1a1a1a1a1a1a1"
        let ask = Envelope(
            id: "019a9c3d2c40b2b2b2b2b2b2b2b2b2b2", source: "payments", type: Wallet.PostPayment.type.name,
            correlationID: id, causationID: id, traceparent: "00-\(id)-00f067aa0ba902b7-01", data: Array("{}".utf8))
        var each: [Double] = []
        time.start()
        let started = monotonicNanoseconds()
        let end = started + UInt64(seconds * 1e9)
        while monotonicNanoseconds() < end {
            let start = monotonicNanoseconds()
            for _ in 0..<Self.asksAtATime { ring.record(ask, microseconds: 100, fault: nil) }
            each.append(Double(monotonicNanoseconds() - start) / 1000)
        }
        return Figure(
            "spans recorded, latencies of \(Self.asksAtATime)", count: each.count * Self.asksAtATime,
            seconds: Double(monotonicNanoseconds() - started) / 1e9, each, &time)
    }
}
