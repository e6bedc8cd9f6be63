import Bus
import Contracts
import Foundation
import Primitives
import Sodium
import Synchronization

/// Hashes on threads of its own, a bounded number at a time with a bounded queue before them.
///
/// A hash holds a core for some 37 ms: on the reactor it would stop the bus, in Swift's pool (as many threads as
/// cores) all else. Stops when released.
package final class HashPool: SecretHashing {
    package struct Limits: Sendable {
        /// Hashes computed at once. One core less than there are, so that a flood of log-ins leaves one for the rest.
        package var threads: Int
        /// Hashes of PINs, and as many of passwords, that may wait. Beyond: `auth.busy`.
        package var waitingMax: Int

        package init(
            threads: Int = max(1, ProcessInfo.processInfo.activeProcessorCount - 1), waitingMax: Int = 64
        ) {
            self.threads = threads
            self.waitingMax = waitingMax
        }
    }

    private struct Job {
        let deadline: Timestamp
        let run: @Sendable () -> Void
        let refuse: @Sendable (Fault) -> Void
    }

    /// What the pool shares with its threads, which must not keep the pool itself alive.
    private final class Work: Sendable {
        struct State {
            var line = HashLine<Job>()
            var stopped = false
        }
        let state = Mutex(State())
        /// Signalled once for each job and, at the end, once for each thread.
        let arrivals = DispatchSemaphore(value: 0)
    }

    package let decoy: String
    private let passwordHash: PasswordHash
    private let limits: Limits
    private let work = Work()

    /// Computes one hash (the decoy) before it returns.
    ///
    /// - Throws: `PasswordHash.HashError` where not even one hash can be computed.
    package init(
        _ passwordHash: PasswordHash, limits: Limits = Limits(), clock: WallClock
    ) throws(PasswordHash.HashError) {
        self.passwordHash = passwordHash
        self.limits = limits
        decoy = try passwordHash.hash(Randomness.shared.bytes(32), context: [])
        for number in 0..<limits.threads {
            let thread = Thread { [work] in Self.work(work, clock) }
            thread.name = "hash-\(number)"
            thread.start()
        }
    }

    deinit { stop() }

    /// Refuses all that waits and all that comes; a hash that is being computed is finished.
    package func stop() {
        let waiting = work.state.withLock { state in
            state.stopped = true
            return state.line.takeAll()
        }
        for job in waiting { job.refuse(Fault(.busy)) }
        for _ in 0..<limits.threads { work.arrivals.signal() }
    }

    package func admit(_ kind: Secret.Kind) throws(Fault) {
        let full = work.state.withLock { $0.stopped || $0.line.count(kind) >= limits.waitingMax }
        if full { throw Fault(.busy, retryAfterSeconds: 1) }
    }

    package func hash(_ secret: Secret, of owner: PartyID, before deadline: Timestamp) async throws(Fault) -> String {
        try await run(secret.kind, before: deadline) { [passwordHash] in
            try passwordHash.hash(secret.bytes, context: secret.context(of: owner))
        }
    }

    package func verify(
        _ secret: Secret, of owner: PartyID, against hash: String, before deadline: Timestamp
    ) async throws(Fault) -> Bool {
        try await run(secret.kind, before: deadline) { [passwordHash] in
            try passwordHash.verify(secret.bytes, context: secret.context(of: owner), against: hash)
        }
    }

    package func needsRehash(_ hash: String) -> Bool { passwordHash.needsRehash(hash) ?? false }

    private func run<Value: Sendable>(
        _ kind: Secret.Kind, before deadline: Timestamp, _ body: @escaping @Sendable () throws -> Value
    ) async throws(Fault) -> Value {
        let result: Result<Value, Fault> = await withCheckedContinuation { continuation in
            let job = Job(
                deadline: deadline,
                run: {
                    do { continuation.resume(returning: .success(try body())) } catch {
                        continuation.resume(returning: .failure(Fault(.unavailable)))
                    }
                },
                refuse: { continuation.resume(returning: .failure($0)) })
            let taken = work.state.withLock { state in
                guard !state.stopped, state.line.count(kind) < limits.waitingMax else { return false }
                state.line.append(job, kind)
                return true
            }
            if taken { work.arrivals.signal() } else { job.refuse(Fault(.busy, retryAfterSeconds: 1)) }
        }
        return try result.get()
    }

    private static func work(_ work: Work, _ clock: WallClock) {
        while true {
            work.arrivals.wait()
            let next = work.state.withLock { $0.line.next() }
            // Signalled without a job: the pool has stopped.
            guard let job = next else { return }
            if clock.now() < job.deadline { job.run() } else { job.refuse(Fault(.deadlineExceeded)) }
        }
    }
}
