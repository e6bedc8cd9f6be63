/// A length of time as people write it: `5s`, `200ms`, `2m`, `1.5s`, `1h`.
package struct Span: Sendable, Equatable, CustomStringConvertible {
    package let nanoseconds: UInt64

    package init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }
    package init(seconds: Double) { nanoseconds = UInt64(max(0, seconds) * 1e9) }

    /// Nil for anything but a number that is not negative and one of the units `us`, `ms`, `s`, `m`, `h`.
    package init?(_ text: String) {
        let digits = text.prefix { $0.isNumber || $0 == "." }
        guard let number = Double(digits), number >= 0 else { return nil }
        let scale: Double
        switch text.dropFirst(digits.count) {
        case "us", "µs": scale = 1e3
        case "ms": scale = 1e6
        case "s": scale = 1e9
        case "m": scale = 60e9
        case "h": scale = 3600e9
        default: return nil
        }
        // A year is longer than any run.
        guard number * scale <= 3.2e16 else { return nil }
        nanoseconds = UInt64((number * scale).rounded())
    }

    package var seconds: Double { Double(nanoseconds) / 1e9 }
    package var micros: Double { Double(nanoseconds) / 1e3 }

    package var description: String {
        switch nanoseconds {
        case let all where all % 1_000_000_000 == 0: "\(all / 1_000_000_000)s"
        case let all where all % 1_000_000 == 0: "\(all / 1_000_000)ms"
        default: "\(nanoseconds / 1000)us"
        }
    }
}
