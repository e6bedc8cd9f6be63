import Glibc
import HTTPClient
import Primitives
import Wire

/// Plays a town over HTTP: opens its shops, lets people move in one by one, and then does what each does at each
/// moment.
///
/// It keeps nothing. Who is where follows from the town and the clock, and every payment has a key that follows from
/// its trip: a player that was stopped goes on, and one that runs beside it pays nothing twice.
package final class TownPlayer {
    /// Newcomers at once at the start, and seconds between two later ones. An address has 60 log-ins a minute: the rest
    /// is for people.
    private static let (firstNewcomers, pause) = (15, 2.0)

    /// Seconds between two lines that say what was refused.
    private static let reportPause = 60.0

    let town: Town
    let caller: Caller
    var clerk = Member(username: TownPlayer.clerk)
    var shops: [Member]
    /// The ids of each shop's coupons that are accepted.
    var coupons: [[String]]
    /// People who have moved in, by number.
    var people: [Int: Member] = [:]
    /// Charges of the trips that are under way, by person.
    var charges: [Int: String] = [:]
    private var plans: [Int: Plan] = [:]
    private let say: (String) -> Void

    /// What a person does next.
    private struct Plan {
        var trip: Trip
        var next: Int

        var event: TownEvent? { next < trip.events.count ? trip.events[next] : nil }
    }

    /// - Parameter say: takes a line for people.
    package init(_ town: Town, at address: String, say: @escaping (String) -> Void) throws {
        self.town = town
        self.say = say
        caller = try Caller(address)
        shops = Town.shops.map { Member(username: $0.username) }
        coupons = Array(repeating: [], count: Town.shops.count)
    }

    /// Plays for ever.
    ///
    /// - Parameter makeClerk: makes the administrator `clerk`, which HTTP cannot do.
    /// - Throws: `TownFailure`, and `HTTPClient.Unreachable` if no gateway answers at the start.
    package func play(makeClerk: () async throws -> Void) async throws {
        try caller.greet()
        if try !logIn(&clerk) {
            try await makeClerk()
            guard try logIn(&clerk) else {
                throw TownFailure("somebody else has the username \(Self.clerk): the town cannot be played on this set")
            }
        }
        for number in Town.shops.indices { try openShop(number) }
        say("\(Town.shops.count) shops are open")
        var nextNewcomer = seconds()
        var renewal = Self.month(at: wallMilliseconds())
        var nextReport = seconds() + Self.reportPause
        while true {
            if seconds() >= nextReport {
                nextReport = seconds() + Self.reportPause
                if let refused = caller.takeRefusals() { say("requests were refused: \(refused)") }
            }
            if people.count < town.people.count, seconds() >= nextNewcomer {
                try moveIn(town.people[people.count])
                if people.count >= Self.firstNewcomers { nextNewcomer = seconds() + Self.pause }
                if people.count == town.people.count { say("\(people.count) people live in the town") }
                continue
            }
            if Self.month(at: wallMilliseconds()) != renewal {
                renewal = Self.month(at: wallMilliseconds())
                for number in Town.shops.indices { try submitOffers(of: number) }
            }
            try act(orWaitUntil: people.count < town.people.count ? nextNewcomer : seconds() + 1)
        }
    }

    // MARK: What people do

    func moveIn(_ person: Person) throws {
        people[person.number] = try newcomer(person)
        plan(person, after: wallMilliseconds())
    }

    private func plan(_ person: Person, after time: Int64) {
        var trip = town.trip(of: person, at: time)
        var next = trip.events.firstIndex { $0.time > time } ?? trip.events.count
        if next == trip.events.count { (trip, next) = (town.trip(of: person, number: trip.number + 1), 0) }
        plans[person.number] = Plan(trip: trip, next: next)
    }

    /// Does what is due, or sleeps.
    private func act(orWaitUntil end: Double) throws {
        let now = wallMilliseconds()
        let due = plans.min { ($0.value.event?.time ?? .max) < ($1.value.event?.time ?? .max) }
        guard let (number, plan) = due, let event = plan.event, event.time <= now else {
            // Short, so that whoever is due next is late by no more than anybody sees.
            let wait = min(max(0, end - seconds()), Double((due?.value.event?.time ?? .max) - now) / 1000, 1)
            usleep(UInt32(max(0.005, wait) * 1e6))
            return
        }
        plans[number]?.next += 1
        if plans[number]?.event == nil {
            plans[number] = Plan(trip: town.trip(of: plan.trip.person, number: plan.trip.number + 1), next: 0)
        }
        // After a break, what was due long ago is passed over: nobody was in the shop then.
        guard now - event.time < Self.lateMax else { return }
        try perform(event.act, of: plan.trip)
    }

    /// Milliseconds.
    private static let lateMax: Int64 = 20_000
}
