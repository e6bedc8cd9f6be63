import Bus
import Contracts

/// What one service does, declared. `ServiceHost.run` starts its parts in order and stops them in reverse.
///
/// Every service also answers `stats` and `spans`; `publishes` adds `facts.read`, and `keeps` adds `backup` and
/// `table`.
package struct ServiceDefinition: Sendable {
    /// Figures of this service alone, read whenever an operator reads its stats.
    package typealias Metrics = @Sendable () async -> [ServiceStats.Sample]

    /// The services that it asks, which come before it in `ServiceOrder`; nil for all, also for those that this program
    /// does not know.
    let asks: [any BusService.Type]?
    /// One handler for each type of ask. Each ask runs in its own task, unless its handler forwards it.
    let answers: [any Answering]
    /// Answers asks that arrived together as one batch.
    let answersInBatches: (any BatchAnswering)?
    /// Asks that the broker may give this process before it has answered any of them.
    let credit: Int
    let publishes: PublishedFacts?
    let consumes: [ConsumedFacts]
    let observes: [ObservedFacts]
    let keeps: ServiceData?
    /// Runs before the first ask is answered.
    let preparation: @Sendable () async throws -> Void
    let background: [BackgroundWork]
    let metrics: Metrics
    /// What the process serves besides the bus. The process ends when it returns; it must return on graceful shutdown.
    let server: (@Sendable () async throws -> Void)?
    /// Runs when no ask is left, before the process ends.
    let ending: @Sendable () async -> Void

    package init(
        asks: [any BusService.Type]? = [],
        answers: [any Answering] = [],
        answersInBatches: (any BatchAnswering)? = nil,
        credit: Int = 256,
        publishes: PublishedFacts? = nil,
        consumes: [ConsumedFacts] = [],
        observes: [ObservedFacts] = [],
        keeps: ServiceData? = nil,
        preparation: @escaping @Sendable () async throws -> Void = {},
        background: [BackgroundWork] = [],
        metrics: @escaping Metrics = { [] },
        server: (@Sendable () async throws -> Void)? = nil,
        ending: @escaping @Sendable () async -> Void = {}
    ) {
        if let keeps {
            // The declaration decides the order of a backup: it has to name the sources that are consumed.
            let (declared, consumed) = (keeps.owner.consumes.map { $0.service }, consumes.map { $0.source.service })
            precondition(
                Set(declared) == Set(consumed),
                "\(keeps.owner.service) is declared to consume \(declared), and consumes \(consumed)")
        }
        self.asks = asks
        self.answers = answers
        self.answersInBatches = answersInBatches
        self.credit = credit
        self.publishes = publishes
        self.consumes = consumes
        self.observes = observes
        self.keeps = keeps
        self.preparation = preparation
        self.background = background
        self.metrics = metrics
        self.server = server
        self.ending = ending
    }
}

extension ServiceStats.Sample {
    package static func gauge(_ name: String, _ value: Int, labels: [String: String] = [:]) -> Self {
        Self(name: name, kind: "gauge", labels: labels, value: Int64(value))
    }

    package static func counter(_ name: String, _ value: Int, labels: [String: String] = [:]) -> Self {
        Self(name: name, kind: "counter", labels: labels, value: Int64(value))
    }
}
