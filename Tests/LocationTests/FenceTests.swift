import Bus
import Contracts
import Dispatch
import LocationService
import Primitives
import TestKit
import Testing

@Suite("001-3: fences")
struct FenceTests {
    private let rules = FenceRules()
    private func second(_ number: Int) -> Timestamp { ManualClock.start + .seconds(number) }

    /// What a track of distances means, a fix a second.
    private func events(_ metres: [Double], every seconds: Int = 1) -> [FenceEvent] {
        var visit: Visit?
        return metres.enumerated().compactMap { number, metres in
            rules.step(&visit, metres: metres, at: second(number * seconds))
        }
    }

    @Test("one enters at 100 m, inclusive, and leaves beyond 150 m, confirmed, or beyond 300 m at once")
    func edges() {
        #expect(events([101, 100.0.nextUp]) == [])
        #expect(events([100]) == [.entered])
        #expect(events([100, 150, 101, 150, 99]) == [.entered])
        #expect(events([0, 151]) == [.entered])
        #expect(events([0, 151, 151]) == [.entered, .exited(second(1))])
        #expect(events([0, 151, 149, 151]) == [.entered])
        #expect(events([0, 301]) == [.entered, .exited(second(1))])
        #expect(events([0, 200, 5000]) == [.entered, .exited(second(1))])
        #expect(events([0, 301, 300, 101, 100]) == [.entered, .exited(second(1)), .entered])
    }

    @Test("a stay is told of once a visit, when a fix shows it")
    func dwell() {
        #expect(
            events([0, 120, 10, 20, 0, 0, 0, 0, 0, 0, 400], every: 60) == [.entered, .dwelled, .exited(second(600))])
        #expect(events([0, 0, 0, 0, 400], every: 60) == [.entered, .exited(second(240))])
        // One fix outside does not interrupt it; a stay is not told of from outside.
        #expect(events([0, 0, 0, 0, 0, 160, 20], every: 60) == [.entered, .dwelled])
        #expect(events([0, 0, 0, 0, 0, 160, 160], every: 60) == [.entered, .exited(second(300))])
    }

    @Test(
        "a noisy track along the edge, or across it and back, gives at most one enter and one exit", arguments: 0..<50)
    func noise(round: Int) {
        var random = SplitMix64.seeded("noisy track \(round)")
        // Along the edge for ten minutes; the middle of the track wanders a little, fixes are up to 20 m off.
        let along = (0..<600).map { step in
            100 + 10 * Double(step % 200) / 200 + Double.random(in: -20...20, using: &random)
        }
        #expect(events(along).filter { $0 != .dwelled }.count <= 1)
        // Towards the place, and away from it.
        let across = (0..<600).map { step in
            abs(Double(step) - 300) * 1.4 + Double.random(in: -20...20, using: &random)
        }
        let crossed = events(across).filter { $0 != .dwelled }
        #expect(crossed.count == 2)
        #expect(crossed.first == .entered)
        // Fixes that are 200 m off now and then, between houses, end nothing.
        let inside = (0..<300).map { step in step % 7 == 3 ? 200.0 : Double.random(in: 0...90, using: &random) }
        #expect(events(inside).filter { $0 != .dwelled } == [.entered])
    }

    @Test("facts tell it: who, where and when, in the order of the fixes, with the ask that led to it")
    func facts() async throws {
        let location = try await LocationHarness()
        try await location.put()
        try await location.share()
        let start = location.clock.now
        try await location.move(to: .square)
        location.clock.advance(.seconds(300))
        try await location.move(to: Coordinate.square.moved(north: 60))
        location.clock.advance(.seconds(5))
        try await location.move(to: Coordinate.square.moved(north: 500))
        let facts = try await location.facts()
        #expect(facts.map(\.sequence) == [1, 2, 3])
        #expect(facts.allSatisfy { $0.correlationID == "walk-1" && $0.causationID == "ask-1" })
        #expect(
            try Location.FenceEntered(json: facts[0].data)
                == .init(customer: .alice, merchant: .cafe, place: .first, time: start))
        #expect(
            try Location.FenceDwelled(json: facts[1].data)
                == .init(
                    customer: .alice, merchant: .cafe, place: .first, entered: start, time: start + .seconds(300)))
        #expect(
            try Location.FenceExited(json: facts[2].data)
                == .init(
                    customer: .alice, merchant: .cafe, place: .first, entered: start, reason: .left,
                    time: start + .seconds(305)))
        #expect(location.announcements.count == 3)
        // No coordinate is in any of them.
        for fact in facts { #expect(!String(decoding: fact.json, as: UTF8.self).contains("itude")) }
    }

    @Test("late fixes change nothing: what counts is the order of their times, not of their coming")
    func late() async throws {
        var random = SplitMix64.seeded()
        // A walk past the place, its fixes shuffled within twenty seconds.
        let walk = (0..<600).map { step in
            (time: second(step), point: Coordinate.square.moved(north: (Double(step) - 300) * 1.4, east: 10))
        }
        let arrivals = walk.map { ($0.time + .milliseconds(Int64.random(in: 0...20_000, using: &random)), $0) }
            .sorted { $0.0 < $1.0 }
        let location = try await LocationHarness()
        try await location.put()
        try await location.share(.alice)
        for (arrival, fix) in arrivals {
            location.clock.set(max(arrival, location.clock.now))
            try await location.move(to: fix.point, at: fix.time)
        }
        #expect(try await location.published() == ["entered", "exited left"])
        let times = try await location.facts().map { fact in
            fact.type == Location.FenceEntered.type.name
                ? try Location.FenceEntered(json: fact.data).time : try Location.FenceExited(json: fact.data).time
        }
        #expect(times == times.sorted())
    }

    @Test("a visit ends when its position is forgotten: by time, by opting out, by being asked to")
    func forgotten() async throws {
        let location = try await LocationHarness()
        try await location.put()
        try await location.share()
        try await location.move(to: .square)
        let seen = location.clock.now
        location.clock.advance(.seconds(1000))
        for _ in 0..<30 { try await location.service.sweep() }
        var exits = try await location.facts().dropFirst().map { try Location.FenceExited(json: $0.data) }
        #expect(exits.map(\.reason) == [.forgotten])
        #expect(exits.map(\.time) == [seen + .seconds(900)])
        // Nothing tells of a time before that, even if it comes from then.
        try await location.move(to: .square, at: seen + .seconds(890))
        #expect(try Location.FenceEntered(json: try await location.facts()[2].data).time == seen + .seconds(900))
        try await location.share(.alice, false)
        try await location.share()
        try await location.move(to: .square)
        #expect(try await location.forget())
        exits = try await location.facts().filter { $0.type == Location.FenceExited.type.name }.map {
            try Location.FenceExited(json: $0.data)
        }
        #expect(exits.map(\.reason) == [.forgotten, .forgotten, .forgotten])
        #expect(try await location.published().count == 6)
    }

    @Test("who was not heard of for longer than a position is kept has been away, though nobody swept")
    func lapsed() async throws {
        let location = try await LocationHarness()
        try await location.put()
        try await location.share()
        let start = location.clock.now
        try await location.move(to: .square)
        location.clock.advance(.seconds(901))
        try await location.move(to: .square)
        #expect(try await location.published() == ["entered", "exited forgotten", "entered"])
        let exit = try Location.FenceExited(json: try await location.facts()[1].data)
        #expect(exit.time == start + .seconds(900))
    }

    @Test("a place that is removed or moved ends its visits; a new name does not")
    func placeGone() async throws {
        let location = try await LocationHarness()
        try await location.put()
        try await location.share()
        try await location.move(to: .square)
        try await location.put(name: "Café Two")
        #expect(try await location.published() == ["entered"])
        try await location.put(at: Coordinate.square.moved(north: 400))
        #expect(try await location.published() == ["entered", "exited removed"])
        try await location.put()
        location.clock.advance(.seconds(1))
        try await location.move(to: .square)
        #expect(try await location.remove())
        #expect(try await location.published() == ["entered", "exited removed", "entered", "exited removed"])
        location.clock.advance(.seconds(1))
        try await location.move(to: .square)
        #expect(try await location.published().count == 4)
    }

    @Test("an answer is given after the fact is written; what could not be written is told later, in order")
    func trouble() async throws {
        let location = try await LocationHarness()
        try await location.put()
        try await location.share()
        location.store.breakDown(true)
        #expect(await refusal { () throws(Fault) in try await location.move(to: .square) } == .unavailable)
        location.clock.advance(.seconds(1))
        let far = Coordinate.square.moved(north: 1000)
        #expect(await refusal { () throws(Fault) in try await location.move(to: far) } == .unavailable)
        #expect(try await location.published() == [])
        location.store.breakDown(false)
        try await location.service.sweep()
        #expect(try await location.published() == ["entered", "exited left"])
    }

    @Test("an answer waits for what another call has taken to tell and has not written yet")
    func takenByAnother() async throws {
        let location = try await LocationHarness(.file)
        try await location.put()
        try await location.share()
        try await location.move(to: .square)
        let released = DispatchSemaphore(value: 0)
        location.store.holdNext(until: released)
        let before = location.store.tells.count
        async let first = location.forget()
        while location.store.holds.count == 0 { await Task.yield() }
        let answers = Counter()
        async let second = {
            // It has nothing to tell of its own: what there was to forget is forgotten.
            let forgotten = try await location.forget()
            answers.add()
            return forgotten
        }()
        while location.store.tells.count < before + 2, answers.count == 0 { await Task.yield() }
        #expect(answers.count == 0)
        released.signal()
        #expect(try await (first, second) == (true, false))
        #expect(try await location.published() == ["entered", "exited forgotten"])
    }

    /// What a subscriber would make of the facts must agree with what is so, whatever happened.
    @Test("of a random crowd, visits are told of from enter to exit, each in order, and times never go back")
    func crowd() async throws {
        var random = SplitMix64.seeded()
        var rules = LocationRules()
        rules.timeToLive = .seconds(60)
        rules.fence.dwell = .seconds(20)
        let location = try await LocationHarness(rules: rules)
        let customers = (0..<12).map { PartyID(high: 7, low: $0) }
        let places = (0..<5).map { PlaceID(high: 8, low: $0) }
        func somewhere() -> Coordinate {
            Coordinate.square.moved(
                north: Double.random(in: -250...250, using: &random),
                east: Double.random(in: -250...250, using: &random))
        }
        for _ in 0..<3000 {
            location.clock.advance(.milliseconds(Int64.random(in: 0...1500, using: &random)))
            let customer = customers.randomElement(using: &random)!
            let place = places.randomElement(using: &random)!
            switch random.next() % 40 {
            case 0, 1: try await location.share(customer)
            case 2: try await location.share(customer, false)
            case 3: _ = try await location.forget(customer)
            case 4, 5: try await location.put(place, at: somewhere())
            case 6: _ = try await location.remove(place)
            case 7:
                // One that finds the disk in trouble.
                location.store.breakDown(true)
                _ = try? await location.move(customer, to: somewhere())
                location.store.breakDown(false)
            case 8: try? await location.service.sweep()
            default:
                let late = Int64.random(in: 0...20_000, using: &random) * Int64(random.next() % 2)
                _ = try? await location.move(customer, to: somewhere(), at: location.clock.now - .milliseconds(late))
            }
        }
        try await location.service.sweep()
        try await check(location)
    }

    private func check(_ location: LocationHarness) async throws {
        struct At: Hashable {
            let customer: PartyID
            let place: PlaceID
        }
        var open: [At: Timestamp] = [:]
        var latest: [PartyID: Timestamp] = [:]
        var after: Int64 = 0
        var count = 0
        while true {
            let page = try await location.store.read(after: after, limit: 1000).facts
            if page.isEmpty { break }
            for bytes in page {
                let fact = try Envelope(json: bytes.bytes)
                after += 1
                count += 1
                #expect(fact.sequence == after)
                func follows(_ customer: PartyID, _ time: Timestamp) {
                    #expect(time >= latest[customer] ?? time)
                    latest[customer] = time
                }
                switch fact.type {
                case Location.FenceEntered.type.name:
                    let entered = try Location.FenceEntered(json: fact.data)
                    let at = At(customer: entered.customer, place: entered.place)
                    #expect(open.updateValue(entered.time, forKey: at) == nil)
                    follows(entered.customer, entered.time)
                case Location.FenceDwelled.type.name:
                    let dwelled = try Location.FenceDwelled(json: fact.data)
                    #expect(open[At(customer: dwelled.customer, place: dwelled.place)] != nil)
                    follows(dwelled.customer, dwelled.time)
                default:
                    let exited = try Location.FenceExited(json: fact.data)
                    #expect(open.removeValue(forKey: At(customer: exited.customer, place: exited.place)) != nil)
                    follows(exited.customer, exited.time)
                }
            }
        }
        #expect(count > 100)
        let visits = location.service.figures.first { $0.name == "visits" }?.value
        #expect(visits == open.count)
        #expect(try await location.store.load().visits.count == open.count)
    }
}
