import Glibc
import Primitives

/// One walk towards a merchant's place: six fixes, a millisecond apart, as a phone would find them. All of it follows
/// from the operation's number, so that nothing has to be remembered but when it began.
///
/// Location's rules are that one enters at 100 m, and leaves beyond 150 m if two fixes in a row say so, or beyond 300 m
/// (Services/Location/README.md). Each walk begins and ends where no visit outlasts it.
package struct Track: Sendable {
    package enum Kind: Sendable, CaseIterable {
        /// In and out again.
        case visit
        /// Along the edge, in and out of 100 m: one visit.
        case edge
        /// With one bad fix from outside in the middle, which ends no visit.
        case stray
        /// Past the fence, never within.
        case pass
    }

    package static let length = 6
    /// How far a fix may be from where it is meant to be: less than any fix is from a rule's edge.
    private static let wobbleMetres = 2.0
    /// What is played how often, of eight.
    private static let kinds: [Kind] = [.visit, .visit, .visit, .edge, .edge, .stray, .pass, .pass]

    package let kind: Kind
    private let chance: UInt64

    package init(_ number: Int, run: UInt32) {
        chance = scramble(UInt64(run) << 32 ^ UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
        kind = Self.kinds[Int(chance & 7)]
    }

    /// From the place, before the wobble.
    private var way: [Double] {
        switch kind {
        case .visit: Self.visit
        case .edge: Self.edge
        case .stray: Self.stray
        case .pass: Self.pass
        }
    }
    private static let visit: [Double] = [520, 180, 70, 20, 90, 420]
    private static let edge: [Double] = [340, 130, 94, 140, 96, 460]
    private static let stray: [Double] = [400, 70, 220, 60, 210, 360]
    private static let pass: [Double] = [480, 260, 125, 108, 190, 390]

    /// The step whose fix is the first one within, if there is one.
    package var entering: Int? {
        switch kind {
        case .visit, .edge: 2
        case .stray: 1
        case .pass: nil
        }
    }

    /// The steps whose fix may be published as the exit. That a fix alone was outside is known in memory only:
    /// after a restart the next one counts.
    package var leaving: ClosedRange<Int> { kind == .stray ? 4...5 : 5...5 }

    /// How far from the place, in metres.
    package func metres(_ step: Int) -> Double {
        let wobble = Double(chance >> UInt64(8 + 5 * step) & 31) / 31 * 2 - 1
        return way[step] + wobble * Self.wobbleMetres
    }

    package func point(_ step: Int, around place: Coordinate) -> Coordinate {
        let bearing = Double(chance >> 48) / 65536 * 2 * .pi
        let millionths = metres(step) / FlatEarth.metresPerMillionth
        let shrink = cos(Double(place.latitude) * FlatEarth.radiansPerMillionth)
        return Coordinate(
            checkedLatitude: place.latitude + Int32((millionths * cos(bearing)).rounded()),
            longitude: place.longitude + Int32((millionths * sin(bearing) / shrink).rounded()))
    }
}
