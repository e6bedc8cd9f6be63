import Contracts
import Foundation
import Primitives

/// Whether a shop is open, by the clock on its wall.
package enum OpeningHours {
    /// - Returns: nil for a zone that there is not.
    package static func isOpen(_ hours: [Storefront.Hours], in zone: String, at time: Timestamp) -> Bool? {
        guard let zone = TimeZone(identifier: zone) else { return nil }
        let date = Date(timeIntervalSince1970: Double(time.milliseconds) / 1000)
        let local = time.milliseconds / 1000 + Int64(zone.secondsFromGMT(for: date))
        let minute = Int((local % 86_400 + 86_400) % 86_400 / 60)
        // 1 January 1970 was a Thursday, day 4.
        let days = (local - (local % 86_400 + 86_400) % 86_400) / 86_400
        let day = Int((days + 3) % 7 + 7) % 7 + 1
        return hours.contains { $0.day == day && ($0.opens..<$0.closes).contains(minute) }
    }
}
