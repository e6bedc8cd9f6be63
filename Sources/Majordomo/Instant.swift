/// A reading of both clocks, taken by the shell once for a batch of messages.
package struct Instant: Sendable, Equatable {
    /// Since an arbitrary start, never set back: all waiting is measured with it.
    package var monotonicMs: Int64
    /// Since 1970-01-01T00:00:00Z: only to read and to write deadlines.
    package var unixMs: Int64

    package init(monotonicMs: Int64, unixMs: Int64) {
        self.monotonicMs = monotonicMs
        self.unixMs = unixMs
    }
}
