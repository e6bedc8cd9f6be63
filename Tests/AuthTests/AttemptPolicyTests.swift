import AuthService
import Primitives
import Testing

@Suite("Wrong tries (A9)")
struct AttemptPolicyTests {
    static let now = Timestamp(milliseconds: 1_000_000)

    @Test(
        "what may be done",
        arguments: [
            // failures, next try in ms from now, locked, decision
            (0, nil, false, .check),
            (4, nil, false, .check),
            (5, 30_000, false, .wait(seconds: 30)),
            (5, 29_001, false, .wait(seconds: 30)),
            (5, 1, false, .wait(seconds: 1)),
            (5, 0, false, .check),
            (5, -1, false, .check),
            (9, -1, false, .check),
            (9, 480_000, false, .wait(seconds: 480)),
            // The tenth is still being checked: it may be right.
            (10, 960_000, false, .wait(seconds: 960)),
            // It never was settled.
            (10, -1, false, .locked),
            (11, nil, false, .locked),
            // Whatever the time says.
            (10, 960_000, true, .locked),
            (10, -1, true, .locked),
            (0, nil, true, .locked)
        ] as [(Int, Int64?, Bool, AttemptPolicy.Decision)])
    func decides(failures: Int, nextTryInMilliseconds: Int64?, locked: Bool, decision: AttemptPolicy.Decision) {
        let nextTry = nextTryInMilliseconds.map { Self.now + .milliseconds($0) }
        let attempts = Attempts(failures: failures, nextTry: nextTry, locked: locked)
        #expect(AttemptPolicy.pin.decide(attempts, at: Self.now) == decision)
    }

    @Test(
        "a try is counted, and from the fifth on delays the next: 30 s, doubling",
        arguments: [
            (0, nil), (1, nil), (3, nil), (4, 30), (5, 60), (6, 120), (7, 240), (8, 480), (9, 960), (10, 1920),
            (11, 3600), (12, 3600), (1_000_000, 3600)
        ] as [(Int, Int?)])
    func counts(failures: Int, delaySeconds: Int?) {
        let counted = AttemptPolicy.pin.counting(Attempts(failures: failures), at: Self.now)
        #expect(counted.failures == failures + 1)
        #expect(counted.nextTry == delaySeconds.map { Self.now + .seconds($0) })
        #expect(!counted.locked)
    }

    @Test("the tenth wrong one locks", arguments: [(1, false), (9, false), (10, true), (11, true)])
    func rejects(failures: Int, locks: Bool) {
        #expect(AttemptPolicy.pin.rejecting(Attempts(failures: failures)).locked == locks)
        #expect(AttemptPolicy.pin.rejecting(Attempts(failures: failures, locked: true)).locked)
    }

    @Test(
        "an unchecked try is given back",
        arguments: [
            // failures before, ticket, failures after, whether the wait stays
            (1, 1, 0, false),
            (5, 5, 4, false),
            (7, 7, 6, false),
            // Two more were counted after it: theirs is the wait.
            (7, 5, 6, true),
            (5, 3, 4, false),
            // A right one cleared the count in between.
            (0, 3, 0, false)
        ])
    func refunds(failures: Int, ticket: Int, left: Int, waits: Bool) {
        let attempts = Attempts(failures: failures, nextTry: failures >= 5 ? Self.now : nil)
        let refunded = AttemptPolicy.pin.refunding(attempts, ticket: ticket)
        #expect(refunded == Attempts(failures: left, nextTry: waits ? Self.now : nil))
    }

    @Test(
        "a wait is never longer than its rule, whatever the clock did; one that is not stays",
        arguments: [
            // failures, next try in ms from now before and after
            (5, 30_000, 30_000), (5, 30_001, 30_000), (5, 864_000_000, 30_000), (9, 864_000_000, 480_000),
            (9, 479_000, 479_000), (9, -1, -1), (100, 864_000_000, 3_600_000), (4, 864_000_000, nil), (0, nil, nil)
        ] as [(Int, Int64?, Int64?)])
    func bounded(failures: Int, before: Int64?, after: Int64?) {
        func attempts(_ milliseconds: Int64?) -> Attempts {
            Attempts(failures: failures, nextTry: milliseconds.map { Self.now + .milliseconds($0) })
        }
        #expect(AttemptPolicy.pin.bounded(attempts(before), at: Self.now) == attempts(after))
    }

    @Test("off means neither delay nor lock")
    func off() {
        var attempts = Attempts()
        for _ in 0..<100 {
            #expect(AttemptPolicy.off.decide(attempts, at: Self.now) == .check)
            attempts = AttemptPolicy.off.rejecting(AttemptPolicy.off.counting(attempts, at: Self.now))
        }
        #expect(attempts == Attempts(failures: 100))
    }

    @Test("passwords: ten for nothing, then up to a quarter of an hour, never a lock")
    func login() {
        let policy = AttemptPolicy.login
        #expect(policy.counting(Attempts(failures: 8), at: Self.now).nextTry == nil)
        #expect(policy.counting(Attempts(failures: 9), at: Self.now).nextTry == Self.now + .seconds(30))
        #expect(policy.counting(Attempts(failures: 99), at: Self.now).nextTry == Self.now + .seconds(900))
        #expect(!policy.rejecting(Attempts(failures: 1000)).locked)
    }
}
