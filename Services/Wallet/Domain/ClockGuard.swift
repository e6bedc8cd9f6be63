import Primitives

/// Tells a clock that is ahead of what the ledger knows: times are written for good, and money depends on them.
///
/// While the process runs, the clock has to go as fast as the time since boot, which nobody sets. At the start there is
/// only the newest row's time to compare with. A clock that is behind harms nothing that lasts, and is believed.
package struct ClockGuard: Sendable {
    /// A step ahead that is taken for a correction (NTP), and a step back that is bridged with the newest row's time.
    package static let stepMax = Duration.seconds(30)
    /// One millisecond in so many: how fast the two clocks may part, twice the 500 ppm that adjtime(2) allows.
    private static let driftDivisor: Int64 = 1000

    /// The time of the newest row at the start; nil for a ledger that knows no time.
    private let newest: Timestamp?
    /// The latest time that is believed at the start; nil for a ledger that knows no time.
    private let startMax: Timestamp?
    /// The clock and the uptime, in milliseconds, when the clock was first believed and not behind the newest row: a
    /// clock that is behind may be set right later.
    private var believed: (clock: Int64, uptime: Int64)?
    /// How far ahead the clock is of what can be; nil when it is believed.
    package private(set) var ahead: Duration?

    /// - Parameters:
    ///   - newest: the time of the ledger's newest row; nil when it has none.
    ///   - gapMax: how long the ledger may have rested.
    package init(newest: Timestamp?, gapMax: Duration) {
        self.newest = newest
        startMax = newest.map { $0 + gapMax }
    }

    /// - Parameter uptime: milliseconds since boot.
    /// - Returns: whether the clock can be believed.
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
