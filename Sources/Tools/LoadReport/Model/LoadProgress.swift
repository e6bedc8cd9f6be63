/// What can be said of a load test while it runs.
package struct LoadProgress: Sendable, Equatable {
    package enum Phase: String, Sendable, Equatable {
        /// Accounts, cards and money are made.
        case preparing
        case warmUp
        case measuring
        /// No more is sent; what is still open is asked again.
        case settling
        /// The money is counted.
        case checking
    }

    package var phase: Phase
    /// Since the phase began.
    package var elapsedSeconds: Double
    /// How long the phase takes; nil when that is not known.
    package var totalSeconds: Double?
    /// How much of the phase is done where it is not a matter of time, 0 to 1.
    package var fraction: Double?
    /// Of the last second or so.
    package var okPerSecond: Double
    /// Of the last second or so; nil when nothing was answered.
    package var p50Micros: Double?
    package var p99Micros: Double?
    /// Since the load began.
    package var ok: Int
    package var refused: Int
    package var errors: Int
    package var inFlight: Int
    /// One short remark, as "step 3: 2,000/s" or "killed wallet".
    package var note: String?

    package init(
        phase: Phase, elapsedSeconds: Double, totalSeconds: Double? = nil, fraction: Double? = nil,
        okPerSecond: Double = 0, p50Micros: Double? = nil, p99Micros: Double? = nil, ok: Int = 0, refused: Int = 0,
        errors: Int = 0, inFlight: Int = 0, note: String? = nil
    ) {
        self.phase = phase
        self.elapsedSeconds = elapsedSeconds
        self.totalSeconds = totalSeconds
        self.fraction = fraction
        self.okPerSecond = okPerSecond
        self.p50Micros = p50Micros
        self.p99Micros = p99Micros
        self.ok = ok
        self.refused = refused
        self.errors = errors
        self.inFlight = inFlight
        self.note = note
    }
}
