import Bus
import BusZMQ
import Contracts
import Testing

@Suite("Asks that wait for their answer")
struct PendingAsksTests {
    private func isRefused(_ answer: TransportAnswer?, _ code: FaultCode) -> Bool {
        if case .refused(code) = answer { true } else { false }
    }

    /// Runs `body` with a continuation to hand in, and returns what it was resumed with.
    private func waiting(_ body: (PendingAsks.Waiter) -> Void) async -> TransportAnswer {
        await withUnsafeContinuation(isolation: nil) { body(.task($0)) }
    }

    @Test("an answer reaches who waits, once")
    func answered() async throws {
        let pending = Table()
        let tag = try #require(pending.reserve(deadline: 100))
        #expect(pending.count == 1)
        let answer = await waiting { waiter in
            #expect(pending.wait(tag, waiter) == nil)
            pending.end(tag)?.resume(returning: .envelope([1]))
            #expect(pending.end(tag) == nil)
        }
        guard case .envelope([1]) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(pending.count == 0)
    }

    @Test("a place is used again under another tag, and a late answer to the former does not reach the next")
    func generations() async throws {
        let pending = Table()
        var tags: Set<UInt64> = []
        for _ in 0..<1000 {
            let tag = try #require(pending.reserve(deadline: 100))
            #expect(tag & 0xFFFF_FFFF == 0)
            let answer = await waiting { waiter in
                #expect(pending.wait(tag, waiter) == nil)
                for old in tags.suffix(3) { #expect(pending.end(old) == nil) }
                pending.end(tag)?.resume(returning: .refused(.workerLost))
            }
            #expect(isRefused(answer, .workerLost))
            #expect(tags.insert(tag).inserted)
        }
    }

    @Test("tags that were never given out end nothing")
    func unknownTags() throws {
        let pending = Table()
        let tag = try #require(pending.reserve(deadline: 100))
        for other in [tag ^ 1, tag ^ 1 << 32, UInt64.max, 1 << 63, 0xFFFF_FFFF] {
            #expect(pending.end(other, early: .refused(.cancelled)) == nil)
        }
        #expect(pending.count == 1)
    }

    @Test("a cancellation before the wait is what the wait gets")
    func cancelledEarly() async throws {
        let pending = Table()
        let tag = try #require(pending.reserve(deadline: 100))
        #expect(pending.end(tag, early: .refused(.cancelled)) == nil)
        let answer = await waiting { waiter in
            let early = pending.wait(tag, waiter)
            #expect(isRefused(early, .cancelled))
            waiter.resume(returning: early ?? .envelope([]))
        }
        #expect(isRefused(answer, .cancelled))
        #expect(pending.count == 0)
        // The place is free again, and the tag spent.
        #expect(pending.end(tag) == nil)
        #expect(try #require(pending.reserve(deadline: 1)) != tag)
    }

    @Test("those whose time is up are given back, and only those")
    func expiry() async throws {
        let pending = Table()
        let late = try #require(pending.reserve(deadline: 10))
        let early = try #require(pending.reserve(deadline: 20))
        // Reserved and not waiting yet: it cannot expire before there is anyone to tell.
        _ = try #require(pending.reserve(deadline: 5))
        let answer = await waiting { waiter in
            #expect(pending.wait(late, waiter) == nil)
            #expect(pending.expired(at: 9).isEmpty)
            for waiter in pending.expired(at: 10) { waiter.resume(returning: .refused(.outcomeUnknown)) }
        }
        #expect(isRefused(answer, .outcomeUnknown))
        #expect(pending.end(late) == nil)
        #expect(pending.count == 2)
        let answered = await waiting { waiter in
            #expect(pending.wait(early, waiter) == nil)
            #expect(pending.expired(at: 19).isEmpty)
            pending.end(early)?.resume(returning: .envelope([]))
        }
        guard case .envelope = answered else {
            Issue.record("\(answered)")
            return
        }
    }

    @Test("when the broker is gone all who wait are given back; who does not wait yet goes on")
    func removeAll() async throws {
        let pending = Table()
        let waits = try #require(pending.reserve(deadline: 10))
        let reserved = try #require(pending.reserve(deadline: 10))
        let answer = await waiting { waiter in
            #expect(pending.wait(waits, waiter) == nil)
            let removed = pending.removeAll()
            #expect(removed.count == 1)
            for waiter in removed { waiter.resume(returning: .refused(.workerLost)) }
        }
        #expect(isRefused(answer, .workerLost))
        #expect(pending.removeAll().isEmpty)
        #expect(pending.count == 1)
        let answered = await waiting { waiter in
            #expect(pending.wait(reserved, waiter) == nil)
            pending.end(reserved)?.resume(returning: .envelope([]))
        }
        guard case .envelope = answered else {
            Issue.record("\(answered)")
            return
        }
    }

    @Test("of a lost connection are those that were made before it was lost")
    func removeLost() async throws {
        let pending = Table()
        let before = try #require(pending.reserve(deadline: 10))
        let answer = await waiting { waiter in
            #expect(pending.wait(before, waiter) == nil)
            #expect(pending.removeLost().isEmpty)
            pending.connectionLost()
            #expect(pending.waits(before))
            for waiter in pending.removeLost() { waiter.resume(returning: .refused(.workerLost)) }
        }
        #expect(isRefused(answer, .workerLost))
        #expect(!pending.waits(before))
        let after = try #require(pending.reserve(deadline: 10))
        let answered = await waiting { waiter in
            #expect(pending.wait(after, waiter) == nil)
            #expect(pending.removeLost().isEmpty)
            pending.end(after)?.resume(returning: .envelope([]))
        }
        #expect(!isRefused(answered, .workerLost))
    }

    @Test("there is a bound, and ended asks make room")
    func bound() throws {
        let pending = Table()
        var tags: Set<UInt64> = []
        for _ in 0..<PendingAsks.countMax { tags.insert(try #require(pending.reserve(deadline: 1))) }
        #expect(tags.count == PendingAsks.countMax)
        #expect(pending.reserve(deadline: 1) == nil)
        #expect(pending.count == PendingAsks.countMax)
    }
}

/// By reference: `#expect` cannot call what changes a value.
private final class Table {
    private var asks = PendingAsks()

    var count: Int { asks.count }
    func reserve(deadline: UInt64) -> UInt64? { asks.reserve(deadline: deadline) }
    func wait(_ tag: UInt64, _ waiter: PendingAsks.Waiter) -> TransportAnswer? { asks.wait(tag, waiter) }
    func end(_ tag: UInt64, early: TransportAnswer? = nil) -> PendingAsks.Waiter? { asks.end(tag, early: early) }
    func expired(at now: UInt64) -> [PendingAsks.Waiter] { asks.expired(at: now) }
    func removeAll() -> [PendingAsks.Waiter] { asks.removeAll() }
    func connectionLost() { asks.connectionLost() }
    func removeLost() -> [PendingAsks.Waiter] { asks.removeLost() }
    func waits(_ tag: UInt64) -> Bool { asks.waits(tag) }
}
