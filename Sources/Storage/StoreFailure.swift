import Contracts
import GRDB

/// Why a store did not do what it was asked. It never travels: an asker gets `bus.unavailable`.
package enum StoreFailure: Error, Equatable, CustomStringConvertible {
    /// A constraint of the schema refused what the rules let pass: a bug. Rolled back; the store is as before.
    case constraint(String)
    /// No room. Rolled back; the store is as before and may be tried again.
    case full(String)
    /// A row is not what the schema allows, or one is missing. Concerns whoever needs it, and the check of the ledger.
    case damaged(String)
    /// The disk or the file is in trouble. Whether the last commit is durable is unknown: the process must end, and
    /// begin anew from what is really there. Never tried again, as an fsync that failed once may succeed falsely.
    case broken(String)

    /// Whether it may concern one operation of a group only.
    package var mayBeOfOne: Bool {
        switch self {
        case .constraint, .damaged: true
        case .full, .broken: false
        }
    }

    package var description: String {
        switch self {
        case .constraint(let what): "a constraint refused a change: \(what)"
        case .full(let what): "no room: \(what)"
        case .damaged(let what): "damage: \(what)"
        case .broken(let what): "storage trouble: \(what)"
        }
    }
}

extension StoreFailure {
    /// Whether an error of a store is its disk's, which takes or gives nothing: full, read-only or failing.
    package static func isOfDisk(_ error: any Error) -> Bool {
        switch error {
        case StoreFailure.full, StoreFailure.broken: true
        case let error as DatabaseError:
            [.SQLITE_FULL, .SQLITE_IOERR, .SQLITE_READONLY, .SQLITE_CANTOPEN].contains(error.resultCode)
        default: false
        }
    }
}

extension Fault {
    /// When to come again to a service whose disk takes nothing: sooner than anybody makes room.
    private static let diskRetrySeconds = 5

    /// What an asker is told of a store's error. A disk in trouble stays so for longer than an ask lasts: with a time
    /// to come again the bus does not repeat the ask by itself.
    package static func ofStore(_ error: any Error) -> Fault {
        guard StoreFailure.isOfDisk(error) else { return Fault(.unavailable) }
        return Fault(
            .unavailable, "the service's disk takes or gives nothing at present; ask again with the same key",
            retryAfterSeconds: diskRetrySeconds)
    }
}
