import Primitives

/// One customer's visit to one place, as the fixes show it.
package struct Visit: Sendable, Equatable {
    /// The time of the first fix inside the fence.
    package let entered: Timestamp
    /// Whether `FenceDwelled` has been published.
    package var dwelled = false
    /// The time of a fix outside that may be jitter; the next fix decides.
    package var strayed: Timestamp?

    package init(entered: Timestamp, dwelled: Bool = false, strayed: Timestamp? = nil) {
        self.entered = entered
        self.dwelled = dwelled
        self.strayed = strayed
    }
}

package enum FenceEvent: Sendable, Equatable {
    case entered
    case dwelled
    /// The time of the first fix outside.
    case exited(Timestamp)
}

/// Decides from each fix, in the order of their times, whether a customer enters, dwells in or leaves the circle around
/// a place.
///
/// A customer enters at the radius and leaves at one and a half times the radius: a track that wavers along the edge
/// makes one visit at most. Up to three times the radius, two fixes in a row end a visit, as one may be wrong; beyond
/// it, one does.
package struct FenceRules: Sendable {
    /// 0.10 km, as for nearby customers; inclusive.
    package var enterMetres = 100.0
    /// A phone's fix between buildings is wrong by 5 to 50 m.
    package var leaveMetres = 150.0
    package var surelyLeftMetres = 300.0
    /// The length of a visit from which it is published as dwelled.
    package var dwell = Duration.seconds(300)

    package init() {}

    /// Applies one more fix. The visit is nil before it begins and after it ends.
    ///
    /// - Parameters:
    ///   - metres: from the fix to the place.
    ///   - time: of the fix, later than those before.
    package func step(_ visit: inout Visit?, metres: Double, at time: Timestamp) -> FenceEvent? {
        guard var open = visit else {
            guard metres <= enterMetres else { return nil }
            visit = Visit(entered: time)
            return .entered
        }
        if metres > leaveMetres {
            if metres <= surelyLeftMetres, open.strayed == nil {
                open.strayed = time
                visit = open
                return nil
            }
            visit = nil
            return .exited(open.strayed ?? time)
        }
        open.strayed = nil
        defer { visit = open }
        guard !open.dwelled, time - open.entered >= dwell else { return nil }
        open.dwelled = true
        return .dwelled
    }
}
