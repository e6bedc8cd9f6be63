import Primitives

/// What location knows of a run's walks, from its log and from its answers afterwards.
package struct WalkEvidence: Sendable {
    /// Tells the run's tracks from those of all others.
    package var run: UInt32
    /// All that were begun, in their order.
    package var walks: [WalkPool.Walk]
    /// What happened at the fences to the run's customers, in the log's order.
    package var events: [FenceFact] = []
    package var logFaults: [String] = []
    /// Last positions as location answers, of some customers.
    package var positions: [PositionRead] = []
    /// When location's present process was started: it knows no position from before. Nil where that cannot be seen.
    package var birth: Timestamp?

    package init(run: UInt32, walks: [WalkPool.Walk]) {
        self.run = run
        self.walks = walks
    }
}

/// One fact of a fence.
package struct FenceFact: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case entered
        case dwelled
        /// Why: `left`, `forgotten` or `removed`.
        case exited(String)
    }

    package var kind: Kind
    package var customer: Int
    /// Whose place it is; nil for one that is not of the population.
    package var merchant: Int?
    package var time: Timestamp
    /// When the visit began; of an enter its own time.
    package var entered: Timestamp

    package init(kind: Kind, customer: Int, merchant: Int?, time: Timestamp, entered: Timestamp) {
        self.kind = kind
        self.customer = customer
        self.merchant = merchant
        self.time = time
        self.entered = entered
    }
}

/// Where a customer is after the last walk, or why location does not say.
package struct PositionRead: Sendable, Equatable {
    /// The customer's last walk: its place among the run's walks.
    package var walk: Int
    package var refusal: String?
    package var point: Coordinate?
    package var time: Timestamp?

    package init(walk: Int, refusal: String?, point: Coordinate?, time: Timestamp?) {
        self.walk = walk
        self.refusal = refusal
        self.point = point
        self.time = time
    }
}
