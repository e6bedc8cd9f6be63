import Primitives

/// A time of each day in which nothing is pushed, by a customer's clock. It may pass midnight.
package struct QuietHours: Hashable, Sendable {
    /// Minutes after local midnight, 0 to 1,439. The first minute is quiet.
    package let from: Int
    /// The first minute that is not quiet. The same minute as `from` makes the whole day quiet.
    package let until: Int
    package let clock: LocalClock

    package init(from: Int, until: Int, by clock: LocalClock) {
        self.from = from
        self.until = until
        self.clock = clock
    }

    private static let minute: Int64 = 60_000
    private static let day = 1440 * minute

    package func contains(_ time: Timestamp) -> Bool { remaining(at: time) != nil }

    /// The end of the quiet hours that a time is in; nil for a time outside of them.
    ///
    /// Where the clocks are changed before the end, it is when they show the end: an hour earlier or later than they
    /// would have.
    package func end(from time: Timestamp) -> Timestamp? {
        guard let remaining = remaining(at: time) else { return nil }
        let end = time + .milliseconds(remaining)
        let change = clock.offsetSeconds(at: end) - clock.offsetSeconds(at: time)
        guard change != 0 else { return end }
        let shown = end - .seconds(change)
        // In spring the clocks skip an hour, and never show an end within it: then it is as far away as without the
        // change.
        return contains(shown) ? end : shown
    }

    /// Minutes that the clock is ahead of UTC at a time.
    package func offsetMinutes(at time: Timestamp) -> Int { clock.offsetSeconds(at: time) / 60 }

    /// Milliseconds that a clock that is not changed would show until the end.
    private func remaining(at time: Timestamp) -> Int64? {
        let (start, end) = (Int64(from) * Self.minute, Int64(until) * Self.minute)
        let length = end > start ? end - start : end - start + Self.day
        let local = time.milliseconds + Int64(clock.offsetSeconds(at: time)) * 1000
        let since = ((local - start) % Self.day + Self.day) % Self.day
        return since < length ? length - since : nil
    }
}
