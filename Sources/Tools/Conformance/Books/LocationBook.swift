import Contracts
import Primitives

/// What location has to know after a sequence of asks, and what it has to answer and to publish: the rules of its page,
/// without indexes and without a clock. People, merchants and places have numbers.
package struct LocationBook: Sendable {
    package struct Visit: Equatable, Sendable {
        package let entered: Span
        package var hasDwelled = false
        /// The time of a fix outside that may have been a bad one.
        package var strayed: Span?
    }

    package struct Place: Equatable, Sendable {
        package let number: Int
        package let merchant: Int
        package var name: String
        package var point: Coordinate

        package init(number: Int, merchant: Int, name: String, point: Coordinate) {
            self.number = number
            self.merchant = merchant
            self.name = name
            self.point = point
        }
    }

    private struct Person: Sendable {
        var newest: Span?
        var position: (point: Coordinate, time: Span)?
        var visits: [(place: Int, visit: Visit)] = []
        /// The time of the last fact.
        var published: Span?
        /// Times up to this one are not asked: what they lead to depends on what a restart forgets.
        var floor: Int64 = .min
    }

    /// A fact that has to be published.
    package struct Event: Equatable, Sendable {
        package enum Kind: Equatable, Sendable {
            case entered
            case dwelled
            case exited(Location.ExitReason)
        }

        package let kind: Kind
        package let customer, place, merchant: Int
        package let entered: Span
        package let time: Span

        /// The same, where it may be told behind others that have up to this time.
        fileprivate func raised(to latest: Int64) -> Event {
            Event(
                kind: kind, customer: customer, place: place, merchant: merchant, entered: entered,
                time: Span(time.earliest, max(time.latest, latest)))
        }
    }

    package enum Outcome: Equatable, Sendable {
        case updated(Location.UpdateOutcome)
        case refused(FaultCode)
    }

    package private(set) var places: [Place] = []
    private var people: [Int: Person] = [:]
    /// The latest time of each customer's facts, also of those who have ended sharing since.
    private var told: [Int: Int64] = [:]

    package init() {}

    package static let keptMilliseconds: Int64 = 900_000
    private static let aheadMax: Int64 = 60_000
    private static let dwell: Int64 = 300_000

    package func isSharing(_ customer: Int) -> Bool { people[customer] != nil }

    package func position(of customer: Int) -> (point: Coordinate, time: Span)? { people[customer]?.position }

    package func places(of merchant: Int) -> [Place] { places.filter { $0.merchant == merchant } }

    package func isAtOnePoint(_ place: Int, with other: Int?) -> Bool {
        let points = places.filter { $0.number == place || $0.number == other }.map(\.point)
        return points.count == 2 && points[0] == points[1]
    }

    /// Whether a restart leaves everything that later facts depend on known.
    package var survivesRestart: Bool { people.values.allSatisfy { $0.visits.allSatisfy { $0.visit.strayed == nil } } }

    // MARK: What changes it. Each returns the facts that follow, in groups whose own order does not matter.

    package mutating func share(_ customer: Int, at now: Span) {
        guard people[customer] == nil else { return }
        // A fix of that very moment counts.
        people[customer] = Person(newest: Span(now.earliest - 1, now.latest - 1))
    }

    package mutating func unshare(_ customer: Int, at now: Span) -> [[Event]] {
        guard people[customer] != nil else { return [] }
        let events = endVisits(of: customer, at: now)
        people[customer] = nil
        return [events]
    }

    package mutating func forget(_ customer: Int, at now: Span) -> (wasKnown: Bool, events: [[Event]]) {
        guard let person = people[customer] else { return (false, []) }
        let events = endVisits(of: customer, at: now)
        people[customer]?.position = nil
        people[customer]?.newest = person.newest.map { $0.later(now) } ?? now
        return (person.position != nil, [events])
    }

    /// - Parameters:
    ///   - given: the fix's own time; nil where it has none.
    ///   - now: when it is asked.
    /// - Returns: nil where the outcome depends on moments that are not known exactly: then it may not be asked.
    package mutating func update(
        _ customer: Int, latitude: Int64, longitude: Int64, given: Int64?, at now: Span
    ) -> (outcome: Outcome, events: [[Event]])? {
        guard let point = Coordinate(latitude: latitude, longitude: longitude) else {
            return (.refused(.coordinateInvalid), [])
        }
        if let given {
            guard given > now.latest + Self.aheadMax || given <= now.earliest + Self.aheadMax else { return nil }
            if given > now.latest { if given > now.latest + Self.aheadMax { return (.refused(.fixTimeInvalid), []) } }
        }
        guard let person = people[customer] else { return (.refused(.sharingOff), []) }
        let time: Span
        if let given {
            time = given <= now.earliest ? Span(given) : Span(min(given, now.earliest), min(given, now.latest))
            if time.latest + Self.keptMilliseconds <= now.earliest { return (.updated(.expired), []) }
            guard time.earliest + Self.keptMilliseconds > now.latest, given > person.floor else { return nil }
        } else {
            time = person.newest.map(now.later) ?? now
            // In the same millisecond it is a repeat of the fix before, later it is another one.
            if let known = person.position, known.point == point, known.time.isSame(as: time) != false { return nil }
        }
        if given != nil, let newest = person.newest {
            if let known = person.position, known.point == point {
                // The same fix again is answered as the first time.
                guard let isRepeated = known.time.isSame(as: time) else { return nil }
                if isRepeated { return (.updated(.stored), []) }
            }
            guard let isLater = newest.isBefore(time) else { return nil }
            if !isLater { return (.updated(.older), []) }
        }
        people[customer]?.newest = time
        people[customer]?.position = (point, time)
        return (.updated(.stored), step(customer, at: point, time))
    }

    /// Nil where the place was not put: another merchant's.
    package mutating func put(_ place: Place, at now: Span) -> [[Event]]? {
        guard let index = places.firstIndex(where: { $0.number == place.number }) else {
            places.append(place)
            return []
        }
        guard places[index].merchant == place.merchant else { return nil }
        let events = places[index].point == place.point ? [] : endVisits(at: place.number, now)
        places[index] = place
        return [events]
    }

    package mutating func remove(_ number: Int, of merchant: Int, at now: Span) -> (wasThere: Bool, events: [[Event]]) {
        guard places.contains(where: { $0.number == number && $0.merchant == merchant }) else { return (false, []) }
        let events = endVisits(at: number, now)
        places.removeAll { $0.number == number }
        return (true, [events])
    }

    /// Positions are in memory only; who shares, places and visits are not.
    package mutating func restart() {
        for (customer, var person) in people {
            person.floor = max(told[customer] ?? .min, person.position?.time.latest ?? .min)
            person.newest = nil
            person.position = nil
            people[customer] = person
        }
    }

    // MARK: Fences

    private mutating func step(_ customer: Int, at point: Coordinate, _ time: Span) -> [[Event]] {
        // Which of these is told first is the service's choice, and decides which times are raised.
        let published = people[customer]?.published
        var going: [Event] = []
        for place in places {
            people[customer]?.published = published
            guard let index = people[customer]?.visits.firstIndex(where: { $0.place == place.number }),
                var visit = people[customer]?.visits[index].visit
            else { continue }
            let metres = place.point.metres(to: point)
            if metres <= 150 {
                visit.strayed = nil
                if !visit.hasDwelled, time.earliest - visit.entered.latest >= Self.dwell {
                    visit.hasDwelled = true
                    going.append(event(.dwelled, customer, place, visit, at: time))
                }
            } else if metres <= 300, visit.strayed == nil {
                visit.strayed = time
            } else {
                people[customer]?.visits.remove(at: index)
                going.append(event(.exited(.left), customer, place, visit, at: visit.strayed ?? time))
                continue
            }
            people[customer]?.visits[index].visit = visit
        }
        let latest = going.reduce(nil as Span?) { $0?.later($1.time) ?? $1.time }
        people[customer]?.published = latest ?? published
        let ended = Set(going.compactMap { $0.kind == .exited(.left) ? $0.place : nil })
        let near = places.map { (place: $0, metres: $0.point.metres(to: point)) }
            .filter { near in
                near.metres <= 100 && !ended.contains(near.place.number)
                    && people[customer]?.visits.contains { $0.place == near.place.number } == false
            }
            .sorted { $0.metres < $1.metres }
        var coming: [[Event]] = []
        var farthest = -1.0
        for (place, metres) in near {
            let visit = Visit(entered: time)
            people[customer]?.visits.append((place.number, visit))
            let event = event(.entered, customer, place, visit, at: time)
            // Of places as near either may come first.
            if metres == farthest { coming[coming.count - 1].append(event) } else { coming.append([event]) }
            farthest = metres
        }
        return [going.map { $0.raised(to: latest?.latest ?? 0) }] + coming
    }

    private mutating func endVisits(of customer: Int, at now: Span) -> [Event] {
        let visits = people[customer]?.visits ?? []
        people[customer]?.visits = []
        return visits.compactMap { number, visit in
            places.first { $0.number == number }.map {
                event(.exited(.forgotten), customer, $0, visit, at: now)
            }
        }
    }

    private mutating func endVisits(at number: Int, _ now: Span) -> [Event] {
        guard let place = places.first(where: { $0.number == number }) else { return [] }
        return people.keys.sorted().compactMap { customer in
            guard let index = people[customer]?.visits.firstIndex(where: { $0.place == number }),
                let visit = people[customer]?.visits.remove(at: index).visit
            else { return nil }
            return event(.exited(.removed), customer, place, visit, at: now)
        }
    }

    /// Times of one customer's facts never go back.
    private mutating func event(
        _ kind: Event.Kind, _ customer: Int, _ place: Place, _ visit: Visit, at time: Span
    ) -> Event {
        let raised = people[customer]?.published.map(time.later) ?? time
        people[customer]?.published = raised
        told[customer] = max(told[customer] ?? .min, raised.latest)
        return Event(
            kind: kind, customer: customer, place: place.number, merchant: place.merchant, entered: visit.entered,
            time: raised)
    }
}

// MARK: What it shows

extension LocationBook {
    package struct Near: Equatable, Sendable {
        package let customer, place: Int
        package let metres: Double
    }

    /// Customers near a merchant's places, nearest first; nil where ages are too near to the limit to be sure.
    package func customers(
        near merchant: Int, place: Int?, freshMilliseconds: Int64, at now: Int64
    ) -> [Near]? {
        let own = places(of: merchant).filter { place == nil || $0.number == place }
        var found: [Near] = []
        for (customer, person) in people {
            guard let known = person.position,
                let nearest = own.map({ ($0, $0.point.metres(to: known.point)) }).min(by: { $0.1 < $1.1 }),
                nearest.1 <= 100
            else { continue }
            guard let isFresh = Self.isFresh(known.time, freshMilliseconds, at: now) else { return nil }
            if isFresh { found.append(Near(customer: customer, place: nearest.0.number, metres: nearest.1)) }
        }
        return found.sorted { $0.metres < $1.metres }
    }

    package func merchants(near customer: Int) -> [(place: Place, metres: Double)]? {
        guard let known = people[customer]?.position else { return nil }
        return places.map { ($0, $0.point.metres(to: known.point)) }.filter { $0.1 <= 200 }.sorted { $0.1 < $1.1 }
    }

    /// The distance, or the refusal; nil where the age is too near to the limit to be sure.
    package func presence(
        of customer: Int, at place: Int?, of merchant: Int, now: Int64
    ) -> Result<Double, Refusal>? {
        let candidates = places(of: merchant).filter { place == nil || $0.number == place }
        guard !candidates.isEmpty else { return .failure(Refusal(.placeNotFound)) }
        guard let known = people[customer]?.position else { return .failure(Refusal(.presenceStale)) }
        guard let isFresh = Self.isFresh(known.time, 600_000, at: now) else { return nil }
        guard isFresh else { return .failure(Refusal(.presenceStale)) }
        let metres = candidates.map { $0.point.metres(to: known.point) }.min()!
        return metres <= 100 ? .success(metres) : .failure(Refusal(.presenceFar))
    }

    package struct Refusal: Error, Equatable {
        package let code: FaultCode
        package init(_ code: FaultCode) { self.code = code }
    }

    /// An ask takes a moment: ages within it of the limit are not judged.
    private static let doubtMilliseconds: Int64 = 3000

    private static func isFresh(_ time: Span, _ limit: Int64, at now: Int64) -> Bool? {
        let age = now - time.latest
        guard abs(age - limit) > doubtMilliseconds else { return nil }
        return age < limit
    }

    /// Rounded up to 25 m, at least 25.
    package static func coarse(_ metres: Double) -> Int64 { Int64(max(1, (metres / 25).rounded(.up)) * 25) }
}
