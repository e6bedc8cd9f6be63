/// How many rows a stretch of the ledger's check may have, so that payments wait for it no longer than they should:
/// fewer where each row takes long to read, as from a server.
package struct StretchPace {
    /// Nanoseconds that payments may wait.
    package static let pauseMax: UInt64 = 50_000_000
    package static let rowsMin = 16

    private var rows = 500

    package init() {}

    package func rows(atMost limit: Int) -> Int { min(limit, rows) }

    /// A stretch of so many rows took so long.
    package mutating func note(_ nanoseconds: UInt64, of limit: Int) {
        if nanoseconds > Self.pauseMax {
            rows = max(Self.rowsMin, Int(UInt64(limit) * Self.pauseMax / nanoseconds))
        } else if limit == rows {
            rows += rows / 8
        }
    }
}
