// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension ReadStats {
    package init(
        _: Void = ()
    ) {
    }

    package static var summary: String { "A process's own figures: `<service>.stats.read.v1`. Every service answers it; the gateway gathers them." }
    package static var fields: [Field<Self>] {
        [
        ]
    }
}

extension ServiceStats: Shape {
    package init(
        service: String,
        uptimeMilliseconds: Int64,
        residentKiB: Int64,
        metrics: [ServiceStats.Sample],
        version: String? = nil,
        instance: String? = nil,
        processID: Int64? = nil,
        startedAt: Timestamp? = nil,
        _: Void = ()
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

    package static var summary: String { "What a process says of itself." }
    package static var fields: [Field<Self>] {
        [
            Field("service", \.service),
            Field("uptimeMilliseconds", \.uptimeMilliseconds),
            Field("residentKiB", \.residentKiB),
            Field("metrics", \.metrics),
            Field("version", \.version, "Of the program that runs."),
            Field("instance", \.instance, "Sixteen hex digits, random at each start: answers with the same ones are one process's."),
            Field("processID", \.processID),
            Field("startedAt", \.startedAt),
        ]
    }
}

extension ServiceStats.Sample: Shape {
    package init(
        name: String,
        kind: String,
        labels: [String: String],
        value: Int64,
        count: Int64? = nil,
        buckets: [ServiceStats.Bucket]? = nil,
        _: Void = ()
    ) {
        self.name = name
        self.kind = kind
        self.labels = labels
        self.value = value
        self.count = count
        self.buckets = buckets
    }

    package static var summary: String { "One figure, as Prometheus names it." }
    package static var fields: [Field<Self>] {
        [
            Field("name", \.name),
            Field("kind", \.kind, "`counter`, `gauge`, or `histogram`. Whatever is named `…_seconds` or `…_seconds_total` is in microseconds."),
            Field("labels", \.labels),
            Field("value", \.value, "A counter's or gauge's value; a histogram's sum."),
            Field("count", \.count, "A histogram's count, and its cumulative counts by upper bound."),
            Field("buckets", \.buckets),
        ]
    }
}

extension ServiceStats.Bucket: Shape {
    package init(
        upTo: Int64,
        count: Int64,
        _: Void = ()
    ) {
        self.upTo = upTo
        self.count = count
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("upTo", \.upTo),
            Field("count", \.count),
        ]
    }
}
