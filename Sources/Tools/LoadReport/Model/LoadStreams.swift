/// What the open event streams of a run were told, and what they cost.
package struct LoadStreams: Codable, Sendable, Equatable {
    package var count: Int
    /// How often one broke off, and was opened again.
    package var broken: Int
    /// Requests for money that arrived on a stream, each stream counted.
    package var pushesPerSecond: Double
    /// From when the request was due until it had arrived on the stream.
    package var latency: LatencySummary
    /// Growth of the gateways' resident memory from before the streams until its peaks in the run, divided by the
    /// streams, in bytes. Nil unless all gateways are on this machine.
    package var gatewayBytesEach: Double?

    package init(
        count: Int, broken: Int, pushesPerSecond: Double, latency: LatencySummary, gatewayBytesEach: Double?
    ) {
        self.count = count
        self.broken = broken
        self.pushesPerSecond = pushesPerSecond
        self.latency = latency
        self.gatewayBytesEach = gatewayBytesEach
    }

    /// The figures as text.
    package var settings: [LoadSetting] {
        func tenths(_ value: Double) -> String {
            let tenths = Int((value * 10).rounded())
            return "\(tenths / 10).\(tenths % 10)"
        }
        var settings = [LoadSetting(name: "pushes to event streams", value: "\(Int(pushesPerSecond.rounded()))/s")]
        if latency.count > 0 {
            settings.append(
                LoadSetting(
                    name: "from a request's due time to its push",
                    value: "p50 \(tenths(latency.p50Micros / 1000)) ms, p99 \(tenths(latency.p99Micros / 1000)) ms"))
        }
        if let gatewayBytesEach {
            settings.append(
                LoadSetting(name: "gateways' memory, each stream", value: "\(tenths(gatewayBytesEach / 1024)) KiB"))
        }
        return settings
    }
}
