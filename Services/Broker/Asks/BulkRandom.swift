import Glibc

/// The kernel's random numbers, drawn 4 KiB at a time: 16 system calls for 256 reply tokens.
struct BulkRandom: RandomNumberGenerator {
    private static let capacity = 512
    /// What `getentropy` gives at once, at most.
    private static let entropyBytesMax = 256
    private var numbers = [UInt64](repeating: 0, count: capacity)
    private var left = 0

    mutating func next() -> UInt64 {
        if left == 0 { refill() }
        left -= 1
        return numbers[left]
    }

    private mutating func refill() {
        numbers.withUnsafeMutableBytes { bytes in
            for start in stride(from: 0, to: bytes.count, by: Self.entropyBytesMax) {
                // It cannot fail on a kernel that runs Swift; were it to, tokens must not become predictable.
                guard getentropy(bytes.baseAddress! + start, Self.entropyBytesMax) == 0 else {
                    fatalError("the kernel gives no random numbers")
                }
            }
        }
        left = Self.capacity
    }
}
