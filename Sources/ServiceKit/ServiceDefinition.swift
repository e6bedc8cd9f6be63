import Bus
import Contracts

/// What one service does, declared. `ServiceHost.run` starts its parts in order and stops them in reverse.
///
/// Every service also answers `stats` and `spans`; `publishes` adds `facts.read`, and `keeps` adds `backup` and
/// `table`.
package struct ServiceDefinition: Sendable {
    /// Figures of the service's own, read whenever an operator reads its stats.
    package typealias Metrics = @Sendable () async -> [ServiceStats.Sample]

    /// The services that it asks, which stand before it in `ServiceOrder`; nil for all, of which some may be unknown
    /// here.
    let asks: [any BusService.Type]?
    /// One handler for each type that is answered in a task of its own.
    let answers: [any Answering]
    /// Answers asks that came together in one batch.
    let answersInBatches: (any BatchAnswering)?
    /// Asks that the broker may give this process before it has answered any of them.
    let credit: Int
    let publishes: PublishedFacts?
    let consumes: [ConsumedFacts]
    let observes: [ObservedFacts]
    let keeps: ServiceData?
    /// What has to be done before the first ask is answered.
    let preparation: @Sendable () async throws -> Void
    let background: [BackgroundWork]
    let metrics: Metrics
    /// What the process serves beside the bus. The process ends when it returns; it has to return on graceful shutdown.
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
