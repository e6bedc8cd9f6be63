/// When operations are due at a constant rate.
///
/// Each moment is computed from the first one, never from the one before or from the present: a stall of the generator
/// or of the set makes the following operations late, and moves none of them.
package struct ArrivalSchedule: Sendable, Equatable {
    package let start: UInt64
    /// Nothing is due at or behind it.
    package let end: UInt64
    package let perSecond: Double
    /// Operations handed out so far.
    package private(set) var taken: UInt64 = 0

    /// - Parameters:
    ///   - start, end: monotonic nanoseconds.
    ///   - perSecond: above zero.
    package init(start: UInt64, end: UInt64, perSecond: Double) {
        self.start = start
        self.end = end
        self.perSecond = perSecond
    }

    package func moment(_ number: UInt64) -> UInt64 { start + UInt64(Double(number) * 1e9 / perSecond) }

    /// When the next operation is due; nil when all have been handed out.
    package var next: UInt64? {
        let moment = moment(taken)
        return moment < end ? moment : nil
    }

    /// Hands out the next operation's planned start if it has come.
    package mutating func take(at now: UInt64) -> UInt64? {
        guard let next, next <= now else { return nil }
        taken += 1
        return next
    }

    /// How many operations are due between start and a moment, handed out or not.
    package func due(by now: UInt64) -> Int {
        let until = min(now, end)
        guard until > start else { return 0 }
        return Int((Double(until - start) * perSecond / 1e9).rounded(.up))
    }
}
