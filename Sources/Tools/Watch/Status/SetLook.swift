import Contracts
import Primitives

/// A running set at one moment, as the broker and its services report it.
package struct SetLook: Sendable {
    /// Monotonic, in nanoseconds: rates are counted by it.
    package let nanoseconds: UInt64
    package let time: Timestamp
    package let queues: Broker.ReadQueues.Reply
    /// By service, one for each process that answered.
    package let stats: [String: [ServiceStats]]
    /// Of all services; nil where the broker does not report them.
    package let workers: [Broker.WorkerStats]?

    package init(
        nanoseconds: UInt64, time: Timestamp, queues: Broker.ReadQueues.Reply, stats: [String: [ServiceStats]],
        workers: [Broker.WorkerStats]?
    ) {
        self.nanoseconds = nanoseconds
        self.time = time
        self.queues = queues
        self.stats = stats
        self.workers = workers
    }

    /// The services of a whole set.
    package static let expected = Catalogue.services.map { $0.service }
}
