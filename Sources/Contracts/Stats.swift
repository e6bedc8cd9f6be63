import Primitives
import Wire

/// A process's own figures: `<service>.stats.read.v1`. Every service answers it; the gateway gathers them.
package struct ReadStats<Service: BusService>: Ask {
    package static var type: MessageType { MessageType("\(Service.service).stats.read.v1") }
    package static var retry: RetryClass { .idempotent }
    package static var faults: [FaultCode] { [] }
    package typealias Reply = ServiceStats

    package init() {}
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

    package init(
        service: String, uptimeMilliseconds: Int64, residentKiB: Int64, metrics: [Sample], version: String? = nil,
        instance: String? = nil, processID: Int64? = nil, startedAt: Timestamp? = nil
    ) {
        self.service = service
        self.uptimeMilliseconds = uptimeMilliseconds
        self.residentKiB = residentKiB
        self.metrics = metrics
        self.version = version
        self.instance = instance
        self.processID = processID
        self.startedAt = startedAt
    }

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

        package init(
            name: String, kind: String, labels: [String: String], value: Int64, count: Int64? = nil,
            buckets: [Bucket]? = nil
        ) {
            self.name = name
            self.kind = kind
            self.labels = labels
            self.value = value
            self.count = count
            self.buckets = buckets
        }
    }

    package struct Bucket: Codable, Sendable, Equatable {
        package let upTo: Int64
        package let count: Int64

        package init(upTo: Int64, count: Int64) {
            self.upTo = upTo
            self.count = count
        }
    }
}
