import CSodium
import Primitives
import Synchronization

/// Random bytes of the operating system's generator, drawn 4 KiB at a time: a system call per identifier costs more
/// than the rest of its making.
package final class Randomness: Sendable {
    package static let shared = Randomness()

    private struct Pool {
        var words = [UInt64](repeating: 0, count: 512)
        var used = 512
    }
    private let pool = Mutex(Pool())

    package init() {
        // Safe to repeat and thread-safe; chooses the machine's fastest implementations.
        _ = sodium_init()
    }

    package func pair() -> (UInt64, UInt64) {
        pool.withLock { pool in
            if pool.used + 2 > pool.words.count {
                pool.words.withUnsafeMutableBytes { randombytes_buf($0.baseAddress!, $0.count) }
                pool.used = 0
            }
            defer { pool.used += 2 }
            let pair = (pool.words[pool.used], pool.words[pool.used + 1])
            // What has been given out is not kept: it may be part of a secret.
            pool.words[pool.used] = 0
            pool.words[pool.used + 1] = 0
            return pair
        }
    }

    /// A new identifier that sorts by its time.
    package func identifier<Subject>(at time: Timestamp) -> Identifier<Subject> {
        Identifier(at: time, random: pair())
    }

    /// Bytes for a key or a token, straight from the operating system.
    package func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            randombytes_buf(buffer.baseAddress!, count)
            filled = count
        }
    }
}
