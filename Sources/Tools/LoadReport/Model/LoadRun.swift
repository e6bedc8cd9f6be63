import Checks
import Primitives

/// All that is known after a load test: what ran, what came of it, and whether the money is right.
///
/// Plain values with their units in their names. `…Seconds` of a moment is its offset from the first send of the run,
/// so that warm-up is `0..<warmUpSeconds` and what was measured `warmUpSeconds..<(warmUpSeconds + measuredSeconds)`.
/// Totals count what was measured only; the series have the warm-up too. Stored as JSON (`LoadRun+JSON.swift`); a field
/// that is added later is optional, a break is a new `format`.
package struct LoadRun: Codable, Sendable, Equatable {
    package static let currentFormat = "billfold.load.v1"

    package var format: String
    /// One line that names the run for its readers.
    package var title: String
    /// When the first operation was sent.
    package var started: Timestamp
    package var driver: LoadDriver
    package var shape: LoadShape
    package var weights: [ScenarioWeight]
    package var population: LoadPopulation
    package var warmUpSeconds: Double
    package var measuredSeconds: Double
    /// What every random choice of the run follows from.
    package var seed: UInt64
    package var machine: LoadMachine
    /// Settings of the set and of the generator that a reader has to know, in the order to show them.
    package var settings: [LoadSetting]

    package var overall: LoadTotals
    /// By scenario, in the order to show them.
    package var scenarios: [LoadTotals]
    package var intervals: [LoadInterval]
    /// The generator is one of them, named `LoadRun.generatorName`.
    package var processes: [ProcessSeries]
    package var queues: [QueueSeries]
    package var probeBefore: DiskProbe?
    package var probeAfter: DiskProbe?
    package var disturbances: [Disturbance]
    package var ramp: LoadRamp?
    /// Nil for a run without open event streams.
    package var streams: LoadStreams?
    package var verdict: MoneyVerdict
    /// Sentences that a reader must not miss, such as a generator that could not keep its rate.
    package var warnings: [String]

    /// The generator's own name among `processes`.
    package static let generatorName = "load"

    package init(
        title: String, started: Timestamp, driver: LoadDriver, shape: LoadShape, weights: [ScenarioWeight] = [],
        population: LoadPopulation = LoadPopulation(), warmUpSeconds: Double = 0, measuredSeconds: Double,
        seed: UInt64 = 0, machine: LoadMachine = LoadMachine(), settings: [LoadSetting] = [],
        overall: LoadTotals = LoadTotals(name: "all"), scenarios: [LoadTotals] = [], intervals: [LoadInterval] = [],
        processes: [ProcessSeries] = [], queues: [QueueSeries] = [], probeBefore: DiskProbe? = nil,
        probeAfter: DiskProbe? = nil, disturbances: [Disturbance] = [], ramp: LoadRamp? = nil,
        verdict: MoneyVerdict = MoneyVerdict(checks: []), warnings: [String] = []
    ) {
        self.format = Self.currentFormat
        self.title = title
        self.started = started
        self.driver = driver
        self.shape = shape
        self.weights = weights
        self.population = population
        self.warmUpSeconds = warmUpSeconds
        self.measuredSeconds = measuredSeconds
        self.seed = seed
        self.machine = machine
        self.settings = settings
        self.overall = overall
        self.scenarios = scenarios
        self.intervals = intervals
        self.processes = processes
        self.queues = queues
        self.probeBefore = probeBefore
        self.probeAfter = probeAfter
        self.disturbances = disturbances
        self.ramp = ramp
        self.verdict = verdict
        self.warnings = warnings
    }
}
