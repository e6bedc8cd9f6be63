import Contracts
import Primitives

extension Location: Specified {
    package static var specification: Specification { .location }
}

extension Specification {
    static let location = Specification(
        service: Location.service, needs: [Auth.service],
        examples: locationOwn + locationPlaces + locationNear,
        log: FactsSpecification(Location.self) { trial in
            // Coming to a place is told of.
            let place = try await trial.asker.ask(newPlace(trial.world))
            _ = try await sharing(trial.world, at: place)
        },
        load: Specification.putPlace.load, others: LocationRules.all + walks)

    /// Random walks among places, in location and in the kit's model of it.
    private static let walks: [Case] = [
        Case(
            "location/walks",
            "in random sequences of asks, positions, places, distances, radii and facts are those of the rules",
            .changing
        ) { trial in
            try await RandomSequences(step: LocationStep.random(isLong: false)) { steps in
                try await LocationPlay.play(steps, trial, isLong: false)
            }.run(seed: trial.seed, count: 16, length: 60)
        },
        Case(
            "location/visits",
            "in a visit of ten minutes, and in random sequences over minutes and restarts, dwelling, freshness, exits "
                + "and what is kept are those of the rules",
            .controlling
        ) { trial in
            try await RandomSequences(attemptsMax: 30, step: LocationStep.random(isLong: true)) { steps in
                try await LocationPlay.play(steps, trial, isLong: true)
            }.run(first: LocationStep.visit, seed: trial.seed, count: 12, length: 80)
        }
    ]

    // Somewhere on land, each time elsewhere: places of other runs are not near.

    private static func newPlace(_ world: World) -> Location.PutPlace {
        Location.PutPlace(
            place: world.id(), merchant: world.id(), name: "Conformance",
            latitude: .random(in: -60_000_000...60_000_000),
            longitude: .random(in: -170_000_000...170_000_000))
    }

    private static func placed(_ world: World) async throws -> Location.PlaceView {
        try await world.ask(newPlace(world))
    }

    /// A customer who shares and is at a place.
    private static func sharing(_ world: World, at place: Location.PlaceView) async throws -> PartyID {
        let customer: PartyID = world.id()
        _ = try await world.ask(Location.SetSharing(customer: customer, sharing: true))
        _ = try await world.ask(
            Location.UpdatePosition(customer: customer, latitude: place.latitude, longitude: place.longitude))
        return customer
    }

    private static let putPlace = Example(
        nobody: Location.PutPlace(place: nobody(), merchant: nobody(), name: "Nobody's", latitude: 0, longitude: 0),
        make: { world in newPlace(world) },
        shows: { ask, world in [try await world.reading(Location.ReadPlaces(merchant: ask.merchant))] },
        expect: { ask, place, world in
            let read = try await world.ask(Location.ReadPlaces(merchant: ask.merchant)).places
            try require(read == [place], "the place was not kept")
        })

    private static let locationOwn: [any AskExample] = [
        Example(
            nobody: Location.UpdatePosition(customer: nobody(), latitude: 0, longitude: 0),
            nobodyFinds: .refused(.sharingOff),
            make: { world in
                let customer: PartyID = world.id()
                _ = try await world.ask(Location.SetSharing(customer: customer, sharing: true))
                let place = try await placed(world)
                return Location.UpdatePosition(
                    customer: customer, latitude: place.latitude, longitude: place.longitude, time: world.now)
            },
            shows: { ask, world in [try await world.reading(Location.ReadPosition(customer: ask.customer))] },
            isKept: false,
            expect: { ask, reply, world in
                try require(reply.outcome == .stored, "a first position is \(reply.outcome)")
                let read = try await world.ask(Location.ReadPosition(customer: ask.customer))
                try require(
                    (read.latitude, read.longitude) == (ask.latitude, ask.longitude), "another position is known")
            }),
        Example(
            nobody: Location.UpdatePositions(fixes: []), nobodyFinds: .replied,
            make: { world in
                let customer: PartyID = world.id()
                _ = try await world.ask(Location.SetSharing(customer: customer, sharing: true))
                return Location.UpdatePositions(fixes: [
                    .init(customer: customer, latitude: 1, longitude: 1, time: world.now),
                    .init(customer: world.id(), latitude: 1, longitude: 1)
                ])
            },
            shows: { ask, world in
                guard let fix = ask.fixes.first else { return [] }
                return [try await world.reading(Location.ReadPosition(customer: fix.customer))]
            },
            isKept: false,
            expect: { _, reply, _ in
                try require(
                    reply.stored == 1 && reply.refused == [.init(index: 1, code: FaultCode.sharingOff.code)],
                    "of one who shares and one who does not, not the first alone is stored")
            }),
        Example(
            nobody: Location.ReadPosition(customer: nobody()), nobodyFinds: .refused(.positionUnknown),
            make: { world in Location.ReadPosition(customer: try await sharing(world, at: try await placed(world))) },
            expect: { _, position, world in try require(position.expires > world.now, "the position has expired") }),
        Example(
            nobody: Location.ForgetPosition(customer: nobody()), nobodyFinds: .replied,
            make: { world in Location.ForgetPosition(customer: try await sharing(world, at: try await placed(world))) },
            isHarmless: false,
            shows: { ask, world in [try await world.reading(Location.ReadPosition(customer: ask.customer))] },
            expect: { _, reply, _ in try require(reply.forgotten, "a known position was not forgotten") }),
        Example(
            nobody: Location.SetSharing(customer: nobody(), sharing: false),
            make: { world in Location.SetSharing(customer: world.id(), sharing: true) },
            shows: { ask, world in [try await world.reading(Location.ReadSharing(customer: ask.customer))] },
            expect: { ask, view, world in
                let read = try await world.ask(Location.ReadSharing(customer: ask.customer))
                try require(view.sharing && read == view, "that a customer shares was not kept")
            }),
        Example(
            nobody: Location.ReadSharing(customer: nobody()), nobodyFinds: .replied,
            make: { world in Location.ReadSharing(customer: world.id()) },
            expect: { _, view, _ in try require(!view.sharing, "a customer who said nothing shares") })
    ]

    private static let locationPlaces: [any AskExample] = [
        putPlace,
        Example(
            nobody: Location.RemovePlace(place: nobody(), merchant: nobody()), nobodyFinds: .replied,
            make: { world in
                let place = try await placed(world)
                return Location.RemovePlace(place: place.place, merchant: place.merchant)
            },
            isHarmless: false,
            shows: { ask, world in [try await world.reading(Location.ReadPlaces(merchant: ask.merchant))] },
            expect: { _, reply, _ in try require(reply.removed, "a place was not removed") }),
        Example(
            nobody: Location.ReadPlaces(merchant: nobody()), nobodyFinds: .replied,
            make: { world in Location.ReadPlaces(merchant: try await placed(world).merchant) },
            expect: { _, reply, _ in try require(reply.places.count == 1, "one place reads as \(reply.places.count)") })
    ]

    private static let locationNear: [any AskExample] = [
        Example(
            nobody: Location.FindCustomers(merchant: nobody(), limit: 1), nobodyFinds: .replied,
            make: { world in
                let place = try await placed(world)
                _ = try await sharing(world, at: place)
                return Location.FindCustomers(merchant: place.merchant, place: place.place, limit: 10)
            },
            expect: { _, reply, _ in
                try require(reply.total == 1 && reply.customers.count == 1, "a customer at the place is not found")
                // Rounded up.
                try require(reply.customers[0].distanceMetres <= 25, "a customer at the place is away from it")
            }),
        Example(
            nobody: Location.FindMerchants(customer: nobody(), limit: 1), nobodyFinds: .refused(.positionUnknown),
            make: { world in
                Location.FindMerchants(customer: try await sharing(world, at: try await placed(world)), limit: 10)
            },
            expect: { _, reply, _ in try require(reply.total >= 1, "a place where the customer is, is not found") }),
        Example(
            nobody: Location.FindNear(merchants: [nobody()], latitude: 0, longitude: 0, radiusMetres: 1),
            nobodyFinds: .replied,
            make: { world in
                let place = try await placed(world)
                return Location.FindNear(
                    merchants: [place.merchant, world.id()], latitude: place.latitude, longitude: place.longitude,
                    radiusMetres: 1)
            },
            expect: { ask, reply, _ in
                try require(
                    reply.merchants == [Location.NearMerchant(merchant: ask.merchants[0], distanceMetres: 0)],
                    "not just the merchant at the point is near it")
            }),
        Example(
            nobody: Location.ProvePresence(customer: nobody(), merchant: nobody(), place: nobody()),
            nobodyFinds: .refused(.placeNotFound),
            make: { world in
                let place = try await placed(world)
                return Location.ProvePresence(
                    customer: try await sharing(world, at: place), merchant: place.merchant, place: place.place)
            },
            expect: { ask, presence, _ in try require(presence.place == ask.place, "it is another place") }),
        Example(table: .merchantLocation, of: Location.self), Example(facts: Location.self),
        Example(stats: Location.self),
        Example(spans: Location.self),
        Example(backup: Location.self),
        Example(follow: Location.self), Example(state: Location.self), Example(seal: Location.self)
    ]
}
