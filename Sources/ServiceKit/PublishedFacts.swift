import Bus
import Contracts

/// A source's facts: published from its log, and answered to readers of the log.
package struct PublishedFacts: Sendable {
    let reader: any Answering
    let prepare: @Sendable () async throws -> Void
    let run: @Sendable () async throws -> Void
    let metrics: @Sendable () -> [ServiceStats.Sample]

    package init<Source: FactSource>(_ publisher: FactPublisher<Source>, from log: any FactLog) {
        publisher.attach(log)
        reader = publisher.reader
        prepare = { try await publisher.start() }
        run = { try await publisher.publishHeads() }
        metrics = {
            [.gauge("facts_head", Int(publisher.head))]
                + publisher.counts.map { .counter("facts_total", Int($0.value), labels: ["type": $0.key]) }
        }
    }
}
