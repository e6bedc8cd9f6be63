import Checks
import Load
import LoadReport
import Primitives
import Testing

/// Each way in which location may be wrong about walks is found by the check that is there for it, and named.
@Suite struct WalkChecksTests {
    private static let run: UInt32 = 7
    private static let start: Int64 = 1_795_000_000_000

    /// Three customers, each on six walks, one a second; the world's money beside them.
    private struct Walked {
        var world = World()
        var walks: WalkEvidence

        init() {
            let journal = world.evidence.journal
            let first = journal.count
            walks = WalkEvidence(run: run, walks: [])
            for number in 0..<18 {
                var intent = Intent()
                intent.kind = nil
                intent.card = UInt32(number % 3)
                intent.merchant = UInt32(number / 2 % 2)
                intent.outcome = .acknowledged
                journal.append(intent)
                let walk = WalkPool.Walk(
                    operation: first + number, customer: number % 3, start: start + Int64(number) * 1000)
                walks.walks.append(walk)
                let track = Track(walk.operation, run: run)
                guard let entering = track.entering else { continue }
                let entered = Timestamp(milliseconds: walk.start + Int64(entering))
                let merchant = Int(intent.merchant)
                walks.events.append(
                    FenceFact(
                        kind: .entered, customer: walk.customer, merchant: merchant, time: entered, entered: entered))
                walks.events.append(
                    FenceFact(
                        kind: .exited("left"), customer: walk.customer, merchant: merchant,
                        time: Timestamp(milliseconds: walk.start + Int64(track.leaving.lowerBound)), entered: entered))
            }
            for place in 15..<18 {
                let walk = walks.walks[place]
                let merchant = Int(journal[walk.operation].merchant)
                walks.positions.append(
                    PositionRead(
                        walk: place, refusal: nil,
                        point: Track(walk.operation, run: run).point(5, around: World.people.point(ofPlace: merchant)),
                        time: Timestamp(milliseconds: walk.start + 5)))
            }
        }

        private var published: World {
            var world = world
            world.evidence.walks = walks
            return world
        }
        var verdict: MoneyVerdict { published.verdict }
        var failed: [String] { published.failed }
        func findings(_ check: String) -> String { published.findings(check) }

        /// The walk that a fact belongs to.
        func walk(of event: FenceFact) -> WalkPool.Walk {
            walks.walks.last { $0.customer == event.customer && $0.start <= event.entered.milliseconds }!
        }
    }

    @Test func rightWalksPass() {
        let walked = Walked()
        #expect(walked.failed == [])
        #expect(walked.verdict.checks.count == 18)
        #expect(walked.verdict.headline == "The money is right")
        #expect(walked.walks.events.count > 8)
        for check in walked.verdict.checks { #expect(check.examined > 0, "\(check.name) looked at nothing") }
    }

    @Test func aLostExitIsNamed() {
        var walked = Walked()
        let lost = walked.walks.events.remove(at: 1)
        let walk = walked.walk(of: lost)
        #expect(Set(walked.failed) == ["fences_told", "visits_in_order"])
        #expect(
            walked.findings("fences_told").contains(
                "lost exit: walk of customer #\(lost.customer) to merchant #\(lost.merchant!) (operation \(walk.operation))"
            ))
        #expect(walked.verdict.headline == "The money is right, the walks are not")
    }

    @Test func aLostEnterIsNamed() {
        var walked = Walked()
        walked.walks.events.removeFirst()
        #expect(walked.findings("fences_told").contains("lost enter: walk of customer #"))
        #expect(walked.findings("visits_in_order").contains("from no visit that was told of"))
    }

    @Test func aVisitToldTwiceIsNamed() {
        var walked = Walked()
        walked.walks.events.insert(walked.walks.events[0], at: 0)
        #expect(walked.findings("fences_told").contains("too many enters: "))
        #expect(walked.findings("visits_in_order").contains("without an exit since "))
        walked = Walked()
        walked.walks.events.insert(walked.walks.events[1], at: 1)
        #expect(walked.findings("fences_told").contains("too many exits: "))
        #expect(walked.findings("visits_in_order").contains("from no visit that was told of"))
    }

    @Test func whoOnlyPassedByAndIsToldOfIsNamed() throws {
        var walked = Walked()
        let passing = try #require(walked.walks.walks.first { Track($0.operation, run: Self.run).entering == nil })
        let time = Timestamp(milliseconds: passing.start + 2)
        let merchant = Int(walked.world.evidence.journal[passing.operation].merchant)
        for kind in [FenceFact.Kind.entered, .exited("left")] {
            walked.walks.events.append(
                FenceFact(kind: kind, customer: passing.customer, merchant: merchant, time: time, entered: time))
        }
        #expect(walked.findings("fences_told").contains("and only passed by"))
        #expect(walked.findings("fences_told").contains("too many enters"))
    }

    @Test func whoNeverWalkedThereIsNamed() {
        var walked = Walked()
        walked.walks.events[0].merchant = 1 - walked.walks.events[0].merchant!
        #expect(walked.findings("fences_told").contains("and did not walk there then"))
        walked = Walked()
        walked.walks.events[0].merchant = nil
        #expect(walked.findings("fences_told").contains("a place not in play"))
    }

    @Test func wrongTimesAndReasonsAreNamed() {
        var walked = Walked()
        walked.walks.events[0].time = walked.walks.events[0].time + .milliseconds(1)
        #expect(walked.findings("fences_told").contains("but the first fix within is of "))
        walked = Walked()
        walked.walks.events[1].time = walked.walks.events[1].entered
        #expect(walked.findings("fences_told").contains("but the fix outside is of "))
        walked = Walked()
        walked.walks.events[1].kind = .exited("forgotten")
        #expect(walked.findings("fences_told").contains("and is said to have been forgotten"))
    }

    @Test func timesThatGoBackAreNamed() {
        var walked = Walked()
        let customer = walked.walks.events[0].customer
        // Two whole visits of one customer, told in the wrong order.
        let own = walked.walks.events.indices.filter { walked.walks.events[$0].customer == customer }
        let (first, second) = (own[0...1].map { walked.walks.events[$0] }, own[2...3].map { walked.walks.events[$0] })
        for (place, event) in zip(own[0...3], second + first) { walked.walks.events[place] = event }
        #expect(walked.failed == ["visits_in_order"])
        #expect(walked.findings("visits_in_order").contains("earlier than what was told before"))
    }

    @Test func aSecondStayInOneVisitIsNamed() {
        var walked = Walked()
        var stay = walked.walks.events[0]
        stay.kind = .dwelled
        walked.walks.events.insert(stay, at: 1)
        #expect(walked.failed == [])
        walked.walks.events.insert(stay, at: 1)
        #expect(walked.findings("visits_in_order").contains("or a second time"))
    }

    @Test func aPositionThatIsNotTheLastIsNamed() {
        var walked = Walked()
        walked.walks.positions[0].time = walked.walks.positions[0].time! - .milliseconds(1)
        walked.walks.positions[1].point = World.people.point(ofPlace: 0)
        #expect(walked.failed == ["positions_kept"])
        #expect(walked.findings("positions_kept").contains("was acknowledged"))
        #expect(walked.findings("positions_kept").contains("is shown somewhere else than the fix of "))
        // Where somebody was stays out of it.
        #expect(!walked.findings("positions_kept").contains("\(World.people.point(ofPlace: 0).latitude)"))
    }

    @Test func aPositionMayBeForgottenByARestartOnly() {
        var walked = Walked()
        let time = walked.walks.positions[0].time!
        walked.walks.positions[0] = PositionRead(
            walk: walked.walks.positions[0].walk, refusal: "location.position_unknown", point: nil, time: nil)
        #expect(walked.findings("positions_kept").contains("is not known any more (location.position_unknown)"))
        walked.walks.birth = time
        #expect(walked.failed == ["positions_kept"])
        walked.walks.birth = time + .milliseconds(1)
        #expect(walked.failed == [])
    }

    @Test func walksWithoutAnEndMayHaveLedToLessAndNeverToMore() {
        var walked = Walked()
        let operation = walked.walk(of: walked.walks.events.removeLast()).operation
        walked.world.evidence.journal[operation].outcome = .unknown
        #expect(walked.failed == ["all_settled"])
        #expect(walked.findings("all_settled").contains("operation \(operation) got no final answer"))
        walked.walks.events.append(walked.walks.events.last!)
        #expect(walked.findings("fences_told").contains("too many enters"))
    }

    @Test func aGapInLocationsLogIsNamed() {
        var walked = Walked()
        walked.walks.logFaults = ["location's log has fact 9 behind 7"]
        #expect(walked.findings("fences_told").contains("location's log has fact 9 behind 7"))
    }
}
