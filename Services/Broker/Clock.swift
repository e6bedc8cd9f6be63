import Glibc
import Majordomo

enum Clock {
    static func now() -> Instant {
        Instant(monotonicMs: read(CLOCK_MONOTONIC), unixMs: read(CLOCK_REALTIME))
    }

    static func unixMicroseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
