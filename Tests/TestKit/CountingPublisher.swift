import Bus
import Synchronization

/// Counts what a store publishes, and sends it to nobody.
package final class CountingPublisher: FactPublishing {
    private let published = Atomic(0)

    package init() {}

    package var count: Int { published.load(ordering: .sequentiallyConsistent) }
    package func publish(_ facts: [PublishedFact]) { published.add(facts.count, ordering: .sequentiallyConsistent) }
}
