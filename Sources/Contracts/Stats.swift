import Primitives
import Wire

/// A process's own figures: `<service>.stats.read.v1`. Every service answers it; the gateway gathers them.
package struct ReadStats<Service: BusService>: Ask {
    package static var type: MessageType { MessageType("\(Service.service).stats.read.v1") }
    package static var effect: Effect<Self> { .reads }
    package static var access: Access<Self> { .anyone }
    package static var faults: [FaultCode] { [] }
    // Dictionaries have one entry each: their order is not the same in every process.
    package static var examples: Examples<Self> {
        Examples(
            Self(),
            reply: ServiceStats(
                service: Service.service, uptimeMilliseconds: 3_600_000, residentKiB: 20_480,
                metrics: [
                    ServiceStats.Sample(
                        name: "billfold_ask_microseconds", kind: "histogram",
                        labels: ["type": "\(Service.service).stats.read.v1"], value: 1234, count: 2,
                        buckets: [ServiceStats.Bucket(upTo: 500, count: 1), ServiceStats.Bucket(upTo: 1000, count: 2)]),
                    ServiceStats.Sample(name: "billfold_open", kind: "gauge", labels: [:], value: -1)
                ], version: "1.2.3", instance: "9f2c61d0a7b3e845", processID: 4711, startedAt: Samples.time),
            // As before there were versions.
            bareReply: ServiceStats(
                service: Service.service, uptimeMilliseconds: 0, residentKiB: 20_480, metrics: []))
    }
    package typealias Reply = ServiceStats
}

/// What a process says of itself.
package struct ServiceStats: WireMessage, Equatable {
    package let service: String
    package let uptimeMilliseconds: Int64
    package let residentKiB: Int64
    package let metrics: [Sample]
    /// Of the program that runs.
    package let version: String?
    /// Sixteen hex digits, random at each start: answers with the same ones are one process's.
    package let instance: String?
    package let processID: Int64?
    package let startedAt: Timestamp?

    /// One figure, as Prometheus names it.
    package struct Sample: Codable, Sendable, Equatable {
        package let name: String
        /// `counter`, `gauge`, or `histogram`. Whatever is named `…_seconds` or `…_seconds_total` is in microseconds.
        package let kind: String
        package let labels: [String: String]
        /// A counter's or gauge's value; a histogram's sum.
        package let value: Int64
        /// A histogram's count, and its cumulative counts by upper bound.
        package let count: Int64?
        package let buckets: [Bucket]?
    }

    package struct Bucket: Codable, Sendable, Equatable {
        package let upTo: Int64
        package let count: Int64
    }
}

extension ServiceStats {
    /// Problems of a process that answers, a sentence each; empty when there is none.
    package var troubles: [String] { metrics.filter { $0.value > 0 }.compactMap(Self.trouble) }

    private static func trouble(_ sample: Sample) -> String? {
        let source = sample.labels["source"] ?? "a source"
        return switch sample.name {
        case "facts_diverged": "it reads no more facts of \(source), whose log is another one than it has read"
        case "facts_stopped": "it stands still behind the facts of \(source)"
        case "store_refusing": "its store refuses to write"
        case "clock_refusing": "it writes nothing, because its clock is wrong"
        case "service_doubled": "another process answers for it, too: end one of them"
        case "anchors_missing":
            "it writes nothing, because its ledger lacks a head that was written down elsewhere, or that head is gone"
        default: nil
        }
    }
}
