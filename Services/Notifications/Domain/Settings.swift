import Contracts
import Primitives

/// What an account is pushed, and when.
package struct Settings: Sendable, Equatable {
    package var enabled = true
    package var muted: Set<Notifications.Kind> = []
    package var quiet: QuietHours?
    /// Until then ads and coupons wait: a routine of the account runs.
    package var offersWaitUntil: Timestamp?

    package init(
        enabled: Bool = true, muted: Set<Notifications.Kind> = [], quiet: QuietHours? = nil,
        offersWaitUntil: Timestamp? = nil
    ) {
        self.enabled = enabled
        self.muted = muted
        self.quiet = quiet
        self.offersWaitUntil = offersWaitUntil
    }

    package enum Verdict: Sendable, Equatable {
        case now
        /// At the end of the quiet hours, or of a routine that quiets ads.
        case later(Timestamp)
        /// With the reason that the delivery ends with.
        case never(String)
    }

    package func verdict(on kind: Notifications.Kind, at now: Timestamp) -> Verdict {
        guard enabled else { return .never("notifications_off") }
        guard !muted.contains(kind) else { return .never("kind_muted") }
        var due = now
        if kind == .offer, let end = offersWaitUntil { due = max(due, end) }
        if let end = quiet?.end(from: due) { due = end }
        return due > now ? .later(due) : .now
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
