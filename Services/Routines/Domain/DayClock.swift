import Contracts
import Foundation
import Primitives

/// The clock of a day in its time zone, summer time included.
package struct DayClock: Sendable {
    private let zone: TimeZone

    /// - Throws: `routines.zone_invalid`.
    package init(zone name: String) throws(Fault) {
        guard name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), let zone = TimeZone(identifier: name) else {
            throw Fault(.dayZoneInvalid)
        }
        self.zone = zone
    }

    /// The date that it is at a moment.
    package func date(at time: Timestamp) -> CivilDate { CivilDate(of: time + offset(at: time)) }

    /// The moment of a minute of a date. A minute that the clock leaves out is an hour later; of one that it has twice
    /// it is the first.
    package func moment(_ minute: Int, of date: CivilDate) -> Timestamp {
        let start = Timestamp(rfc3339: Array("\(date)T00:00:00Z".utf8)) ?? Timestamp(milliseconds: 0)
        let local = start + .seconds(minute * 60)
        // The offset a day before is that of before a change; the one a day after is that of afterwards.
        let (before, after) = (
            local - offset(at: local - .seconds(86_400)), local - offset(at: local + .seconds(86_400))
        )
        let fitting = [before, after].filter { $0 + offset(at: $0) == local }
        return fitting.min() ?? before
    }

    /// `07:05`.
    package static func text(ofMinute minute: Int64) -> String {
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(minute / 60)):\(two(minute % 60))"
    }

    private func offset(at time: Timestamp) -> Duration {
        .seconds(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time.milliseconds) / 1000)))
    }
}
