import Bus
import Contracts
import Load
import LoadReport
import LocationService
import Primitives
import Testing

@Suite("walking to a merchant's place")
struct WalkScenarioTests {
    private let scenario = ScenarioList.all.first { $0.name == "walk" }!
    private let population = Population(name: "test", customers: 4, cardsEach: 2, merchants: 700)
    private let stage: Stage

    init() {
        stage = Stage(
            driver: .bus, population: population, run: 7, started: Timestamp(milliseconds: 1_795_000_000_000),
            walks: WalkPool(4, since: Timestamp(milliseconds: 1_795_000_000_000)))
    }

    /// An operation as the generator begins it.
    private func begun(_ number: Int = 5, merchant: Int = 3) -> LoadOperation {
        var operation = LoadOperation()
        operation.merchant = merchant
        scenario.choose(&operation, stage)
        operation.customer = population.owner(ofCard: operation.card)
        operation.number = number
        scenario.begin(&operation, stage)
        return operation
    }

    private func text(_ write: (RequestText) -> Void) -> String {
        let text = RequestText()
        write(text)
        return text.string
    }

    private func take(_ answer: String, _ operation: inout LoadOperation) -> Bool {
        var bytes = Array(answer.utf8)
        return bytes.withUnsafeMutableBytes {
            scenario.take(AnswerText(UnsafeRawBufferPointer($0)), of: operation.step, into: &operation, stage)
        }
    }

    // MARK: Tracks

    @Test("what a track is said to lead to is what location's own rules make of it", arguments: 0..<2000)
    func rules(number: Int) {
        let track = Track(number, run: 7)
        let place = population.point(ofPlace: number % 700)
        let rules = FenceRules()
        var visit: Visit?
        var (entered, left): ([Int], [Int]) = ([], [])
        for step in 0..<Track.length {
            let metres = track.point(step, around: place).metres(to: place)
            #expect(abs(metres - track.metres(step)) < 0.5)
            switch rules.step(&visit, metres: metres, at: Timestamp(milliseconds: Int64(step))) {
            case .entered: entered.append(step)
            case .exited(let time): left.append(Int(time.milliseconds))
            case .dwelled, nil: break
            }
        }
        #expect(visit == nil)
        #expect(entered == (track.entering.map { [$0] } ?? []))
        #expect(left.count == entered.count && left.allSatisfy(track.leaving.contains))
    }

    @Test("a restart between any two fixes, which forgets that one alone was outside, changes nothing else")
    func restarts() {
        for number in 0..<200 {
            let track = Track(number, run: 7)
            for restart in 1..<Track.length {
                var visit: Visit?
                var (entered, left): ([Int], [Int]) = ([], [])
                for step in 0..<Track.length {
                    if step == restart { visit?.strayed = nil }
                    switch FenceRules().step(
                        &visit, metres: track.metres(step), at: Timestamp(milliseconds: Int64(step)))
                    {
                    case .entered: entered.append(step)
                    case .exited(let time): left.append(Int(time.milliseconds))
                    case .dwelled, nil: break
                    }
                }
                #expect(entered == (track.entering.map { [$0] } ?? []))
                #expect(left.count == entered.count && left.allSatisfy(track.leaving.contains))
            }
        }
    }

    @Test("each kind of track is played, and whatever was before is over at the first fix and the last")
    func kinds() {
        let tracks = (0..<200).map { Track($0, run: 9) }
        for kind in Track.Kind.allCases { #expect(tracks.contains { $0.kind == kind }) }
        for track in tracks {
            #expect(track.metres(0) > FenceRules().surelyLeftMetres)
            #expect(track.metres(Track.length - 1) > FenceRules().surelyLeftMetres)
        }
    }

    @Test("places are so far apart that no walk comes near two of them, and on the globe")
    func places() {
        for number in 0..<700 {
            let point = population.point(ofPlace: number)
            #expect(Coordinate(latitude: Int64(point.latitude), longitude: Int64(point.longitude)) == point)
            #expect(population.number(ofPlace: population.place(ofMerchant: number)) == number)
            if number > 0 { #expect(point.metres(to: population.point(ofPlace: number - 1)) > 1000) }
            if number >= 300 { #expect(point.metres(to: population.point(ofPlace: number - 300)) > 1000) }
        }
        let last = Population(name: "z", customers: 1, cardsEach: 1, merchants: 100_000).point(ofPlace: 99_999)
        #expect(Coordinate(latitude: Int64(last.latitude), longitude: Int64(last.longitude)) == last)
        #expect(population.number(ofPlace: PlaceID(high: 1, low: 2)) == nil)
    }

    // MARK: Requests

    @Test("asks and requests are what location and the gateway take")
    func requests() throws {
        let operation = begun()
        for step in 0..<Track.length {
            let point = Track(5, run: 7).point(step, around: population.point(ofPlace: 3))
            let data = text { scenario.writeAsk(step, operation, stage, to: $0) }
            let ask = try Location.UpdatePosition(json: Array(data.utf8))
            #expect(
                ask
                    == Location.UpdatePosition(
                        customer: population.customer(operation.customer), latitude: Int64(point.latitude),
                        longitude: Int64(point.longitude),
                        time: Timestamp(milliseconds: operation.walkStart + Int64(step))))
            let body = text { scenario.writeBody(step, operation, stage, to: $0) }
            #expect(body == "{" + data.dropFirst(#"{"customer":"","#.count + 32))
            #expect(text { scenario.writePath(step, operation, stage, to: $0) } == "/v1/location")
            #expect("\(scenario.steps[step].method)" == "PUT" && !scenario.steps[step].isKeyed)
        }
        #expect(operation.amount == 0 && scenario.moves == nil)
    }

    @Test("only what is stored goes on")
    func answers() {
        var operation = begun()
        #expect(take(#"{"outcome":"stored"}"#, &operation))
        #expect(!take(#"{"outcome":"older"}"#, &operation))
        #expect(!take(#"{"outcome":"expired"}"#, &operation))
    }

    // MARK: Walkers

    @Test(
        "nobody is on two walks at once, and each customer's fixes are each newer than the last and never of the future"
    )
    func walkers() {
        let operations = (0..<4).map { begun($0) }
        #expect(Set(operations.map(\.customer)) == [0, 1, 2, 3])
        // One customer alone, walk after walk.
        var last = operations[2].walkStart + Int64(Track.length - 1)
        scenario.end(operations[2], stage)
        for number in 4..<40 {
            let operation = begun(number)
            #expect(operation.customer == 2 && operation.walkStart > last)
            last = operation.walkStart + Int64(Track.length - 1)
            #expect(last < WallClock.system.now().milliseconds)
            scenario.end(operation, stage)
        }
        #expect(stage.walks.walks.map(\.operation) == Array(0..<40))
    }
}
