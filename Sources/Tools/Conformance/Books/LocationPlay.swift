import Bus
import Contracts
import Glibc
import Primitives
import Wire

/// Plays steps with location and with its model, and compares what comes back, what is known and what is published.
actor LocationPlay {
    private let trial: Trial
    private let log: FactLog
    private let customers: [PartyID]
    private let merchants: [PartyID]
    private let places: [PlaceID]
    private let middle: (latitude: Double, longitude: Double)
    private let started: Int64
    private var book = LocationBook()
    private var cursor: Int64
    /// The time of each customer's last fact.
    private var latest: [PartyID: Timestamp] = [:]

    static func play(_ steps: [LocationStep], _ trial: Trial, isLong: Bool) async throws {
        let play = try await LocationPlay(trial)
        if isLong { try await play.shareAndRestart() }
        for step in steps { try await play.take(step) }
        try await play.compareAll()
        try await play.leave()
    }

    /// Another play may come near.
    private func leave() async throws {
        for (place, merchant) in book.places.map({ ($0.number, $0.merchant) }) { try await remove(place, merchant) }
        for customer in 0..<customers.count where book.isSharing(customer) { try await share(customer, false) }
    }

    private init(_ trial: Trial) async throws {
        let world = trial.world
        self.trial = trial
        log = FactLog(asker: trial.asker)
        customers = (0..<LocationStep.customerCount).map { _ in world.id() }
        merchants = (0..<LocationStep.merchantCount).map { _ in world.id() }
        places = (0..<LocationStep.placeCount).map { _ in world.id() }
        let isAtTheEdge = Int.random(in: 0..<4) == 0
        middle = (
            .random(in: -70...70),
            isAtTheEdge ? 179.9995 : .random(in: -170...170)
        )
        started = trial.asker.now.milliseconds
        cursor = try await trial.head()
    }

    /// After a restart no beginning of sharing is known: fixes of the last quarter of an hour count.
    private func shareAndRestart() async throws {
        for customer in 0..<customers.count { try await take(.share(customer, true)) }
        try await take(.restart)
    }

    // MARK: One step

    private func take(_ step: LocationStep) async throws {
        switch step {
        case .share(let customer, let sharing): try await share(customer, sharing)
        case .update(let customer, let spot, let when): try await update(customer, spot, when)
        case .updates(let fixes): try await updates(fixes)
        case .forget(let customer): try await forget(customer)
        case .put(let place, let merchant, let spot, let name): try await put(place, merchant, spot, name)
        case .remove(let place, let merchant): try await remove(place, merchant)
        case .customers(let merchant, let place, let fresh, let limit):
            try await findCustomers(merchant, place, fresh, limit)
        case .merchants(let customer, let limit): try await findMerchants(customer, limit)
        case .prove(let customer, let place, let merchant): try await prove(customer, place, merchant)
        case .restart: try await restart()
        }
    }

    private func share(_ customer: Int, _ sharing: Bool) async throws {
        let (reply, now) = try await reply(Location.SetSharing(customer: customers[customer], sharing: sharing))
        try require(
            reply.sharing == sharing && reply.customer == customers[customer],
            "that sharing is \(sharing) reads otherwise")
        if sharing {
            book.share(customer, at: now)
            try await expect([])
        } else {
            try await expect(book.unshare(customer, at: now))
        }
        try await comparePosition(of: customer)
    }

    private func update(_ customer: Int, _ spot: LocationStep.Spot, _ when: LocationStep.When) async throws {
        let (latitude, longitude) = point(spot)
        try await trial.nextMillisecond()
        let asked = trial.asker.now.milliseconds
        let given = time(when, asked)
        // Tried on a copy: what depends on moments that are not known is not asked.
        var trying = book
        guard
            trying.update(
                customer, latitude: latitude, longitude: longitude, given: given, at: Span(asked, asked + 5000)) != nil
                || given == nil || given == asked
        else { return }
        let ask = Location.UpdatePosition(
            customer: customers[customer], latitude: latitude, longitude: longitude,
            time: given.map { Timestamp(milliseconds: $0) })
        let (answer, now) = try await timed(ask)
        guard
            let expected = book.update(
                customer, latitude: latitude, longitude: longitude, given: given, at: Span(asked, now.latest))
        else { throw CannotCheck("the time of a fix cannot be judged: the machine is too slow") }
        switch (expected.outcome, answer) {
        case (.updated(let outcome), .success(let reply)):
            try require(reply.outcome == outcome, "a fix is \(reply.outcome), and should be \(outcome)")
        case (.refused(let code), .failure(let refused)):
            try require(refused.code == code, "a fix is refused with \(refused.code), not with \(code)")
        case (.refused(let code), .success): throw Wrong("a fix is taken, and should be refused with \(code)")
        case (.updated, .failure(let refused)): throw Wrong("a fix is refused with \(refused.code)")
        }
        try await expect(expected.events)
        try await comparePosition(of: customer)
    }

    private func time(_ when: LocationStep.When, _ asked: Int64) -> Int64? {
        switch when {
        case .unstated: nil
        case .now: asked
        case .ago(let before): started - before
        case .ahead(let behind): asked + behind
        }
    }

    private func updates(_ steps: [LocationStep.Fix]) async throws {
        try await trial.nextMillisecond()
        let asked = trial.asker.now.milliseconds
        let fixes = steps.map { step in
            let (latitude, longitude) = point(step.spot)
            return (step.customer, latitude, longitude, time(step.when, asked))
        }
        var trying = book
        let areClear = fixes.allSatisfy { customer, latitude, longitude, given in
            trying.update(
                customer, latitude: latitude, longitude: longitude, given: given, at: Span(asked, asked + 5000)) != nil
        }
        guard areClear else { return }
        let ask = Location.UpdatePositions(
            fixes: fixes.map { customer, latitude, longitude, given in
                Location.Fix(
                    customer: customers[customer], latitude: latitude, longitude: longitude,
                    time: given.map { Timestamp(milliseconds: $0) })
            })
        let (reply, now) = try await reply(ask)
        var (counts, refused): ([Location.UpdateOutcome: Int64], [Location.UpdatePositions.Refused]) = ([:], [])
        var events: [[LocationBook.Event]] = []
        for (index, fix) in fixes.enumerated() {
            guard
                let expected = book.update(
                    fix.0, latitude: fix.1, longitude: fix.2, given: fix.3, at: Span(asked, now.latest))
            else { throw CannotCheck("the time of a fix cannot be judged: the machine is too slow") }
            switch expected.outcome {
            case .updated(let outcome): counts[outcome, default: 0] += 1
            case .refused(let code): refused.append(.init(index: Int64(index), code: code.code))
            }
            events += expected.events
        }
        let wanted = Location.UpdatePositions.Reply(
            stored: counts[.stored, default: 0], older: counts[.older, default: 0],
            expired: counts[.expired, default: 0], refused: refused)
        try require(reply == wanted, "fixes at once are answered with \(reply), and should be with \(wanted)")
        try await expect(events)
        for customer in Set(fixes.map(\.0)) { try await comparePosition(of: customer) }
    }

    private func forget(_ customer: Int) async throws {
        let (reply, now) = try await reply(Location.ForgetPosition(customer: customers[customer]))
        let (wasKnown, events) = book.forget(customer, at: now)
        try require(reply.forgotten == wasKnown, "'forgotten' is \(reply.forgotten), and should be \(wasKnown)")
        try await expect(events)
        try await comparePosition(of: customer)
        try await trial.nextMillisecond()
    }

    private func put(_ place: Int, _ merchant: Int, _ spot: LocationStep.Spot, _ name: Int) async throws {
        let (latitude, longitude) = point(spot)
        guard let point = Coordinate(latitude: latitude, longitude: longitude) else { return }
        let ask = Location.PutPlace(
            place: places[place], merchant: merchants[merchant], name: "Place \(name)", latitude: latitude,
            longitude: longitude)
        let (answer, now) = try await timed(ask)
        let put = LocationBook.Place(number: place, merchant: merchant, name: ask.name, point: point)
        switch (book.put(put, at: now), answer) {
        case (let events?, .success(let reply)):
            try require(reply == view(put), "a place is put otherwise than asked")
            try await expect(events)
        case (nil, .failure(let refused)):
            try require(refused.code == .placeIDReused, "another merchant's place is refused with \(refused.code)")
            try await expect([])
        case (nil, .success): throw Wrong("another merchant's place is put")
        case (_, .failure(let refused)): throw Wrong("a place is refused with \(refused.code)")
        }
        try await comparePlaces(of: merchant)
    }

    private func remove(_ place: Int, _ merchant: Int) async throws {
        let (reply, now) = try await reply(
            Location.RemovePlace(place: places[place], merchant: merchants[merchant]))
        let (wasThere, events) = book.remove(place, of: merchant, at: now)
        try require(reply.removed == wasThere, "'removed' is \(reply.removed), and should be \(wasThere)")
        try await expect(events)
        for merchant in 0..<merchants.count { try await comparePlaces(of: merchant) }
    }

    private func restart() async throws {
        guard let process = trial.process, book.survivesRestart else { return }
        await process.send(SIGKILL)
        try await process.awaitEnd(seconds: 5)
        try await process.startAgain()
        book.restart()
        try await compareAll()
    }

    // MARK: What is shown

    private func findCustomers(_ merchant: Int, _ place: Int?, _ fresh: Int64?, _ limit: Int) async throws {
        let now = trial.asker.now.milliseconds
        let expected = book.customers(
            near: merchant, place: place, freshMilliseconds: (fresh ?? 600) * 1000, at: now)
        guard let expected else { return }
        let (answer, _) = try await timed(
            Location.FindCustomers(
                merchant: merchants[merchant], place: place.map { places[$0] }, freshSeconds: fresh, limit: limit))
        let isOwn = place.map { number in book.places(of: merchant).contains { $0.number == number } } ?? true
        switch answer {
        case .failure(let refused):
            try require(
                !isOwn && refused.code == .placeNotFound, "customers near places are refused with \(refused.code)")
        case .success(let reply):
            try require(isOwn, "customers near another merchant's place are shown")
            try require(
                reply.total == Int64(expected.count),
                "\(reply.total) customers are near, and should be \(expected.count)")
            try require(
                reply.customers.count == min(limit, expected.count),
                "\(reply.customers.count) customers are shown of \(expected.count), at most \(limit)")
            for (shown, near) in zip(reply.customers, expected) {
                // Of customers, and of places, as near either may come first.
                let isTied = expected.contains { $0.customer != near.customer && $0.metres == near.metres }
                let isPlaceTied = book.isAtOnePoint(near.place, with: places.firstIndex(of: shown.place))
                try require(
                    (shown.customer == customers[near.customer] || isTied)
                        && (shown.place == places[near.place] || isPlaceTied || isTied),
                    "not the nearest customers are shown, the nearest first")
                try require(
                    shown.distanceMetres == LocationBook.coarse(near.metres),
                    "a customer who is \(near.metres) m away is shown at \(shown.distanceMetres) m")
                try require(
                    isTied || book.position(of: near.customer)?.time.contains(shown.time) == true,
                    "a customer is shown with the time of another fix")
            }
        }
    }

    private func findMerchants(_ customer: Int, _ limit: Int) async throws {
        let expected = book.merchants(near: customer)
        let (answer, _) = try await timed(Location.FindMerchants(customer: customers[customer], limit: limit))
        switch (expected, answer) {
        case (nil, .failure(let refused)):
            try require(refused.code == .positionUnknown, "merchants are refused with \(refused.code)")
        case (nil, .success): throw Wrong("merchants are shown to a customer of whom no position is known")
        case (_, .failure(let refused)): throw Wrong("merchants are refused with \(refused.code)")
        case (let expected?, .success(let reply)):
            try require(
                reply.total == Int64(expected.count), "\(reply.total) places are near, and should be \(expected.count)")
            try require(
                reply.merchants.count == min(limit, expected.count),
                "\(reply.merchants.count) places are shown of \(expected.count), at most \(limit)")
            for (shown, near) in zip(reply.merchants, expected) {
                let wanted = view(near.place)
                let had = Location.PlaceView(
                    place: shown.place, merchant: shown.merchant, name: shown.name, latitude: shown.latitude,
                    longitude: shown.longitude)
                // Of places at one point either may come first.
                let isTied = expected.contains { $0.place != near.place && $0.metres == near.metres }
                try require(had == wanted || isTied, "not the nearest places are shown, the nearest first")
                try require(
                    shown.distanceMetres == Int64(near.metres.rounded(.up)),
                    "a place that is \(near.metres) m away is shown at \(shown.distanceMetres) m")
            }
        }
    }

    private func prove(_ customer: Int, _ place: Int?, _ merchant: Int) async throws {
        let now = trial.asker.now.milliseconds
        guard let expected = book.presence(of: customer, at: place, of: merchant, now: now) else { return }
        let (answer, _) = try await timed(
            Location.ProvePresence(
                customer: customers[customer], merchant: merchants[merchant], place: place.map { places[$0] }))
        switch (expected, answer) {
        case (.success(let metres), .success(let presence)):
            let isNamed = place.map { presence.place == places[$0] } ?? places.contains(presence.place)
            try require(isNamed, "the presence at another place is proved")
            try require(
                presence.distanceMetres == LocationBook.coarse(metres),
                "a customer who is \(metres) m away is proved at \(presence.distanceMetres) m")
            try require(
                book.position(of: customer)?.time.contains(presence.time) == true,
                "a presence is proved with the time of another fix")
        case (.failure(let refusal), .failure(let refused)):
            try require(
                refused.code == refusal.code, "a presence is refused with \(refused.code), not with \(refusal.code)")
        case (.failure(let refusal), .success):
            throw Wrong("a presence is proved that should be refused with \(refusal.code)")
        case (.success, .failure(let refused)): throw Wrong("a presence is refused with \(refused.code)")
        }
    }

    // MARK: What is known

    private func compareAll() async throws {
        for customer in 0..<customers.count { try await comparePosition(of: customer) }
        for merchant in 0..<merchants.count { try await comparePlaces(of: merchant) }
        try await expect([])
    }

    private func comparePosition(of customer: Int) async throws {
        let (sharing, _) = try await reply(Location.ReadSharing(customer: customers[customer]))
        try require(
            sharing.sharing == book.isSharing(customer), "'sharing' is \(sharing.sharing), and should not be")
        try require(
            sharing.keptSeconds * 1000 == LocationBook.keptMilliseconds,
            "a position is kept for \(sharing.keptSeconds) s")
        let (answer, _) = try await timed(Location.ReadPosition(customer: customers[customer]))
        switch (book.position(of: customer), answer) {
        case (nil, .failure(let refused)):
            try require(refused.code == .positionUnknown, "a position is refused with \(refused.code)")
        case (nil, .success): throw Wrong("a position is known that should not be")
        case (_, .failure): throw Wrong("a position is not known that should be")
        case (let known?, .success(let position)):
            try require(
                position.latitude == Int64(known.point.latitude) && position.longitude == Int64(known.point.longitude),
                "another position is known than the last one")
            try require(known.time.contains(position.time), "the position has another time than its fix")
            try require(
                position.expires == position.time + .milliseconds(LocationBook.keptMilliseconds),
                "a position expires \(position.expires - position.time) after its fix")
        }
    }

    private func comparePlaces(of merchant: Int) async throws {
        let (reply, _) = try await reply(Location.ReadPlaces(merchant: merchants[merchant]))
        try require(
            reply.places == book.places(of: merchant).map(view), "a merchant's places are not those put, in their order"
        )
    }

    /// The facts about these customers since the last look are these, each once, in this order.
    private func expect(_ groups: [[LocationBook.Event]]) async throws {
        let ids = Set(customers.map(\.hex))
        var facts = try await log.facts(after: cursor)
        cursor = facts.last?.sequence ?? cursor
        facts.removeAll { !$0.names(any: ids) }
        var told = facts[...]
        for group in groups where !group.isEmpty {
            var left = group
            for _ in group {
                guard let fact = told.popFirst() else { throw Wrong("\(words(left[0])) is not in its log") }
                let said = Told(fact)
                guard let said, let index = left.firstIndex(where: { isSame(said, $0) }) else {
                    throw Wrong("its log has \(fact.type) \(fact.data.text), and should have \(words(left[0]))")
                }
                try require(
                    latest[said.customer].map { $0 <= said.time } ?? true,
                    "the time of \(fact.type) \(fact.data.text) is before that of the customer's last fact")
                latest[said.customer] = said.time
                left.remove(at: index)
            }
        }
        if let more = told.first { throw Wrong("its log has \(more.type) \(more.data.text), which has not happened") }
    }

    /// What a fact at a fence says; nil for what is none.
    private struct Told {
        let kind: LocationBook.Event.Kind
        let customer: PartyID
        let place: PlaceID
        let merchant: PartyID
        let entered: Timestamp
        let time: Timestamp

        init?(_ fact: LoggedFact) {
            let json = Array(fact.data.text.utf8)
            switch fact.type {
            case Location.FenceEntered.type.name:
                guard let told = try? Location.FenceEntered(json: json) else { return nil }
                (kind, customer, place, merchant) = (.entered, told.customer, told.place, told.merchant)
                (entered, time) = (told.time, told.time)
            case Location.FenceDwelled.type.name:
                guard let told = try? Location.FenceDwelled(json: json) else { return nil }
                (kind, customer, place, merchant) = (.dwelled, told.customer, told.place, told.merchant)
                (entered, time) = (told.entered, told.time)
            case Location.FenceExited.type.name:
                guard let told = try? Location.FenceExited(json: json) else { return nil }
                (kind, customer, place, merchant) = (.exited(told.reason), told.customer, told.place, told.merchant)
                (entered, time) = (told.entered, told.time)
            default: return nil
            }
        }
    }

    private func isSame(_ told: Told, _ event: LocationBook.Event) -> Bool {
        told.kind == event.kind && told.customer == customers[event.customer]
            && told.place == places[event.place] && told.merchant == merchants[event.merchant]
            && event.time.contains(told.time) && (event.kind == .entered || event.entered.contains(told.entered))
    }

    private func words(_ event: LocationBook.Event) -> String {
        func words(_ span: Span) -> String { Timestamp(milliseconds: span.latest).rfc3339 }
        let begun = event.kind == .entered ? "" : ", with 'entered' \(words(event.entered))"
        return "customer \(customers[event.customer].hex) \(event.kind) place \(places[event.place].hex) at "
            + words(event.time) + begun
    }

    // MARK: Asking

    private func timed<A: Ask>(_ ask: A) async throws -> (answer: Result<A.Reply, LocationBook.Refusal>, now: Span) {
        let before = trial.asker.now.milliseconds
        let answer = try await trial.asker.answer(ask)
        let now = Span(before, trial.asker.now.milliseconds)
        switch answer {
        case .reply(let data): return (.success(try trial.asker.decode(A.self, data)), now)
        case .fault(let fault): return (.failure(LocationBook.Refusal(fault.code)), now)
        }
    }

    private func reply<A: Ask>(_ ask: A) async throws -> (reply: A.Reply, now: Span) {
        let (answer, now) = try await timed(ask)
        switch answer {
        case .success(let reply): return (reply, now)
        case .failure(let refused): throw Wrong("\(A.type) is refused with \(refused.code)")
        }
    }

    private func view(_ place: LocationBook.Place) -> Location.PlaceView {
        Location.PlaceView(
            place: places[place.number], merchant: merchants[place.merchant], name: place.name,
            latitude: Int64(place.point.latitude), longitude: Int64(place.point.longitude))
    }

    private func point(_ spot: LocationStep.Spot) -> (latitude: Int64, longitude: Int64) {
        let angle = spot.degrees * .pi / 180
        let north = spot.metres * cos(angle) / FlatEarth.metresPerMillionth
        let east = spot.metres * sin(angle) / FlatEarth.metresPerMillionth / cos(middle.latitude * .pi / 180)
        var longitude = Int64((middle.longitude * 1_000_000 + east).rounded())
        if longitude > 180_000_000 { longitude -= FlatEarth.turn }
        return (Int64((middle.latitude * 1_000_000 + north).rounded()), longitude)
    }
}
