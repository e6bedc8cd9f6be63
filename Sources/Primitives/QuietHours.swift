/// A time of each day in which nothing is pushed, by a clock at a fixed offset from UTC. It may pass midnight.
package struct QuietHours: Hashable, Sendable {
    /// Minutes after local midnight, 0 to 1,439. The first minute is quiet.
    package let from: Int
    /// The first minute that is not quiet. The same minute as `from` makes the whole day quiet.
    package let until: Int
    /// Minutes that local time is ahead of UTC.
    package let utcOffsetMinutes: Int

    package init(from: Int, until: Int, utcOffsetMinutes: Int) {
        self.from = from
        self.until = until
        self.utcOffsetMinutes = utcOffsetMinutes
    }

    private static let dayMinutes = 1440
    private static let minute: Int64 = 60_000

    package func contains(_ time: Timestamp) -> Bool { end(from: time) != nil }

    /// The end of the quiet hours that a time is in; nil for a time outside of them.
    package func end(from time: Timestamp) -> Timestamp? {
        let day = Int64(Self.dayMinutes) * Self.minute
        let (start, end) = (Int64(from) * Self.minute, Int64(until) * Self.minute)
        let length = end > start ? end - start : end - start + day
        let since = (localMilliseconds(time) - start + day) % day
        return since < length ? time + .milliseconds(length - since) : nil
    }

    /// The local minute of the day at a time, 0 to 1,439.
    package func minuteOfDay(_ time: Timestamp) -> Int { Int(localMilliseconds(time) / Self.minute) }

    private func localMilliseconds(_ time: Timestamp) -> Int64 {
        let day = Int64(Self.dayMinutes) * Self.minute
        let local = (time.milliseconds + Int64(utcOffsetMinutes) * Self.minute) % day
        return local < 0 ? local + day : local
    }
}
