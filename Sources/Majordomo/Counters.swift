/// Why something was dropped or refused.
package enum Drop: Int, Sendable, CaseIterable {
    /// Breaks its frame table, or speaks no dialect at all.
    case malformed
    /// A reply whose token is unknown, already used, or another worker's.
    case unknownToken
    /// A reply to an ask that was refused when its deadline passed.
    case lateReply
    /// A PARTIAL for a client whose dialect has none.
    case partialUnsupported
    /// A reply with too many bytes or frames; its client is told the outcome is unknown.
    case replyTooLarge
    /// A worker's message from a peer that is not registered, or that may not say it now.
    case unexpected
    /// A READY beyond the bound on workers or services, or for a reserved name.
    case registrationRefused
    /// The client was gone when its answer came.
    case clientGone
    /// The client does not read: its pipe was full.
    case clientFull
    /// A copy of an ask or answer for a tap that was gone or did not read.
    case copyLost
    /// An ask was refused for want of memory: beside the fault that its client got.
    case memory
    case noWorker, queueFull, deadlineExceeded, workerLost, tooLarge, outcomeUnknown

    /// As ``BrokerStats`` says it.
    package var name: String { String(describing: self) }

    init(_ fault: Fault) {
        switch fault {
        case .noWorker: self = .noWorker
        case .queueFull: self = .queueFull
        case .deadlineExceeded: self = .deadlineExceeded
        case .workerLost: self = .workerLost
        case .malformed: self = .malformed
        case .tooLarge: self = .tooLarge
        case .outcomeUnknown: self = .outcomeUnknown
        }
    }
}

struct Counters {
    var asks: UInt64 = 0
    var answers: UInt64 = 0
    private var drops = [UInt64](repeating: 0, count: Drop.allCases.count)

    subscript(drop: Drop) -> UInt64 { drops[drop.rawValue] }

    mutating func count(_ drop: Drop) { drops[drop.rawValue] += 1 }
}

/// What the broker knows of itself at one moment.
package struct BrokerStats: Codable, Sendable, Equatable {
    package struct Service: Codable, Sendable, Equatable {
        package var name: String
        package var queued: Int
        package var queuedBytes: Int
        /// Age of the ask that has waited longest; 0 when none waits.
        package var oldestAgeMs: Int64
        package var inFlight: Int
        /// Registered and not draining.
        package var workers: Int
        package var draining: Int
        /// Asks its workers take at once, together.
        package var credit: Int
        package var paused: Bool
        package var asks: UInt64
        package var answers: UInt64
    }

    /// A registered worker.
    package struct Worker: Sendable, Equatable {
        package var service: String
        package var dialect: Dialect
        /// Asks it takes at once.
        package var credit: Int
        package var inFlight: Int
        /// Has said goodbye and finishes what it has.
        package var isDraining: Bool
        /// Since its READY.
        package var connectedMs: Int64
        /// Since it was last heard of.
        package var silentMs: Int64
        /// 0: not known, as over tcp.
        package var processID: Int32
    }

    package var services: [Service]
    /// By ``Drop``'s names, those that are not zero.
    package var drops: [String: UInt64]
    package var asks: UInt64
    package var answers: UInt64
    /// Held asks and their bytes.
    package var held: Int
    package var heldBytes: Int
    package var workers: Int
    package var uptimeMs: Int64
    /// Random at each start, in hex: the number a PONG carries.
    package var instance: String
}
