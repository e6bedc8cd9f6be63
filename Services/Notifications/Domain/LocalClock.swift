import Foundation
import Primitives

/// What the clocks of a place show.
package enum LocalClock: Hashable, Sendable {
    /// Always so many minutes ahead of UTC.
    case fixed(minutes: Int)
    /// By a time zone's rules, summer time included.
    case zone(ZoneName)

    /// Nil for a clock that is never changed.
    package var zone: ZoneName? {
        guard case .zone(let name) = self else { return nil }
        return name
    }

    /// Seconds that local time is ahead of UTC at a time.
    package func offsetSeconds(at time: Timestamp) -> Int {
        switch self {
        case .fixed(let minutes): minutes * 60
        case .zone(let name): name.offsetSeconds(at: time)
        }
    }
}

/// The IANA name of a time zone that the system knows.
package struct ZoneName: Hashable, Sendable {
    package let text: String
    private let zone: TimeZone

    /// Nil unless it is the name of a place or `UTC`: abbreviations such as `EST` mean different zones in different
    /// places.
    package init?(_ text: String) {
        guard text.contains("/") || text == "UTC", !text.hasPrefix("/"), !text.contains(".."),
            let zone = TimeZone(identifier: text)
        else { return nil }
        self.text = text
        self.zone = zone
    }

    func offsetSeconds(at time: Timestamp) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time.milliseconds) / 1000))
    }
}
