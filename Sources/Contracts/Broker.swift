import Wire

/// The broker answers these itself, as a worker on its own bus: for operators. It cannot be replaced by registering
/// under its name.
package enum Broker: BusService {
    package static let service = "broker"

    package struct ReadQueues: Ask, Equatable {
        package static let type: MessageType = "broker.queues.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .anyone
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Broker.ReadQueues(),
                reply: Samples.queues)
        }

        package struct Reply: WireMessage, Equatable {
            package let instance: String
            package let uptimeMilliseconds: Int64
            package let services: [QueueStats]
            /// How many messages were dropped, by reason.
            package let drops: [String: Int64]
        }
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
    }

    /// The workers that are registered, those of one service or all.
    package struct ReadWorkers: Ask, Equatable {
        package static let type: MessageType = "broker.workers.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .anyone
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Broker.ReadWorkers(service: "wallet"),
                bare: Broker.ReadWorkers(),
                reply: Samples.workers,
                bareReply: Broker.ReadWorkers.Reply(workers: [Samples.foreignWorker]))
        }

        package let service: String?

        package struct Reply: WireMessage, Equatable {
            /// By service, and within one in the order in which they came.
            package let workers: [WorkerStats]
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
    }

    /// Holds a service's asks back in its queue until it is resumed; what its workers have, they finish. Asks of
    /// `try.` and the service's name are not held back.
    package struct PauseService: Ask, Equatable {
        package static let type: MessageType = "broker.service.pause.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .anyone
        package static let limits: [Limit<Self>] = [
            .number(\.forMilliseconds, 1...300_000), .text(\.by, 1...64, or: nil)
        ]
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Broker.PauseService(service: "wallet", forMilliseconds: 5_000, by: "swap"),
                bare: Broker.PauseService(service: "wallet"),
                reply: Broker.Paused(service: "wallet", paused: true))
        }
        package typealias Reply = Paused

        package let service: String
        /// The pause ends by itself after so long, 1 to 300,000; absent: when it is resumed.
        package let forMilliseconds: Int64?
        /// The holder of the pause; absent: an operator. The queue is held back until each holder's pause has ended.
        package let by: String?
    }

    /// Ends a pause; `paused` says whether another one still holds the queue back.
    package struct ResumeService: Ask, Equatable {
        package static let type: MessageType = "broker.service.resume.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .anyone
        package static let limits: [Limit<Self>] = [.text(\.by, 1...64, or: nil)]
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Broker.ResumeService(service: "wallet", by: "swap"),
                bare: Broker.ResumeService(service: "wallet"),
                reply: Broker.Paused(service: "wallet", paused: false))
        }
        package typealias Reply = Paused

        package let service: String
        /// The holder of the pause; absent: an operator.
        package let by: String?
    }

    package struct Paused: WireMessage, Equatable {
        package let service: String
        package let paused: Bool
    }
}
