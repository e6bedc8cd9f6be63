import Primitives
import Testing
import World

@Suite("The town")
struct TownTests {
    private let town = Town(seed: 1, people: 200)
    /// Somewhere in November 2026.
    private static let start: Int64 = 1_795_230_600_000

    /// All that a person does in an hour, with the trip that it belongs to.
    private func hour(of person: Person) -> [(trip: Trip, event: TownEvent)] {
        let first = town.trip(of: person, at: Self.start).number
        return (first...(first + 4)).flatMap { number in
            let trip = town.trip(of: person, number: number)
            return trip.events.map { (trip: trip, event: $0) }
        }.filter { (Self.start..<Self.start + 3_600_000).contains($0.event.time) }
    }

    @Test("has thirty shops with goods and offers, each with a name and a place of its own")
    func shops() {
        #expect(Town.shops.count == 30)
        #expect(Set(Town.shops.map(\.username)).count == 30 && Set(Town.shops.map(\.point)).count == 30)
        #expect(Town.shops.allSatisfy { $0.goods.count == 3 && !$0.offers.isEmpty && !$0.categories.isEmpty })
    }

    @Test("nobody shares a name or a card with anybody", arguments: [200, Town.peopleMax])
    func names(count: Int) {
        let people = Town(seed: 3, people: count).people
        #expect(Set(people.map(\.username)).count == count)
        #expect(Set(people.map(\.cardNumber)).count == count)
        #expect(people.allSatisfy { $0.cardNumber.count == 16 && $0.birthdate.count == 10 })
        #expect(people.allSatisfy { Set($0.favourites).count == 3 })
    }

    @Test("is the same for the same seed at the same moment, and another for another")
    func repeatable() {
        let (again, other) = (Town(seed: 1, people: 200), Town(seed: 2, people: 200))
        var differs = 0
        for person in town.people {
            let trip = town.trip(of: person, at: Self.start)
            #expect(again.trip(of: again.people[person.number], at: Self.start).events == trip.events)
            if other.trip(of: other.people[person.number], at: Self.start).events != trip.events { differs += 1 }
        }
        #expect(differs > 190)
    }

    @Test("a moment is on the trip that it is asked for, and trips follow each other without a gap")
    func trips() {
        for person in town.people {
            let trip = town.trip(of: person, at: Self.start)
            let next = town.trip(of: person, number: trip.number + 1)
            #expect(trip.events[0].time <= Self.start && next.events[0].time > Self.start)
            #expect(trip.events.last.map { $0.time < next.events[0].time } == true)
        }
    }

    @Test("people walk: no step is faster than four metres a second, and no position older than four minutes")
    func walks() {
        for person in town.people {
            var last: (time: Int64, point: Coordinate)?
            for (_, event) in hour(of: person) {
                guard case .move(let point) = event.act else { continue }
                if let last {
                    let seconds = Double(event.time - last.time) / 1000
                    #expect(last.point.metres(to: point) <= 4 * seconds + 1)
                    #expect(seconds <= 240)
                }
                last = (event.time, point)
            }
        }
    }

    @Test("whoever is charged stands in the shop, and answers there")
    func near() {
        var bought = 0
        for person in town.people {
            var point: Coordinate?
            for (trip, event) in hour(of: person) {
                switch event.act {
                case .move(let new): point = new
                case .buy, .answer:
                    guard let point else { continue }
                    bought += 1
                    #expect(point.metres(to: Town.shops[trip.shop].point) < 10)
                case .look, .send, .refund: break
                }
            }
        }
        #expect(bought > 200)
    }

    @Test("200 people make no more than eight requests a second and one purchase in five")
    func rates() {
        var (acts, purchases) = (0, 0)
        var keys: Set<String> = []
        for person in town.people {
            for (trip, event) in hour(of: person) {
                acts += 1
                guard event.act == .buy else { continue }
                purchases += 1
                #expect(keys.insert(trip.key).inserted)
            }
        }
        #expect(acts <= 8 * 3600)
        #expect((300...720).contains(purchases))
    }
}
