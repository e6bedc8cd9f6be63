/// Repeatable random numbers: SplitMix64 (Steele, Lea and Flood, 2014). The same seed gives the same run.
package struct Dice: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return scramble(state)
    }

    /// 0 up to, and without, 1.
    package mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// 0 up to, and without, `bound`. The bias of the multiplication is below 2^-32 for the bounds used here.
    package mutating func below(_ bound: Int) -> Int {
        Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
    }
}

/// A number that shows no trace of its neighbours: SplitMix64's last steps.
package func scramble(_ number: UInt64) -> UInt64 {
    var mixed = number
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
}
