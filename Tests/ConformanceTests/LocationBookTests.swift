import Conformance
import Contracts
import Primitives
import Testing

@Suite("The model of location")
struct LocationBookTests {
    private static let start: Int64 = 1_800_000_000_000
    private let now = Span(LocationBookTests.start)

    /// One place at the equator, and a customer who shared before the last restart.
    private func book() throws -> LocationBook {
        var book = LocationBook()
        let place = LocationBook.Place(number: 0, merchant: 0, name: "Corner", point: try #require(north(0)))
        _ = book.put(place, at: now)
        book.share(0, at: now)
        book.restart()
        return book
    }

    /// So many metres north of the place.
    private func north(_ metres: Double) -> Coordinate? {
        Coordinate(latitude: Int64((metres / FlatEarth.metresPerMillionth).rounded()), longitude: 0)
    }

    /// The outcome of a fix, and what is told of it.
    private func update(
        _ book: inout LocationBook, metres: Double, secondsAgo: Int64
    ) throws -> (outcome: LocationBook.Outcome, kinds: [LocationBook.Event.Kind]) {
        let point = try #require(north(metres))
        let taken = book.update(
            0, latitude: Int64(point.latitude), longitude: 0, given: Self.start - secondsAgo * 1000, at: now)
        let known = try #require(taken)
        return (known.outcome, known.events.flatMap { $0 }.map(\.kind))
    }

    private typealias Kinds = [LocationBook.Event.Kind]

    @Test("a visit begins at 100 m, stays to 150 m, and two fixes beyond end it")
    func radii() throws {
        var book = try book()
        var kinds: Kinds
        kinds = try update(&book, metres: 101, secondsAgo: 600).kinds
        #expect(kinds == [])
        kinds = try update(&book, metres: 99, secondsAgo: 590).kinds
        #expect(kinds == [.entered])
        kinds = try update(&book, metres: 149, secondsAgo: 580).kinds
        #expect(kinds == [])
        kinds = try update(&book, metres: 151, secondsAgo: 570).kinds
        #expect(kinds == [])
        kinds = try update(&book, metres: 149, secondsAgo: 560).kinds
        #expect(kinds == [])
        kinds = try update(&book, metres: 151, secondsAgo: 550).kinds
        #expect(kinds == [])
        kinds = try update(&book, metres: 299, secondsAgo: 540).kinds
        #expect(kinds == [.exited(.left)])
        kinds = try update(&book, metres: 0, secondsAgo: 530).kinds
        #expect(kinds == [.entered])
        kinds = try update(&book, metres: 301, secondsAgo: 520).kinds
        #expect(kinds == [.exited(.left)])
    }

    @Test("an exit has the time of the first fix outside")
    func exitTime() throws {
        var book = try book()
        _ = try update(&book, metres: 0, secondsAgo: 600)
        _ = try update(&book, metres: 200, secondsAgo: 500)
        let point = try #require(north(250))
        let taken = book.update(
            0, latitude: Int64(point.latitude), longitude: 0, given: Self.start - 400_000, at: now)
        #expect(taken?.events.flatMap { $0 }.map(\.time) == [Span(Self.start - 500_000)])
    }

    @Test("of two visits that one fix changes either may be told first")
    func orderOfChanges() throws {
        let other = LocationBook.Place(number: 1, merchant: 0, name: "Hill", point: try #require(north(140)))
        for places in [[0, 1], [1, 0]] {
            var book = try book()
            let near = try #require(book.places(of: 0).first)
            _ = book.remove(0, of: 0, at: now)
            for number in places { _ = book.put(number == 0 ? near : other, at: now) }
            _ = try update(&book, metres: 90, secondsAgo: 400)
            // Out of the one, and still at the other.
            _ = try update(&book, metres: 160, secondsAgo: 110)
            let point = try #require(north(200))
            let taken = book.update(
                0, latitude: Int64(point.latitude), longitude: 0, given: Self.start - 90_000, at: now)
            let events = try #require(taken).events.flatMap { $0 }
            let left = try #require(events.first { $0.place == 0 })
            // The exit has the time of the first fix outside, or, told second, that of the stay.
            #expect(left.kind == .exited(.left) && left.time == Span(Self.start - 110_000, Self.start - 90_000))
            let stayed = try #require(events.first { $0.place == 1 })
            #expect(stayed.kind == .dwelled && stayed.time == Span(Self.start - 90_000))
        }
    }

    @Test("a stay of 300 s is told once")
    func dwelling() throws {
        var book = try book()
        var kinds: Kinds
        _ = try update(&book, metres: 0, secondsAgo: 700)
        kinds = try update(&book, metres: 10, secondsAgo: 401).kinds
        #expect(kinds == [])
        kinds = try update(&book, metres: 10, secondsAgo: 400).kinds
        #expect(kinds == [.dwelled])
        kinds = try update(&book, metres: 10, secondsAgo: 10).kinds
        #expect(kinds == [])
    }

    @Test("fixes are stored, older, expired or refused by their times")
    func times() throws {
        var book = try book()
        var outcome: LocationBook.Outcome
        outcome = try update(&book, metres: 0, secondsAgo: 900).outcome
        #expect(outcome == .updated(.expired))
        outcome = try update(&book, metres: 0, secondsAgo: 600).outcome
        #expect(outcome == .updated(.stored))
        outcome = try update(&book, metres: 0, secondsAgo: 600).outcome
        #expect(outcome == .updated(.stored))
        outcome = try update(&book, metres: 5, secondsAgo: 600).outcome
        #expect(outcome == .updated(.older))
        outcome = try update(&book, metres: 0, secondsAgo: 601).outcome
        #expect(outcome == .updated(.older))
        outcome = try update(&book, metres: 0, secondsAgo: -61).outcome
        #expect(outcome == .refused(.fixTimeInvalid))
        _ = book.unshare(0, at: now)
        outcome = try update(&book, metres: 0, secondsAgo: 1).outcome
        #expect(outcome == .refused(.sharingOff))
    }

    @Test("what ends when nobody shares, and when a place is moved, is told with its reason")
    func endings() throws {
        var book = try book()
        var kinds: Kinds
        _ = try update(&book, metres: 0, secondsAgo: 600)
        let moved = LocationBook.Place(number: 0, merchant: 0, name: "Corner", point: try #require(north(1)))
        kinds = book.put(moved, at: now)?.flatMap { $0 }.map(\.kind) ?? []
        #expect(kinds == [.exited(.removed)])
        kinds = try update(&book, metres: 0, secondsAgo: 500).kinds
        #expect(kinds == [.entered])
        kinds = book.unshare(0, at: now).flatMap { $0 }.map(\.kind)
        #expect(kinds == [.exited(.forgotten)])
    }

    @Test("after a restart, nothing before what was told is asked, also where sharing ended and began again meanwhile")
    func toldBeforeSharingEnded() throws {
        var book = try book()
        _ = try update(&book, metres: 0, secondsAgo: 600)
        _ = book.unshare(0, at: now)
        book.share(0, at: now)
        book.restart()
        #expect(book.update(0, latitude: 0, longitude: 0, given: Self.start - 1000, at: now) == nil)
        #expect(book.update(0, latitude: 0, longitude: 0, given: Self.start + 1, at: Span(Self.start + 1)) != nil)
    }

    @Test("a fix at the point of one whose moment is not known is asked only where both cannot be the same")
    func perhapsTheSame() {
        var book = LocationBook()
        book.share(0, at: Span(Self.start - 1))
        let arrived = Span(Self.start, Self.start + 5)
        let unstated = book.update(0, latitude: 0, longitude: 0, given: nil, at: arrived)
        #expect(unstated?.outcome == .updated(.stored))
        #expect(book.update(0, latitude: 0, longitude: 0, given: Self.start, at: arrived) == nil)
        let elsewhere = book.update(0, latitude: 1, longitude: 0, given: Self.start, at: arrived)
        #expect(elsewhere?.outcome == .updated(.older))
        let earlier = book.update(0, latitude: 0, longitude: 0, given: Self.start - 1, at: arrived)
        #expect(earlier?.outcome == .updated(.older))
    }

    @Test("distances are rounded up to 25 m, and are 25 m at least")
    func distances() {
        #expect([0, 1, 25, 25.1, 99].map(LocationBook.coarse) == [25, 25, 25, 50, 100])
    }
}

@Suite("Random sequences")
struct RandomSequencesTests {
    private struct Number: CustomStringConvertible, Sendable {
        let value: Int
        var description: String { "\(value)" }
    }

    @Test("a sequence that fails is shortened to what it takes, and named with its seed")
    func shrinking() async {
        let sequences = RandomSequences { random in
            Number(value: .random(in: 0..<10, using: &random))
        } play: { numbers in
            if numbers.count(where: { $0.value == 7 }) >= 2 { throw Wrong("two sevens") }
        }
        let wrong = await #expect(throws: Wrong.self) { try await sequences.run(seed: 5, count: 20, length: 100) }
        #expect(wrong?.description == "two sevens, after: 7; 7 (seed 5)")
    }

    @Test("a given sequence is played before the random ones, and has no seed")
    func first() async {
        let sequences = RandomSequences { _ in
            Number(value: 7)
        } play: { numbers in
            if numbers.contains(where: { $0.value == 12 }) { throw Wrong("a twelve") }
        }
        let wrong = await #expect(throws: Wrong.self) {
            try await sequences.run(first: [11, 12].map(Number.init), seed: 5, count: 20, length: 100)
        }
        #expect(wrong?.description == "a twelve, after: 12")
    }

    @Test("the same seed gives the same sequence")
    func seeds() {
        var (one, same, other) = (Seeded(1), Seeded(1), Seeded(2))
        let numbers = (0..<8).map { _ in one.next() }
        #expect(numbers == (0..<8).map { _ in same.next() })
        #expect(numbers != (0..<8).map { _ in other.next() })
    }
}

@Suite("Limits that are declared")
struct LimitBreachTests {
    @Test("each limit has values beyond it with the declared code, and the last ones that are allowed")
    func values() {
        let ask = Location.FindCustomers(merchant: .init(high: 1, low: 1), freshSeconds: 60, limit: 5)
        let variants = LimitBreach.variants(of: ask)
        func codes(_ field: String) -> [String: String?] {
            Dictionary(
                variants.filter { $0.field == field }.map { ($0.what, $0.code?.code) },
                uniquingKeysWith: { one, _ in one })
        }
        #expect(
            codes("limit") == [
                "with 0 for 'limit'": "bus.malformed", "with 101 for 'limit'": "bus.malformed",
                "with 1 for 'limit'": nil, "with 100 for 'limit'": nil
            ])
        #expect(codes("freshSeconds").count == 4)
    }
}
