import CLinux

/// Once messages take little again, what the allocator has kept of their memory goes back to the system.
struct FreedMemory {
    private static let worthGivingBack = 8 << 20

    /// The most that messages have taken since memory last went back.
    private var peakBytes = 0

    /// To be called often.
    ///
    /// - Parameter used: bytes that messages take now.
    mutating func giveBack(used: Int) {
        peakBytes = max(peakBytes, used)
        guard peakBytes > Self.worthGivingBack, used < peakBytes / 4 else { return }
        peakBytes = used
        malloc_trim(0)
    }
}
