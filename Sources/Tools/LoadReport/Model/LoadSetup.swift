/// How the operations reached the set: through the gateway, or as asks on the bus.
package enum LoadDriver: String, Codable, Sendable, Equatable, CaseIterable {
    case http
    case bus
}

/// When the next operation is sent.
package enum LoadShape: Codable, Sendable, Equatable {
    /// So many at once: the next is sent when one has been answered. A slow answer delays the sends behind it, which
    /// therefore are missing from the latencies.
    case closed(inFlight: Int)
    /// At a fixed rate, whatever the answers do. Latency counts from the moment at which the operation was due.
    case open(perSecond: Double)
    /// Open, at a rate that rises step by step until p99 is above the limit.
    case ramp(startPerSecond: Double, stepSeconds: Double, p99LimitMicros: Double)
}

/// How often a scenario is chosen, as its share of the sum of all weights.
package struct ScenarioWeight: Codable, Sendable, Equatable {
    package var name: String
    package var weight: Double

    package init(name: String, weight: Double) {
        self.name = name
        self.weight = weight
    }
}

/// Who pays whom.
package struct LoadPopulation: Codable, Sendable, Equatable {
    package var customers: Int
    package var cards: Int
    package var merchants: Int
    /// How customers and merchants are chosen, as "uniform" or "zipf 0.9".
    package var distribution: String

    package init(customers: Int = 0, cards: Int = 0, merchants: Int = 0, distribution: String = "uniform") {
        self.customers = customers
        self.cards = cards
        self.merchants = merchants
        self.distribution = distribution
    }
}

/// The machine that both the set and the generator ran on. Empty text and 0: not known.
package struct LoadMachine: Codable, Sendable, Equatable {
    package var cores: Int
    package var cpuModel: String
    package var kernel: String
    package var memoryBytes: Int64

    package init(cores: Int = 0, cpuModel: String = "", kernel: String = "", memoryBytes: Int64 = 0) {
        self.cores = cores
        self.cpuModel = cpuModel
        self.kernel = kernel
        self.memoryBytes = memoryBytes
    }
}

package struct LoadSetting: Codable, Sendable, Equatable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// How long the disk took to make 4 KiB durable, in microseconds.
package struct DiskProbe: Codable, Sendable, Equatable {
    package var p50Micros: Double
    package var p99Micros: Double
    package var maxMicros: Double

    package init(p50Micros: Double, p99Micros: Double, maxMicros: Double) {
        self.p50Micros = p50Micros
        self.p99Micros = p99Micros
        self.maxMicros = maxMicros
    }
}

/// Something done to a process of the set on purpose while the load ran.
package struct Disturbance: Codable, Sendable, Equatable {
    package enum Kind: String, Codable, Sendable, Equatable {
        /// SIGKILL.
        case kill
        /// SIGTERM, or SIGSTOP: halted, to go on later.
        case stop
        /// Started, or continued.
        case start
    }

    package var offsetSeconds: Double
    package var kind: Kind
    package var process: String
    /// How long the process was away; nil where that is not known or has no meaning.
    package var durationSeconds: Double?

    package init(offsetSeconds: Double, kind: Kind, process: String, durationSeconds: Double? = nil) {
        self.offsetSeconds = offsetSeconds
        self.kind = kind
        self.process = process
        self.durationSeconds = durationSeconds
    }
}
