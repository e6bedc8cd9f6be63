import Wire

/// What the broker's operators may ask over the bus. (How asks are routed is Majordomo's matter, not JSON's.)
package enum Broker: BusService {
    package static let service = "broker"

    package struct ReadQueues: Ask, Equatable {
        package static let type: MessageType = "broker.queues.read.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = []

        package struct Reply: WireMessage, Equatable {
            package let instance: String
            package let uptimeMilliseconds: Int64
            package let services: [QueueStats]
            /// How many messages were dropped, by reason.
            package let drops: [String: Int64]

            package init(
                instance: String, uptimeMilliseconds: Int64, services: [QueueStats], drops: [String: Int64]
            ) {
                self.instance = instance
                self.uptimeMilliseconds = uptimeMilliseconds
                self.services = services
                self.drops = drops
            }
        }

        package init() {}
    }

    package struct QueueStats: Codable, Sendable, Equatable {
        package let service: String
        package let workers: Int
        /// Asks that its workers take at once, together.
        package let credit: Int
        package let queued: Int
        package let queuedBytes: Int
        /// How long the oldest waiting ask has waited.
        package let oldestMilliseconds: Int64
        package let inFlight: Int
        package let paused: Bool
        package let asks: Int64
        package let answers: Int64

        package init(
            service: String, workers: Int, credit: Int, queued: Int, queuedBytes: Int, oldestMilliseconds: Int64,
            inFlight: Int, paused: Bool, asks: Int64, answers: Int64
        ) {
            self.service = service
            self.workers = workers
            self.credit = credit
            self.queued = queued
            self.queuedBytes = queuedBytes
            self.oldestMilliseconds = oldestMilliseconds
            self.inFlight = inFlight
            self.paused = paused
            self.asks = asks
            self.answers = answers
        }
    }

    /// The workers that are registered, those of one service or all.
    package struct ReadWorkers: Ask, Equatable {
        package static let type: MessageType = "broker.workers.read.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = []

        package let service: String?
        package init(service: String? = nil) { self.service = service }

        package struct Reply: WireMessage, Equatable {
            /// By service, and within one in the order in which they came.
            package let workers: [WorkerStats]
            package init(workers: [WorkerStats]) { self.workers = workers }
        }
    }

    package struct WorkerStats: Codable, Sendable, Equatable {
        package let service: String
        /// `mdp01`, `mdp02`, `majortomo` or `billfold`.
        package let dialect: String
        /// Asks it takes at once.
        package let credit: Int
        package let inFlight: Int
        /// Has said goodbye, and finishes what it has.
        package let draining: Bool
        /// Since its READY.
        package let connectedMilliseconds: Int64
        /// Since it was last heard of.
        package let silentMilliseconds: Int64
        /// Absent over tcp and from another container: only the kernel's word counts.
        package let processID: Int?

        package init(
            service: String, dialect: String, credit: Int, inFlight: Int, draining: Bool, connectedMilliseconds: Int64,
            silentMilliseconds: Int64, processID: Int?
        ) {
            self.service = service
            self.dialect = dialect
            self.credit = credit
            self.inFlight = inFlight
            self.draining = draining
            self.connectedMilliseconds = connectedMilliseconds
            self.silentMilliseconds = silentMilliseconds
            self.processID = processID
        }
    }

    /// Holds a service's asks back in its queue until it is resumed; what its workers have, they finish. Asks of
    /// `try.` and the service's name are not held back.
    package struct PauseService: Ask, Equatable {
        package static let type: MessageType = "broker.service.pause.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = []
        package typealias Reply = Paused

        package let service: String
        /// The pause ends by itself after so long, 1 to 300,000; absent: when it is resumed.
        package let forMilliseconds: Int64?

        package static let millisecondsMax: Int64 = 300_000

        package init(service: String, forMilliseconds: Int64? = nil) {
            self.service = service
            self.forMilliseconds = forMilliseconds
        }
    }

    package struct ResumeService: Ask, Equatable {
        package static let type: MessageType = "broker.service.resume.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = []
        package typealias Reply = Paused

        package let service: String
        package init(service: String) { self.service = service }
    }

    package struct Paused: WireMessage, Equatable {
        package let service: String
        package let paused: Bool

        package init(service: String, paused: Bool) {
            self.service = service
            self.paused = paused
        }
    }
}
