import Contracts
import NotificationsService
import Primitives
import Testing

@Suite("how often and how long")
struct DeliveryRulesTests {
    private let rules = DeliveryRules()
    private let now = NoticesHarness.start

    private func settle(_ attempt: DeliveryRules.Attempt, _ attempts: Int64 = 1, expires: Duration = .seconds(86_400))
        -> DeliveryRules.Settlement
    {
        rules.settle(attempt, attempts: attempts, expires: now + expires, at: now, random: 0)
    }

    @Test("pauses double up to a ceiling, and each is anything from nothing to that")
    func backOff() {
        for attempts in 1...40 {
            let most = min(Double(5000) * Double(1 << min(attempts - 1, 40)), 6 * 3600 * 1000)
            let longest =
                (0..<200).map { rules.pause(after: Int64(attempts), random: UInt64($0) &* 0x9E37_79B9_7F4A_7C15) }
                .max() ?? .zero
            #expect(longest <= .milliseconds(Int64(most)))
            #expect(longest > .milliseconds(Int64(most / 2)))
            #expect(rules.pause(after: Int64(attempts), random: 0) == .zero)
        }
    }

    @Test("a failure is tried again, not before the time that the receiver asks for")
    func again() {
        #expect(settle(.failed("HTTP 500")) == .again(at: now, reason: "HTTP 500"))
        #expect(
            settle(.failed("HTTP 429", retryAfter: .seconds(60))) == .again(at: now + .seconds(60), reason: "HTTP 429"))
    }

    @Test("attempts, time, refusals and ends of registrations each end it")
    func ends() {
        #expect(settle(.failed("timeout"), rules.attemptsMax) == .dead(reason: "timeout"))
        #expect(settle(.failed("x", retryAfter: .seconds(60)), expires: .seconds(60)) == .dead(reason: "x"))
        #expect(settle(.refused("HTTP 400")) == .dead(reason: "HTTP 400"))
        #expect(settle(.gone("HTTP 410")) == .gone(reason: "HTTP 410"))
        #expect(settle(.delivered(simulated: "{}")) == .delivered(simulated: "{}"))
    }
}

@Suite("which is next")
struct DeliveryQueueTests {
    private let now = NoticesHarness.start

    private func queue(circuitFailures: Int = 3) -> DeliveryQueue {
        var rules = DeliveryRules()
        rules.circuitFailures = circuitFailures
        (rules.inFlightMax, rules.inFlightFailingMax) = (4, 1)
        return DeliveryQueue(rules)
    }

    private func queued(_ id: UInt64, lane: UInt64, on medium: Medium = .hook, after: Int64 = 0) -> Queued {
        Queued(id: .test(id), lane: .test(lane), medium: medium, due: now + .seconds(after))
    }

    private func all(_ queue: inout DeliveryQueue) -> [Queued] {
        var taken: [Queued] = []
        while let one = queue.next(at: now) { taken.append(one) }
        return taken
    }

    @Test("of one endpoint one at a time, in order; others go on beside it")
    func lanes() {
        var queue = self.queue()
        for one in [queued(1, lane: 1), queued(2, lane: 1), queued(3, lane: 2), queued(4, lane: 3, after: 10)] {
            queue.add(one)
        }
        let first = [queue.next(at: now)?.id, queue.next(at: now)?.id, queue.next(at: now)?.id]
        #expect(Set(first) == [.test(1), .test(3), nil])
        #expect(queue.inFlight == 2 && queue.waitingCount == 2)
        queue.succeeded(.test(1))
        #expect(queue.next(at: now)?.id == .test(2))
        #expect(queue.nextDue == now + .seconds(10))
        #expect(queue.next(at: now + .seconds(10))?.id == .test(4))
    }

    @Test("what failed comes again when it is due; what waits behind it does not wait for it")
    func failing() throws {
        var queue = self.queue()
        queue.add(queued(1, lane: 1))
        queue.add(queued(2, lane: 1))
        let taken = queue.next(at: now)
        let first = try #require(taken)
        queue.failed(first, at: now, again: now + .seconds(5))
        #expect(queue.next(at: now)?.id == .test(2))
        queue.succeeded(.test(1))
        #expect(queue.next(at: now) == nil)
        #expect(queue.next(at: now + .seconds(5))?.id == .test(1))
    }

    @Test("after failures in a row all of an endpoint waits for its probe, and nobody else's")
    func circuit() throws {
        var queue = self.queue()
        for id in 1...5 { queue.add(queued(UInt64(id), lane: 1)) }
        for _ in 0..<3 {
            let taken = queue.next(at: now)
            let one = try #require(taken)
            queue.failed(one, at: now, again: now + .seconds(60))
        }
        #expect(queue.next(at: now + .seconds(59)) == nil)
        queue.add(queued(9, lane: 2))
        #expect(queue.next(at: now)?.id == .test(9))
        #expect(queue.next(at: now + .seconds(60)) != nil)
        // The probe's success opens it for all.
        queue.succeeded(.test(1))
        #expect(queue.next(at: now + .seconds(60)) != nil)
    }

    @Test(
        "a delivery that is postponed leaves its endpoint's failures as they are; one that ended lets them be forgotten"
    )
    func postponed() throws {
        var queue = self.queue(circuitFailures: 2)
        func taken(at time: Timestamp) throws -> Queued {
            let taken = queue.next(at: time)
            return try #require(taken)
        }
        queue.add(queued(1, lane: 1))
        queue.failed(try taken(at: now), at: now, again: now)
        queue.postponed(try taken(at: now), until: now)
        queue.failed(try taken(at: now), at: now, again: now + .seconds(60))
        queue.add(queued(2, lane: 1))
        #expect(queue.next(at: now + .seconds(59)) == nil)
        for _ in 1...2 {
            _ = try taken(at: now + .seconds(60))
            queue.left(.test(1))
        }
        queue.add(queued(3, lane: 1))
        #expect(queue.next(at: now)?.id == .test(3))
    }

    @Test("an endpoint that is removed takes what waits with it")
    func removal() {
        var queue = self.queue()
        queue.add(queued(1, lane: 1))
        queue.add(queued(2, lane: 1))
        _ = queue.next(at: now)
        queue.removeLane(.test(1))
        queue.left(.test(1))
        #expect(queue.next(at: now + .seconds(1000)) == nil && queue.waitingCount == 0 && queue.inFlight == 0)
    }

    @Test("thousands of lanes come in the order of their times")
    func order() {
        var queue = self.queue()
        let dues = (0..<2000).map { Int64($0 * 7919 % 2000) }
        for (number, due) in dues.enumerated() { queue.add(queued(UInt64(number), lane: UInt64(number), after: due)) }
        var last = now
        for _ in dues {
            guard let one = queue.next(at: now + .seconds(5000)) else { return #expect(Bool(false)) }
            #expect(one.due >= last)
            last = one.due
            queue.left(one.lane)
        }
        #expect(queue.next(at: now + .seconds(5000)) == nil)
    }

    @Test("a medium whose places are taken delays no other; who has failed has places apart from those who answer")
    func places() {
        var queue = self.queue()
        for id in 1...6 { queue.add(queued(UInt64(id), lane: UInt64(id))) }
        queue.add(queued(11, lane: 11, on: .website))
        let first = all(&queue)
        #expect(first.map(\.medium).filter { $0 == .hook }.count == 4 && first.contains { $0.id == .test(11) })
        #expect(queue.nextDue == nil)
        // Two of four fail: one of them may be tried again, beside the two that have not been tried yet.
        let hooks = first.filter { $0.medium == .hook }
        for one in hooks.prefix(2) { queue.failed(one, at: now, again: now) }
        let second = all(&queue)
        #expect(second.count == 3 && second.filter { hooks.prefix(2).map(\.id).contains($0.id) }.count == 1)
        #expect(queue.inFlight == 6 && queue.waitingCount == 1)
    }
}
