import Foundation

/// SplitMix64: the same numbers for the same seed, everywhere.
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A generator for one test, its seed printed. Set `BILLFOLD_SEED` to run one seed again.
    static func seeded(_ test: String = #function) -> SplitMix64 {
        let given = ProcessInfo.processInfo.environment["BILLFOLD_SEED"].flatMap { UInt64($0) }
        let seed = given ?? UInt64.random(in: 0..<1 << 32)
        print("\(test): seed \(seed) (BILLFOLD_SEED)")
        return SplitMix64(seed: seed)
    }
}
