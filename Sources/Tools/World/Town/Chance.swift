/// Random numbers without a state: the same question always has the same answer (SplitMix64's last steps).
package struct Chance: Sendable {
    private let seed: UInt64

    package init(seed: UInt64) { self.seed = seed }

    /// 0 up to, and without, 1, for the `turn`-th question about a subject.
    package func fraction(_ subject: Int, _ turn: Int, _ question: UInt64) -> Double {
        Double(mixed(subject, turn, question) >> 11) * 0x1p-53
    }

    /// 0 up to, and without, `bound`.
    package func below(_ bound: Int, _ subject: Int, _ turn: Int, _ question: UInt64) -> Int {
        Int(truncatingIfNeeded: mixed(subject, turn, question).multipliedFullWidth(by: UInt64(bound)).high)
    }

    private func mixed(_ subject: Int, _ turn: Int, _ question: UInt64) -> UInt64 {
        var mixed = seed
        for part in [UInt64(truncatingIfNeeded: subject), UInt64(truncatingIfNeeded: turn), question] {
            mixed = Self.scramble(mixed &+ part &* 0x9E37_79B9_7F4A_7C15 &+ 0x9E37_79B9_7F4A_7C15)
        }
        return mixed
    }

    private static func scramble(_ number: UInt64) -> UInt64 {
        var mixed = number
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
