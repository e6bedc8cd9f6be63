import AuthService
import Contracts
import Primitives
import Sodium
import TestKit
import Testing

@Suite("Hash pool")
struct HashPoolTests {
    static let password = Secret(password: .right)

    static func pool(_ limits: HashPool.Limits, _ clock: ManualClock) throws -> HashPool {
        try HashPool(
            PasswordHash(pepper: [UInt8](repeating: 1, count: 32), cost: .cheapest), limits: limits, clock: clock.wall)
    }

    @Test("many at once all get theirs")
    func many() async throws {
        let clock = ManualClock()
        let pool = try Self.pool(.init(threads: 2, waitingMax: 100), clock)
        let deadline = clock.now + .seconds(1)
        let hash = try await pool.hash(Self.password, of: .alice, before: deadline)
        let right = try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<100 {
                let secret = index.isMultiple(of: 2) ? Self.password : Secret(password: .wrong)
                group.addTask { try await pool.verify(secret, of: .alice, against: hash, before: deadline) }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(right == 50)
    }

    @Test("a hash is its account's and its purpose's")
    func bound() async throws {
        let clock = ManualClock()
        let pool = try Self.pool(.init(threads: 1), clock)
        let deadline = clock.now + .seconds(1)
        let pin = try #require(Secret(pin: "1234"))
        let hash = try await pool.hash(pin, of: .alice, before: deadline)
        #expect(try await pool.verify(pin, of: .alice, against: hash, before: deadline))
        #expect(try await !pool.verify(pin, of: .bob, against: hash, before: deadline))
        let password = Secret(password: "1234")
        #expect(try await !pool.verify(password, of: .alice, against: hash, before: deadline))
    }

    @Test("a hash that cannot be read is trouble, not a wrong secret")
    func trouble() async throws {
        let clock = ManualClock()
        let pool = try Self.pool(.init(threads: 1), clock)
        await #expect(throws: Fault(.unavailable)) {
            try await pool.verify(Self.password, of: .alice, against: "?", before: clock.now + .seconds(1))
        }
    }

    @Test("a full queue says busy, at once")
    func full() async throws {
        let clock = ManualClock()
        // Nobody works: what is taken waits until the pool stops.
        let pool = try Self.pool(.init(threads: 0, waitingMax: 2), clock)
        let deadline = clock.now + .seconds(1)
        let faults = await withTaskGroup(of: FaultCode?.self) { group in
            for _ in 0..<5 {
                group.addTask {
                    await fault { () throws(Fault) in
                        try await pool.hash(Self.password, of: .alice, before: deadline)
                    }?.code
                }
            }
            var faults: [FaultCode?] = []
            for _ in 0..<3 { if let fault = await group.next() { faults.append(fault) } }
            #expect(throws: Fault(.busy, retryAfterSeconds: 1)) { try pool.admit(.password) }
            pool.stop()
            for await fault in group { faults.append(fault) }
            return faults
        }
        #expect(faults == Array(repeating: .busy, count: 5))
    }

    @Test("passwords without end keep no PIN waiting: it has places of its own, and goes first")
    func pinsFirst() async throws {
        let clock = ManualClock()
        let idle = try Self.pool(.init(threads: 0, waitingMax: 1), clock)
        let deadline = clock.now + .seconds(1)
        async let waiting = fault { () throws(Fault) in
            try await idle.hash(Self.password, of: .alice, before: deadline)
        }
        while (try? idle.admit(.password)) != nil { await Task.yield() }
        try idle.admit(.pin)
        idle.stop()
        #expect(await waiting?.code == .busy)

        var line = HashLine<Int>()
        for job in [1, 2] { line.append(job, .password) }
        for job in [3, 4] { line.append(job, .pin) }
        #expect((line.count(.password), line.count(.pin)) == (2, 2))
        #expect((1...5).map { _ in line.next() } == [3, 4, 1, 2, nil])
    }

    @Test("what waited too long is not hashed")
    func late() async throws {
        let clock = ManualClock()
        let pool = try Self.pool(.init(threads: 1, waitingMax: 2), clock)
        await #expect(throws: Fault(.deadlineExceeded)) {
            try await pool.hash(Self.password, of: .alice, before: clock.now)
        }
    }

    @Test("a dead pool says busy, and nothing is counted", arguments: StoreKind.allCases)
    func dead(kind: StoreKind) async throws {
        let auth = try AuthHarness(kind)
        let session = try await auth.aliceWithPIN()
        auth.hasher.pool.stop()
        #expect(await fault { () throws(Fault) in try await auth.logIn() }?.code == .busy)
        #expect(await fault { () throws(Fault) in try await auth.verifyPIN("1234", session) }?.code == .busy)
        #expect(await fault { () throws(Fault) in try await auth.setPIN() }?.code == .busy)
        #expect(
            await fault { () throws(Fault) in try await auth.register(.bob, username: "bob") }?.code == .busy)
        #expect(try await auth.number("SELECT count(*) FROM logins") == 0)
        #expect(try await auth.number("SELECT failures FROM pins") == 0)
    }

    @Test("a try that fell out of the queue is given back", arguments: StoreKind.allCases)
    func refund(kind: StoreKind) async throws {
        let auth = try AuthHarness(kind)
        let session = try await auth.aliceWithPIN()
        for _ in 0..<4 { _ = await fault { () throws(Fault) in try await auth.verifyPIN("0000", session) } }
        _ = await fault { () throws(Fault) in try await auth.logIn("alice", .wrong) }
        auth.hasher.onVerify { () throws(Fault) in throw Fault(.deadlineExceeded) }
        for _ in 0..<20 {
            #expect(
                await fault { () throws(Fault) in try await auth.verifyPIN("1234", session) }?.code
                    == .deadlineExceeded)
            #expect(await fault { () throws(Fault) in try await auth.logIn() }?.code == .deadlineExceeded)
        }
        #expect(try await auth.number("SELECT failures FROM pins") == 4)
        #expect(try await auth.number("SELECT failures FROM logins") == 1)
        auth.hasher.onVerify(nil)
        try await auth.verifyPIN("1234", session)
    }
}
