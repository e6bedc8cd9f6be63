import Bus
import Contracts
import CoreMetrics
import Foundation
import Primitives
import Sodium

/// A process's stats: what the system says of it, what libraries count, and what its service measures.
final class ServiceFigures: Sendable {
    private let service: String
    /// Another one at each start.
    let instance: String
    private let startedAt: Timestamp
    private let started = monotonicNanoseconds()
    private let registry = MetricsRegistry()
    /// Known once the service is defined.
    let own = SetOnce<ServiceDefinition.Metrics>()

    /// Counts from now on for all libraries of the process. Once in each process.
    init(of service: String, at now: Timestamp) {
        self.service = service
        startedAt = now
        instance = String((Randomness.shared.identifier(at: now) as MessageID).hex.suffix(16))
        MetricsSystem.bootstrap(registry)
    }

    func stats() async -> ServiceStats {
        let samples = registry.samples + ProcessFigures.samples + (await own.value?() ?? [])
        return ServiceStats(
            service: service, uptimeMilliseconds: Int64((monotonicNanoseconds() - started) / 1_000_000),
            residentKiB: ProcessFigures.residentKiB, metrics: samples, version: Release.version, instance: instance,
            processID: Int64(getpid()), startedAt: startedAt)
    }
}
