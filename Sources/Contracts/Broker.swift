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

    /// Holds a service's asks back in its queue until it is resumed; what its workers have, they finish.
    package struct PauseService: Ask, Equatable {
        package static let type: MessageType = "broker.service.pause.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = []
        package typealias Reply = Paused

        package let service: String
        package init(service: String) { self.service = service }
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
