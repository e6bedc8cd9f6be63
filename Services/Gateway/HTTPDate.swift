import Primitives
import Synchronization

/// The `Date` of answers (RFC 9110 section 6.6.1), written once a second.
final class HTTPDate: Sendable {
    private struct Written {
        var second = Int64.min
        var text = ""
    }

    private let written = Mutex(Written())

    func text(at now: Timestamp) -> String {
        let second = now.milliseconds / 1000
        return written.withLock { written in
            if written.second != second { written = Written(second: second, text: Self.format(now)) }
            return written.text
        }
    }

    /// `Sat, 21 Nov 2026 09:30:00 GMT`
    static func format(_ time: Timestamp) -> String {
        let days = Int(time.milliseconds / 86_400_000)
        // 1970-01-01 was a Thursday.
        let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][((days % 7) + 7) % 7]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let text = Array(time.rfc3339.utf8)
        func part(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
        let month = months[(Int(part(5..<7)) ?? 1) - 1]
        return "\(weekday), \(part(8..<10)) \(month) \(part(0..<4)) \(part(11..<19)) GMT"
    }
}
