import Bus
import Contracts
import Primitives

/// Holds positions, places and visits in memory, and decides which visits a fix begins and ends. A value: it reads no
/// clock and no disk.
///
/// `takeChanges` returns the visits that began or ended, for the store to publish.
package struct PresenceTracker: Sendable {
    /// A customer who shares a position. Numbered, so that everything else about them is in flat arrays.
    private struct Person: Sendable {
        var customer: PartyID
        /// Fixes up to this time are too late: a newer one came, or all were forgotten.
        var newest: Int64
        /// The time of the last change at a fence. Later changes have no earlier time.
        var published: Int64
    }

    package let rules: LocationRules
    private var numbers: [PartyID: Int32] = [:]
    private var people: [Person] = []
    private var free: [Int32] = []
    private var positions: PointGrid
    private var places: PlaceTable
    private var visits = VisitTable()
    /// Merchants whose places nobody sees, each until it is asked for again.
    private var hidden: [PartyID: Timestamp] = [:]
    /// Customers whose visits were loaded at the start and who have sent no fix since. Their visits end when a position
    /// would.
    private var awaited: Set<Int32> = []
    private var awaitedUntil = Timestamp(milliseconds: 0)
    /// The number of the customer that was swept last.
    private var swept = 0
    /// Changes to publish, in the order in which they happened.
    private var changes: [FenceChange] = []
    private var changesMade = 0
    /// Whose positions have changed; nil while nobody follows them.
    private var followed: ChangeLog<PartyID>?
    /// The hits of the current search; kept to reuse its memory.
    private var hits: [Hit] = []

    package init(rules: LocationRules) {
        self.rules = rules
        positions = PointGrid(radiusMetres: rules.customersWithinMetres)
        places = PlaceTable(radiusMetres: rules.merchantsWithinMetres)
    }

    /// Tells whoever follows the positions of a change.
    private mutating func noteChange(_ number: Int32) { followed?.note(people[Int(number)].customer) }

    package var positionCount: Int { positions.count }
    package var visitCount: Int { visits.count }
    package var sharingCount: Int { numbers.count }
    package var placeCount: Int { places.count }

    // MARK: Sharing

    package func isSharing(_ customer: PartyID) -> Bool { numbers[customer] != nil }

    /// Begins sharing. Fixes before `since` are too late; nil accepts any.
    package mutating func share(_ customer: PartyID, since: Timestamp?) {
        guard numbers[customer] == nil else { return }
        // A fix of this very millisecond counts.
        let person = Person(customer: customer, newest: since.map { $0.milliseconds - 1 } ?? .min, published: .min)
        followed?.note(customer)
        if let vacant = free.popLast() {
            people[Int(vacant)] = person
            numbers[customer] = vacant
        } else {
            numbers[customer] = Int32(people.count)
            people.append(person)
        }
    }

    /// Ends sharing, and forgets everything about the customer.
    package mutating func unshare(_ customer: PartyID, at now: Timestamp, because cause: Cause?) {
        guard let number = numbers.removeValue(forKey: customer) else { return }
        forget(number, at: now, because: cause)
        free.append(number)
    }

    // MARK: Positions

    /// A position and its expiry.
    package struct Known: Sendable, Equatable {
        package let point: Coordinate
        package let time: Timestamp
        package let expires: Timestamp
    }

    /// - Throws: `location.coordinate_invalid`, `location.time_invalid`, `location.sharing_off`.
    package mutating func update(
        _ fix: Location.Fix, at now: Timestamp, because cause: @autoclosure () -> Cause?
    ) throws(Fault) -> Location.UpdateOutcome {
        guard let point = Coordinate(latitude: fix.latitude, longitude: fix.longitude) else {
            throw Fault(.coordinateInvalid)
        }
        if let given = fix.time, given > now + rules.clockSkewMax { throw Fault(.fixTimeInvalid) }
        guard let number = numbers[fix.customer] else { throw Fault(.sharingOff) }
        // Fixes of a clock that was ahead are none of the future's.
        let newest = people[Int(number)].newest > now.milliseconds ? now.milliseconds - 1 : people[Int(number)].newest
        // Corrects a clock that is slightly ahead: no fix is later than now. A fix without a time has the time of its
        // arrival, after all earlier ones, even within one millisecond.
        let time = fix.time.map { min($0, now) } ?? max(now, Timestamp(milliseconds: newest))
        guard time + rules.timeToLive > now else { return .expired }
        if time.milliseconds <= newest {
            // A repeated fix has had its effect.
            if let known = positions[number], known.time == time.milliseconds, known.coordinate == point {
                return .stored
            }
            guard fix.time == nil else { return .older }
        }
        if visits.has(number) { closeLapsed(number, by: time, because: cause()) }
        people[Int(number)].newest = time.milliseconds
        noteChange(number)
        positions.put(number, at: point, time: time.milliseconds)
        checkFences(number, at: point, time, because: cause)
        return .stored
    }

    package func position(of customer: PartyID, at now: Timestamp) -> Known? {
        guard let number = numbers[customer], let entry = positions[number] else { return nil }
        let expires = Timestamp(milliseconds: entry.time) + rules.timeToLive
        guard expires > now else { return nil }
        return Known(point: entry.coordinate, time: Timestamp(milliseconds: entry.time), expires: expires)
    }

    /// - Returns: whether there was a position.
    package mutating func forgetPosition(
        of customer: PartyID, at now: Timestamp, because cause: Cause?
    ) -> Bool {
        guard let number = numbers[customer] else { return false }
        let wasKnown = position(of: customer, at: now) != nil
        forget(number, at: now, because: cause)
        people[Int(number)].newest = max(people[Int(number)].newest, now.milliseconds)
        noteChange(number)
        return wasKnown
    }

    private mutating func forget(_ number: Int32, at now: Timestamp, because cause: Cause?) {
        let end = positions[number].map { min(now, Timestamp(milliseconds: $0.time) + rules.timeToLive) } ?? now
        positions.remove(number)
        noteChange(number)
        closeVisits(of: number, at: end, .forgotten, because: cause)
        awaited.remove(number)
    }

    // MARK: Who is near

    package struct NearCustomer: Sendable, Equatable {
        package let customer: PartyID
        package let place: PlaceID
        package let metres: Double
        package let time: Timestamp
    }

    /// Finds customers near a merchant's places whose fix is younger than `freshness`, nearest first and each at
    /// the nearest of the places. Returns at most `limit`, and the number of all.
    ///
    /// - Parameter place: one of the merchant's own; nil for all of them.
    /// - Throws: `location.place_not_found`, also for another merchant's place.
    package mutating func customers(
        near merchant: PartyID, place id: PlaceID?, freshness: Duration, limit: Int, at now: Timestamp
    ) throws(Fault) -> (nearest: [NearCustomer], total: Int) {
        var own = places.places(of: merchant)
        if let id {
            own = own.filter { $0.id == id }
            if own.isEmpty { throw Fault(.placeNotFound) }
        }
        let since = (now - min(freshness, rules.timeToLive)).milliseconds
        hits.removeAll(keepingCapacity: true)
        if own.count == 1 {
            positions.search(
                around: own[0].point, radiusMetres: rules.customersWithinMetres, since: since, into: &hits)
            let total = hits.count
            hits.keepNearest(limit)
            return (hits.map { near($0, own[0].id) }, total)
        }
        var nearest: [Int32: (hit: Hit, place: PlaceID)] = [:]
        for place in own {
            hits.removeAll(keepingCapacity: true)
            positions.search(
                around: place.point, radiusMetres: rules.customersWithinMetres, since: since, into: &hits)
            for hit in hits where hit.metres < nearest[hit.id]?.hit.metres ?? .infinity {
                nearest[hit.id] = (hit, place.id)
            }
        }
        hits = nearest.values.map(\.hit)
        hits.keepNearest(limit)
        return (hits.compactMap { hit in nearest[hit.id].map { near(hit, $0.place) } }, nearest.count)
    }

    /// Proves that a customer is at one of a merchant's places: as near, and with as fresh a fix, as `customers`
    /// requires.
    ///
    /// - Throws: `location.place_not_found`, also for another merchant's place; `location.presence_stale` for a
    ///   customer who does not share or has sent no fix lately; `location.presence_far`.
    package func presence(
        of customer: PartyID, at id: PlaceID?, of merchant: PartyID, at now: Timestamp
    ) throws(Fault) -> NearCustomer {
        let candidates = places.places(of: merchant).filter { id == nil || $0.id == id }
        guard !candidates.isEmpty else { throw Fault(.placeNotFound) }
        guard let known = position(of: customer, at: now), known.time > now - rules.freshness else {
            throw Fault(.presenceStale)
        }
        let near = candidates.map { (place: $0.id, metres: $0.point.metres(to: known.point)) }
            .min { $0.metres < $1.metres }
        guard let near, near.metres <= rules.customersWithinMetres else { throw Fault(.presenceFar) }
        return NearCustomer(customer: customer, place: near.place, metres: near.metres, time: known.time)
    }

    private func near(_ hit: Hit, _ place: PlaceID) -> NearCustomer {
        NearCustomer(
            customer: people[Int(hit.id)].customer, place: place, metres: hit.metres,
            time: Timestamp(milliseconds: hit.time))
    }

    /// Finds places near the customer's last position, nearest first. Returns at most `limit`, and the number of all.
    ///
    /// - Throws: `location.position_unknown`.
    package mutating func merchants(
        near customer: PartyID, limit: Int, at now: Timestamp
    ) throws(Fault) -> (nearest: [(place: MerchantPlace, metres: Double)], total: Int) {
        guard let known = position(of: customer, at: now) else { throw Fault(.positionUnknown) }
        hits.removeAll(keepingCapacity: true)
        places.grid.search(around: known.point, radiusMetres: rules.merchantsWithinMetres, into: &hits)
        if !hidden.isEmpty { hits.removeAll { hidden[places[number: $0.id].merchant].map { $0 > now } ?? false } }
        let total = hits.count
        hits.keepNearest(limit)
        return (hits.map { (places[number: $0.id], $0.metres) }, total)
    }

    // MARK: Places

    /// Shows the places of those merchants to nobody until then whom nobody has approved. One without an approval that
    /// is known stays as it was: hidden, or shown.
    ///
    /// - Returns: those that are hidden.
    package mutating func hide(
        _ merchants: [PartyID], by approvals: [PartyID: Bool], until end: Timestamp
    ) -> [PartyID] {
        merchants.filter { merchant in
            let isHidden = approvals[merchant].map { !$0 } ?? (hidden[merchant] != nil)
            hidden[merchant] = isHidden ? end : nil
            return isHidden
        }
    }

    package mutating func show(_ merchant: PartyID) { hidden[merchant] = nil }

    package func places(of merchant: PartyID) -> [MerchantPlace] { places.places(of: merchant) }

    /// Adds or changes a place. Visits to a place that has moved end; the next fixes begin new ones.
    package mutating func put(_ place: MerchantPlace, at now: Timestamp, because cause: Cause?) {
        if let known = places[place.id], known.point != place.point { closeVisits(at: known, now, because: cause) }
        places.put(place)
    }

    package mutating func remove(_ id: PlaceID, at now: Timestamp, because cause: Cause?) {
        guard let known = places[id] else { return }
        closeVisits(at: known, now, because: cause)
        places.remove(id)
    }

    private mutating func closeVisits(at place: MerchantPlace, _ now: Timestamp, because cause: Cause?) {
        guard let number = places.number(place.id) else { return }
        hits.removeAll(keepingCapacity: true)
        // Customers farther away are on no visit here, except those who have sent no fix since the start.
        positions.search(around: place.point, radiusMetres: rules.fence.surelyLeftMetres, into: &hits)
        for person in hits.map(\.id) + Array(awaited) where visits[person, number] != nil {
            close(person, number, at: now, .removed, because: cause)
        }
    }

    // MARK: Fences

    private mutating func checkFences(
        _ person: Int32, at point: Coordinate, _ time: Timestamp, because cause: () -> Cause?
    ) {
        if visits.has(person) {
            for (number, before) in visits.visits(of: person) {
                var visit: Visit? = before
                let metres = point.metres(to: places[number: number].point)
                guard let event = rules.fence.step(&visit, metres: metres, at: time) else {
                    if visit != before { visits[person, number] = visit }
                    continue
                }
                visits[person, number] = visit
                switch event {
                case .exited(let left):
                    record(.exited(.left), person, number, before, at: left, because: cause())
                case .dwelled, .entered: record(.dwelled, person, number, before, at: time, because: cause())
                }
            }
        }
        hits.removeAll(keepingCapacity: true)
        places.grid.search(around: point, radiusMetres: rules.fence.enterMetres, into: &hits)
        guard !hits.isEmpty else { return }
        hits.sort(by: Hit.isNearer)
        for hit in hits where visits[person, hit.id] == nil {
            var visit: Visit?
            guard rules.fence.step(&visit, metres: hit.metres, at: time) == .entered, let opened = visit else {
                continue
            }
            visits[person, hit.id] = opened
            record(.entered, person, hit.id, opened, at: time, because: cause())
        }
    }

    /// Ends the visits of a customer who has sent no fix for longer than a position is kept.
    private mutating func closeLapsed(_ person: Int32, by time: Timestamp, because cause: Cause?) {
        awaited.remove(person)
        guard let last = positions[person] else { return }
        let lapsed = Timestamp(milliseconds: last.time) + rules.timeToLive
        if time >= lapsed { closeVisits(of: person, at: lapsed, .forgotten, because: cause) }
    }

    private mutating func closeVisits(
        of person: Int32, at time: Timestamp, _ reason: Location.ExitReason, because cause: Cause?
    ) {
        for (number, _) in visits.visits(of: person) { close(person, number, at: time, reason, because: cause) }
    }

    private mutating func close(
        _ person: Int32, _ place: Int32, at time: Timestamp, _ reason: Location.ExitReason, because cause: Cause?
    ) {
        guard let visit = visits[person, place] else { return }
        visits[person, place] = nil
        record(.exited(reason), person, place, visit, at: max(time, visit.entered), because: cause)
    }

    private mutating func record(
        _ kind: FenceChange.Kind, _ person: Int32, _ place: Int32, _ visit: Visit, at time: Timestamp,
        because cause: Cause?
    ) {
        let published = max(time.milliseconds, people[Int(person)].published)
        people[Int(person)].published = published
        noteChange(person)
        let place = places[number: place]
        record(
            kind, people[Int(person)].customer, place.id, place.merchant, visit,
            at: Timestamp(milliseconds: published), because: cause)
    }

    private mutating func record(
        _ kind: FenceChange.Kind, _ customer: PartyID, _ place: PlaceID, _ merchant: PartyID, _ visit: Visit,
        at time: Timestamp, because cause: Cause?
    ) {
        changesMade += 1
        changes.append(
            FenceChange(
                number: changesMade, kind: kind, customer: customer, place: place, merchant: merchant,
                entered: visit.entered, time: time, cause: cause))
    }

    package var hasChanges: Bool { !changes.isEmpty }

    /// Returns the changes since the last call, in order.
    package mutating func takeChanges() -> [FenceChange] {
        defer { changes.removeAll() }
        return changes
    }

    /// Returns changes that could not be published to their place in the order.
    package mutating func giveBack(_ unpublished: [FenceChange]) {
        changes = (unpublished + changes).sorted { $0.number < $1.number }
    }

    // MARK: Time

    /// Forgets expired positions in the next of so many parts of all customers. So many calls go through all of them.
    ///
    /// A late call delays exits and costs memory; expired positions are never read.
    package mutating func sweep(parts: Int, at now: Timestamp) {
        if !awaited.isEmpty, now >= awaitedUntil {
            for number in awaited { closeVisits(of: number, at: awaitedUntil, .forgotten, because: nil) }
            awaited = []
        }
        for _ in 0..<min(people.count / parts + 1, people.count) {
            swept = swept + 1 < people.count ? swept + 1 : 0
            let number = Int32(swept)
            guard let entry = positions[number] else { continue }
            if Timestamp(milliseconds: entry.time) + rules.timeToLive <= now {
                forget(number, at: now, because: nil)
            }
        }
    }

    // MARK: Hand-over

    /// What is known of a customer in memory only.
    package struct Trace: Sendable {
        package var customer: PartyID
        /// Fixes up to this time, in milliseconds, are too late.
        package var newest: Int64
        /// The time of the last change at a fence, in milliseconds.
        package var published: Int64
        package var position: PointGrid.Entry?

        package init(customer: PartyID, newest: Int64, published: Int64, position: PointGrid.Entry?) {
            (self.customer, self.newest, self.published) = (customer, newest, published)
            self.position = position
        }
    }

    package mutating func follow(_ isFollowed: Bool) { followed = isFollowed ? ChangeLog() : nil }

    /// Traces from one number on, and the number to go on from; nil at the end.
    package func traces(from start: Int, limit: Int) -> (traces: [Trace], next: Int?) {
        let begin = min(people.count, max(0, start))
        let end = min(people.count, begin + limit)
        let numbers = begin..<end
        let traces = numbers.map { people[$0].customer }.compactMap(trace(of:))
        return (traces, end < people.count ? end : nil)
    }

    /// Customers whose traces have changed after a number of the log of changes.
    package func changes(after number: Int64, limit: Int) -> (keys: [PartyID], next: Int64, isEnd: Bool) {
        followed?.page(after: number, limit: limit) ?? ([], number, true)
    }

    /// Nil for a customer who does not share.
    package func trace(of customer: PartyID) -> Trace? {
        numbers[customer].map { number in
            let person = people[Int(number)]
            return Trace(
                customer: customer, newest: person.newest, published: person.published, position: positions[number])
        }
    }

    /// Puts a trace that another process had in its place.
    package mutating func restore(_ trace: Trace) {
        guard let number = numbers[trace.customer] else { return }
        people[Int(number)].newest = trace.newest
        people[Int(number)].published = max(people[Int(number)].published, trace.published)
        guard let position = trace.position else {
            positions.remove(number)
            return
        }
        positions.put(number, at: position.coordinate, time: position.time)
        // The visits end with the position, as if it had been sent to this process.
        awaited.remove(number)
    }

    // MARK: Start

    /// Resumes a visit that was published before the process ended. It ends if its customer sends no fix for as long as
    /// a position is kept. It ends now if that time is over, the customer no longer shares, or the place is gone.
    ///
    /// - Parameter alive: when the earlier process ran last, to within `aliveInterval`.
    package mutating func resume(_ stored: StoredVisit, startedAt now: Timestamp, lastAlive alive: Timestamp?) {
        let seen = max(alive ?? stored.visit.entered, stored.visit.entered)
        let lapsed = seen + LocationRules.aliveInterval + rules.timeToLive
        guard now < lapsed else {
            return record(
                .exited(.forgotten), stored.customer, stored.place, stored.merchant, stored.visit,
                at: seen + rules.timeToLive, because: nil)
        }
        guard let number = places.number(stored.place), let person = numbers[stored.customer] else {
            let reason = numbers[stored.customer] == nil ? Location.ExitReason.forgotten : .removed
            return record(
                .exited(reason), stored.customer, stored.place, stored.merchant, stored.visit,
                at: max(now, stored.visit.entered), because: nil)
        }
        visits[person, number] = stored.visit
        people[Int(person)].published = max(people[Int(person)].published, stored.visit.entered.milliseconds)
        // With a position that was handed over, the visit ends as that does.
        guard positions[person] == nil else { return }
        awaited.insert(person)
        awaitedUntil = min(now + rules.timeToLive, max(awaitedUntil, lapsed))
    }
}

/// A visit as it was stored when its beginning was published.
package struct StoredVisit: Sendable, Equatable {
    package let customer: PartyID
    package let place: PlaceID
    package let merchant: PartyID
    package let visit: Visit

    package init(customer: PartyID, place: PlaceID, merchant: PartyID, visit: Visit) {
        self.customer = customer
        self.place = place
        self.merchant = merchant
        self.visit = visit
    }
}
