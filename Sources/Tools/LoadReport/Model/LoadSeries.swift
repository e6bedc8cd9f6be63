/// One interval of the run, usually a second. An operation belongs to the interval in which it was answered.
package struct LoadInterval: Codable, Sendable, Equatable {
    /// Where the interval begins.
    package var offsetSeconds: Double
    package var okPerSecond: Double
    package var refusedPerSecond: Double
    package var errorsPerSecond: Double
    /// Of what was answered ok; nil when nothing was.
    package var p50Micros: Double?
    package var p99Micros: Double?
    package var maxMicros: Double?
    /// Sent and not yet answered, at the interval's end.
    package var inFlight: Int
    package var isWarmUp: Bool
    /// Whether the load had ended, and only what was still open was answered; absent is no.
    package var isAfterLoad: Bool?
    /// The rate that an open load was to have here; nil for a closed one.
    package var offeredPerSecond: Double?

    package init(
        offsetSeconds: Double, okPerSecond: Double, refusedPerSecond: Double = 0, errorsPerSecond: Double = 0,
        p50Micros: Double? = nil, p99Micros: Double? = nil, maxMicros: Double? = nil, inFlight: Int = 0,
        isWarmUp: Bool = false, isAfterLoad: Bool? = nil, offeredPerSecond: Double? = nil
    ) {
        self.offsetSeconds = offsetSeconds
        self.okPerSecond = okPerSecond
        self.refusedPerSecond = refusedPerSecond
        self.errorsPerSecond = errorsPerSecond
        self.p50Micros = p50Micros
        self.p99Micros = p99Micros
        self.maxMicros = maxMicros
        self.inFlight = inFlight
        self.isWarmUp = isWarmUp
        self.isAfterLoad = isAfterLoad
        self.offeredPerSecond = offeredPerSecond
    }
}

extension LoadInterval {
    /// Whether it is of the load that is measured.
    package var isMeasured: Bool { !isWarmUp && isAfterLoad != true }
}

/// What one process used while the load ran.
package struct ProcessSeries: Codable, Sendable, Equatable {
    package var name: String
    package var samples: [ProcessSample]
    /// Processor time for each operation that was answered ok; nil when none was.
    package var cpuMicrosPerOperation: Double?
    package var maxResidentBytes: Int64

    package init(
        name: String, samples: [ProcessSample] = [], cpuMicrosPerOperation: Double? = nil, maxResidentBytes: Int64 = 0
    ) {
        self.name = name
        self.samples = samples
        self.cpuMicrosPerOperation = cpuMicrosPerOperation
        self.maxResidentBytes = maxResidentBytes
    }
}

package struct ProcessSample: Codable, Sendable, Equatable {
    package var offsetSeconds: Double
    /// Cores kept busy since the sample before: 0 to the number of cores.
    package var cores: Double
    package var residentBytes: Int64
    /// Times that the process has been started again since the run began.
    package var restarts: Int

    package init(offsetSeconds: Double, cores: Double, residentBytes: Int64, restarts: Int = 0) {
        self.offsetSeconds = offsetSeconds
        self.cores = cores
        self.residentBytes = residentBytes
        self.restarts = restarts
    }
}

/// One service's queue at the broker.
package struct QueueSeries: Codable, Sendable, Equatable {
    package var service: String
    package var samples: [QueueSample]

    package init(service: String, samples: [QueueSample] = []) {
        self.service = service
        self.samples = samples
    }
}

package struct QueueSample: Codable, Sendable, Equatable {
    package var offsetSeconds: Double
    /// Asks that wait for a worker.
    package var depth: Int
    /// Asks that workers have.
    package var inFlight: Int

    package init(offsetSeconds: Double, depth: Int, inFlight: Int) {
        self.offsetSeconds = offsetSeconds
        self.depth = depth
        self.inFlight = inFlight
    }
}

/// What became of a ramp.
package struct LoadRamp: Codable, Sendable, Equatable {
    package var p99LimitMicros: Double
    package var steps: [RampStep]
    /// The highest rate at which p99 was within the limit and nothing failed; nil when no step was.
    package var highestPerSecond: Double?

    package init(p99LimitMicros: Double, steps: [RampStep], highestPerSecond: Double?) {
        self.p99LimitMicros = p99LimitMicros
        self.steps = steps
        self.highestPerSecond = highestPerSecond
    }
}

package struct RampStep: Codable, Sendable, Equatable {
    /// The rate at which operations were due.
    package var ratePerSecond: Double
    /// What was answered ok.
    package var okPerSecond: Double
    /// nil when nothing was answered ok.
    package var p99Micros: Double?
    package var errors: Int
    package var metLimit: Bool

    package init(ratePerSecond: Double, okPerSecond: Double, p99Micros: Double?, errors: Int, metLimit: Bool) {
        self.ratePerSecond = ratePerSecond
        self.okPerSecond = okPerSecond
        self.p99Micros = p99Micros
        self.errors = errors
        self.metLimit = metLimit
    }
}
