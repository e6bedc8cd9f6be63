import Primitives

/// Detects a clock that is ahead of what the ledger knows. Written times are permanent, and money depends on them.
///
/// While the process runs, the clock is compared with the time since boot, which nobody sets; at the start, with the
/// newest row's time. A clock that is behind does no lasting harm and is accepted.
package struct ClockGuard: Sendable {
    /// A step ahead that counts as a correction by NTP, and a step back that is bridged with the newest row's time.
    package static let stepMax = Duration.seconds(30)
    /// The drift allowed between the two clocks, one millisecond in so many: twice the 500 ppm of adjtime(2).
    private static let driftDivisor: Int64 = 1000

    /// The newest row's time at the start; nil for an empty ledger.
    private let newest: Timestamp?
    /// The latest time that is accepted at the start; nil for an empty ledger.
    private let startMax: Timestamp?
    /// The clock and the uptime, in milliseconds, when the clock was first accepted and not behind the newest row. A
    /// clock that is behind may be corrected later.
    private var believed: (clock: Int64, uptime: Int64)?
    /// How far the clock is ahead; nil while it is accepted.
    package private(set) var ahead: Duration?

    /// - Parameters:
    /// - newest: the time of the newest row; nil if there is none.
    /// - gapMax: how long the ledger may have been idle.
    package init(newest: Timestamp?, gapMax: Duration) {
        self.newest = newest
        startMax = newest.map { $0 + gapMax }
    }

    /// - Parameter uptime: milliseconds since boot.
    /// - Returns: whether the clock is accepted.
    package mutating func believes(_ clock: Timestamp, uptime: Int64) -> Bool {
        let expected: Timestamp?
        var latest = startMax
        if let believed {
            let elapsed = uptime - believed.uptime
            expected = Timestamp(milliseconds: believed.clock + elapsed)
            latest = Timestamp(milliseconds: believed.clock + elapsed + elapsed / Self.driftDivisor) + Self.stepMax
        } else {
            expected = startMax
        }
        if let expected, let latest, clock > latest {
            ahead = clock - expected
            return false
        }
        if believed == nil, newest.map({ clock + Self.stepMax >= $0 }) ?? true {
            believed = (clock.milliseconds, uptime)
        }
        ahead = nil
        return true
    }
}
