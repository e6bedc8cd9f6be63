import Contracts
import Primitives

/// What one account is pushed, and when (A69, A85).
package struct Settings: Sendable, Equatable {
    package var enabled = true
    package var muted: Set<Notifications.Kind> = []
    package var quiet: QuietTime?

    package init(enabled: Bool = true, muted: Set<Notifications.Kind> = [], quiet: QuietTime? = nil) {
        self.enabled = enabled
        self.muted = muted
        self.quiet = quiet
    }

    package enum Verdict: Sendable, Equatable {
        case now
        /// When the quiet hours end.
        case later(Timestamp)
        /// With the reason of a delivery that this ends.
        case never(String)
    }

    package func verdict(on kind: Notifications.Kind, at now: Timestamp) -> Verdict {
        guard enabled else { return .never("notifications_off") }
        guard !muted.contains(kind) else { return .never("kind_muted") }
        guard let end = quiet?.end(from: now) else { return .now }
        return .later(end)
    }
}

/// Why somebody is not pushed a request for money, in one word.
package enum Unpushed: String, Sendable {
    case off, muted, quiet, unregistered

    package var explanation: String {
        switch self {
        case .off: "The customer has turned notifications off."
        case .muted: "The customer has muted requests."
        case .quiet: "The customer has quiet hours until after the request ends."
        case .unregistered: "The customer has no device that is notified."
        }
    }
}

/// Quiet hours: a part of each day at an offset from UTC. They may go over midnight.
package struct QuietTime: Sendable, Equatable {
    /// Minutes after midnight.
    package let from, until: Int64
    /// Minutes that local time is ahead of UTC.
    package let offset: Int64

    private static let day: Int64 = 1440

    /// Nil unless the minutes are a day's, and the offset one of the earth's.
    package init?(from: Int64, until: Int64, offset: Int64) {
        guard (0..<Self.day).contains(from), (0..<Self.day).contains(until), from != until,
            (-840...840).contains(offset)
        else { return nil }
        self.from = from
        self.until = until
        self.offset = offset
    }

    /// When the quiet hours end that it is in; nil outside of them. They begin with `from` and end with `until`.
    package func end(from now: Timestamp) -> Timestamp? {
        let day = Self.day * 60_000
        let local = (now.milliseconds + offset * 60_000) % day
        let inDay = local < 0 ? local + day : local
        let length = (until - from + Self.day) % Self.day * 60_000
        let since = (inDay - from * 60_000 + day) % day
        guard since < length else { return nil }
        return Timestamp(milliseconds: now.milliseconds + length - since)
    }
}
