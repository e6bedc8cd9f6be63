import Primitives

/// One customer's stay at one place, as far as it is known.
package struct Visit: Sendable, Equatable {
    /// The time of the first fix within.
    package let entered: Timestamp
    /// Whether the stay has been told of as a long one.
    package var dwelled = false
    /// The time of a fix that was outside, but may be jitter: the next one tells.
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
    /// When the customer was first seen outside.
    case exited(Timestamp)
}

/// When a customer enters, dwells in and leaves the circle around a place: decided from one fix after the other, in the
/// order of their times.
///
/// One enters at the radius and leaves half of it farther out. In between nothing changes, so that a track along the
/// edge that wavers by less than that, as fixes do, is one visit at most. Between there and three times the radius one
/// fix alone may be a bad one: two in a row are not. Beyond, one is enough.
package struct FenceRules: Sendable {
    /// 0.10 km, as for nearby customers (001-79); inclusive.
    package var enterMetres = 100.0
    /// A fix of a phone between houses is off by 5 to 50 m.
    package var leaveMetres = 150.0
    package var surelyLeftMetres = 300.0
    /// How long a visit has to be to be told of as a stay.
    package var dwell = Duration.seconds(300)

    package init() {}

    /// What one more fix means. Changes the visit: nil before it begins and after it ends.
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
