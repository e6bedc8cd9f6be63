import Contracts
import RoutinesService
import Testing

@Suite("The schedule of a day")
struct ScheduleTests {
    private static func candidate(
        _ number: Int64, _ minutes: Int, _ window: Range<Int> = 0..<1440, _ priority: Routines.Priority = .normal
    ) -> Schedule.Candidate { .init(number: number, minutes: minutes, window: window, priority: priority) }

    private static func places(_ schedule: Schedule) -> [Int64: Range<Int>] {
        Dictionary(uniqueKeysWithValues: schedule.placed.map { ($0.number, $0.time) })
    }

    // MARK: A75, 004-21, 004-53

    @Test("A75: tags name times of day: morning 6 to 12, afternoon 12 to 17, evening 17 to 21, night 21 to 24")
    func windows() {
        #expect(Tag.window(of: "morning") == 360..<720)
        #expect(Tag.window(of: "afternoon") == 720..<1020)
        #expect(Tag.window(of: "evening") == 1020..<1260)
        #expect(Tag.window(of: "night") == 1260..<1440)
        #expect(Tag.window(of: "pet") == 0..<1440)
    }

    @Test("A75: priority goes before the order of creation, and creation decides among equals")
    func order() {
        let schedule = Schedule(
            of: [
                Self.candidate(1, 30, 360..<720, .low), Self.candidate(2, 30, 360..<720),
                Self.candidate(3, 30, 360..<720), Self.candidate(4, 30, 360..<720, .high)
            ], around: [])
        #expect(schedule.placed.map(\.number) == [4, 2, 3, 1])
        #expect(schedule.placed.map(\.time.lowerBound) == [360, 390, 420, 450])
    }

    @Test("A75: a routine takes the first gap that is long enough, between appointments too")
    func gaps() {
        let schedule = Schedule(
            of: [Self.candidate(1, 45, 360..<720), Self.candidate(2, 30, 360..<720)],
            around: [480..<600, 390..<420, 600..<660])
        #expect(Self.places(schedule) == [1: 420..<465, 2: 360..<390])
    }

    @Test("A75: what does not fit is reported")
    func left() {
        let schedule = Schedule(
            of: [Self.candidate(1, 241, 1020..<1260), Self.candidate(2, 240, 1020..<1260), Self.candidate(3, 1, 0..<1)],
            around: [0..<60])
        #expect(Self.places(schedule) == [2: 1020..<1260])
        #expect(schedule.left == [1, 3])
    }

    @Test("A75: nothing is placed before a given minute")
    func from() {
        let schedule = Schedule(
            of: [Self.candidate(1, 30, 360..<720), Self.candidate(2, 30, 360..<720)], around: [600..<660], from: 580)
        #expect(Self.places(schedule) == [1: 660..<690, 2: 690..<720])
    }

    // MARK: Properties

    /// A day from a seed: candidates and appointments that do not overlap.
    private struct RandomDay {
        var candidates: [Schedule.Candidate] = []
        var appointments: [Range<Int>] = []
        var from = 0

        init(seed: UInt64) {
            var dice = Dice(seed: seed)
            var time = 0
            while true {
                time += Int.random(in: 0...300, using: &dice)
                let end = time + Int.random(in: 1...180, using: &dice)
                if end > 1440 { break }
                appointments.append(time..<end)
                time = end
            }
            let windows = Tag.windows.map(\.minutes) + [0..<1440]
            for number in 0..<Int64.random(in: 0...25, using: &dice) {
                candidates.append(
                    .init(
                        number: number, minutes: Int.random(in: 1...400, using: &dice),
                        window: windows.randomElement(using: &dice)!,
                        priority: Routines.Priority.allCases.randomElement(using: &dice)!))
            }
            appointments.shuffle(using: &dice)
            if Bool.random(using: &dice) { from = Int.random(in: 0...1439, using: &dice) }
        }
    }

    @Test("A75: in random days nothing overlaps, appointments stay, nothing is lost, and windows are kept")
    func properties() {
        for seed in UInt64(1)...2000 {
            let day = RandomDay(seed: seed)
            let schedule = Schedule(of: day.candidates, around: day.appointments, from: day.from)
            let times = (schedule.placed.map(\.time) + day.appointments).sorted { $0.lowerBound < $1.lowerBound }
            for (one, next) in zip(times, times.dropFirst()) {
                #expect(one.upperBound <= next.lowerBound, "seed \(seed): \(one) and \(next) overlap")
            }
            let numbers = schedule.placed.map(\.number) + schedule.left
            #expect(numbers.sorted() == day.candidates.map(\.number), "seed \(seed): not each routine is answered for")
            for place in schedule.placed {
                let candidate = day.candidates[Int(place.number)]
                #expect(place.time.count == candidate.minutes, "seed \(seed)")
                #expect(place.time.clamped(to: candidate.window) == place.time, "seed \(seed): outside its window")
                #expect(place.time.lowerBound >= day.from, "seed \(seed): too early")
            }
        }
    }

    @Test("A75: in random days each routine has the first gap that those before it leave, tried minute by minute")
    func againstAModel() {
        for seed in UInt64(1)...400 {
            let day = RandomDay(seed: seed)
            var isTaken = Array(repeating: false, count: 1440)
            for time in day.appointments { for minute in time { isTaken[minute] = true } }
            var expected: [Int64: Range<Int>] = [:]
            var left: [Int64] = []
            let ranks: [Routines.Priority] = [.high, .normal, .low]
            for priority in ranks {
                for candidate in day.candidates where candidate.priority == priority {
                    let last = candidate.window.upperBound - candidate.minutes
                    let first = max(candidate.window.lowerBound, day.from)
                    let start =
                        first > last
                        ? nil
                        : (first...last).first { start in
                            (start..<(start + candidate.minutes)).allSatisfy { !isTaken[$0] }
                        }
                    guard let start else {
                        left.append(candidate.number)
                        continue
                    }
                    expected[candidate.number] = start..<(start + candidate.minutes)
                    for minute in start..<(start + candidate.minutes) { isTaken[minute] = true }
                }
            }
            let schedule = Schedule(of: day.candidates, around: day.appointments, from: day.from)
            #expect(Self.places(schedule) == expected, "seed \(seed)")
            #expect(schedule.left == left, "seed \(seed)")
        }
    }

    @Test("A75: the order in which routines are given decides nothing")
    func deterministic() {
        for seed in UInt64(1)...300 {
            var day = RandomDay(seed: seed)
            let first = Schedule(of: day.candidates, around: day.appointments, from: day.from)
            var dice = Dice(seed: seed)
            day.candidates.shuffle(using: &dice)
            day.appointments.shuffle(using: &dice)
            #expect(Schedule(of: day.candidates, around: day.appointments, from: day.from) == first, "seed \(seed)")
        }
    }
}

/// SplitMix64: the same numbers for the same seed.
struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
