/// The pauses of a connection to the broker's asks that is made again whenever it is lost.
package struct ConnectPauses {
    /// Nanoseconds between two tries: few at first, then more. A try costs some microseconds.
    private static let range: ClosedRange<UInt64> = 20_000_000...500_000_000
    /// How long the broker may take to say READY.
    package static let patience = Duration.seconds(5)
    /// How often the broker is asked whether it is still the same.
    package static let heartbeat = Duration.milliseconds(250)

    private var current = range.lowerBound

    package init() {}

    /// Nanoseconds until the next try.
    package mutating func next() -> UInt64 {
        defer { current = min(current * 2, Self.range.upperBound) }
        return current
    }

    /// To be called when a connection is open.
    package mutating func reset() { current = Self.range.lowerBound }
}
