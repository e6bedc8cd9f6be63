import Contracts
import Primitives

/// Cases of the rules of location that need no model.
enum LocationRules {
    static let all: [Case] = [names, shownNames, placesMax, pages, approval]

    /// How long an answer may be without what auth says: it does not answer in time, or its fact is on its way.
    private static let patience = Duration.seconds(5)
    /// Pages are read so often: one may be wrong once in fifty.
    private static let rounds = 32
    /// Some ten metres to the north, in millionths of a degree.
    private static let tenMetres: Int64 = 90

    /// Somewhere on land, each time elsewhere: places of other runs are not near.
    private static func somewhere() -> (latitude: Int64, longitude: Int64) {
        (.random(in: -60_000_000...60_000_000), .random(in: -170_000_000...170_000_000))
    }

    private static func put(
        _ name: String = "Conformance", of merchant: PartyID, at spot: (latitude: Int64, longitude: Int64),
        north: Int64 = 0, _ trial: Trial
    ) async throws -> Location.PlaceView {
        try await trial.asker.ask(
            Location.PutPlace(
                place: trial.world.id(), merchant: merchant, name: name, latitude: spot.latitude + north,
                longitude: spot.longitude))
    }

    private static func share(
        _ customer: PartyID, at spot: (latitude: Int64, longitude: Int64), north: Int64 = 0, _ trial: Trial
    ) async throws {
        _ = try await trial.asker.ask(Location.SetSharing(customer: customer, sharing: true))
        _ = try await trial.asker.ask(
            Location.UpdatePosition(
                customer: customer, latitude: spot.latitude + north, longitude: spot.longitude))
    }

    /// Whether the names that auth has stand beside those who are near.
    private static let names: Case = Case(
        "location/names", "who is near is shown with the names that auth knows", .changing
    ) { trial in
        let world = trial.world
        let (customer, merchant) = (try await world.customer(), try await world.merchant())
        let spot = somewhere()
        let place = try await put(of: merchant, at: spot, trial)
        try await share(customer, at: spot, trial)
        let (account, owner) = (
            try await world.ask(Auth.ReadAccount(account: customer)),
            try await world.ask(Auth.ReadAccount(account: merchant))
        )
        // Absent while auth does not answer in time, and never another one.
        try await until("the customer is shown without the username \(account.username)") {
            let found = try await trial.asker.ask(
                Location.FindCustomers(merchant: merchant, place: place.place, limit: 10))
            let username = found.customers.first { $0.customer == customer }?.username
            try require(
                username == nil || username == account.username,
                "the account \(account.username) is shown as \(username ?? "nobody")")
            return username != nil
        }
        try await until("the merchant is shown without its names \(owner.username) and \(owner.name)") {
            let found = try await trial.asker.ask(Location.FindMerchants(customer: customer, limit: 10))
            let shown = found.merchants.first { $0.merchant == merchant }
            try require(
                shown?.username == nil || shown?.username == owner.username,
                "the account \(owner.username) is shown as \(shown?.username ?? "nobody")")
            try require(
                shown?.merchantName == nil || shown?.merchantName == owner.name,
                "the merchant \(owner.name) is shown as \(shown?.merchantName ?? "nobody")")
            return shown?.username != nil && shown?.merchantName != nil
        }
        _ = try await trial.asker.ask(Location.SetSharing(customer: customer, sharing: false))
        _ = try await trial.asker.ask(Location.RemovePlace(place: place.place, merchant: merchant))
    }

    private static func until(_ otherwise: String, _ holds: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + patience
        while try await !holds() {
            guard ContinuousClock.now < end else { throw Wrong("after \(patience) \(otherwise)") }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Names with what writing needs, and names that hide something, reorder the text around them or show nothing.
    private static let shownNames: Case = Case(
        "location/shown-names", "a place's name is a shown text of 1 to 100 bytes with something to see", .changing
    ) { trial in
        let merchant: PartyID = trial.world.id()
        let spot = somewhere()
        for name in shown { _ = try await put(name, of: merchant, at: spot, trial) }
        for name in hidden {
            let ask = Location.PutPlace(
                place: trial.world.id(), merchant: merchant, name: name, latitude: spot.latitude,
                longitude: spot.longitude)
            try await trial.expect(ask, refusedWith: .placeNameInvalid, when: "with the name \(name.debugDescription)")
        }
        let read = try await trial.asker.ask(Location.ReadPlaces(merchant: merchant)).places.map(\.name)
        try require(read == shown, "a merchant's places have the names \(read), and should have \(shown)")
    }

    private static let shown = [
        "Café Ægir", "喫茶店", " x ", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "\u{2764}\u{FE0F}",
        "\u{2764}\u{FE0F}\u{200D}\u{1F525}", "1\u{FE0F}\u{20E3}", "\u{0646}\u{200C}\u{0647}",
        "\u{0915}\u{094D}\u{200D}\u{0937}", "葛\u{E0100}", String(repeating: "x", count: 100)
    ]

    private static let hidden = [
        "", "   ", "\u{3000}", "\u{7}x", "a\u{2028}b", "a\u{200B}b", "a\u{202E}b", "a\u{2066}b", "a\u{AD}b",
        "a\u{FEFF}", "\u{3164}", "\u{E0041}", "a\u{FFF9}b", "a\u{200D}b", "a\u{200C}b", "\u{1F468}\u{200D}",
        "\u{1F468}\u{200D}b", "\u{0660}\u{200C}\u{0661}", "\u{FE0F}a", "a \u{FE0F}", "a\u{FE0F}\u{FE0F}",
        String(repeating: "x", count: 101), String(repeating: "é", count: 51)
    ]

    /// The hundred-and-first place of a merchant.
    private static let placesMax: Case = Case(
        "location/places", "a merchant has at most 100 places, and they are read in the order of their creation",
        .changing
    ) { trial in
        let merchant: PartyID = trial.world.id()
        var kept: [Location.PlaceView] = []
        for number in 1...100 {
            kept.append(try await put("Place \(number)", of: merchant, at: somewhere(), trial))
        }
        let (latitude, longitude) = somewhere()
        try await trial.expect(
            Location.PutPlace(
                place: trial.world.id(), merchant: merchant, name: "Place 101", latitude: latitude,
                longitude: longitude),
            refusedWith: .tooManyPlaces, when: "beside a hundred others")
        let read = try await trial.asker.ask(Location.ReadPlaces(merchant: merchant)).places
        try require(read == kept, "a merchant's places are not those put, in their order")
    }

    private static let pages: Case = Case(
        "location/pages",
        "who is near is read in pages: the nearest first, each once, with `next` on all pages but the last, and `total` "
            + "on all",
        .changing
    ) { trial in
        let (merchant, walker): (PartyID, PartyID) = (trial.world.id(), trial.world.id())
        let spot = somewhere()
        let stand = try await put(of: merchant, at: spot, trial)
        let customers: [PartyID] = (0..<5).map { _ in trial.world.id() }
        for (number, customer) in customers.enumerated() {
            try await share(customer, at: spot, north: tenMetres * Int64(number + 1), trial)
        }
        // Far from them: nobody else is near.
        let town = somewhere()
        var places: [PlaceID] = []
        for number in 1...5 {
            let owner: PartyID = trial.world.id()
            places.append(try await put(of: owner, at: town, north: tenMetres * Int64(number), trial).place)
        }
        try await share(walker, at: town, trial)
        let steps: [(skip: Int64?, shown: Range<Int>, next: Int64?)] = [
            (nil, 0..<2, 2), (0, 0..<2, 2), (2, 2..<4, 4), (3, 3..<5, nil), (4, 4..<5, nil), (5, 5..<5, nil),
            (100_000, 5..<5, nil)
        ]
        for _ in 0..<rounds {
            for step in steps {
                let found = try await trial.asker.ask(
                    Location.FindCustomers(merchant: merchant, place: stand.place, limit: 2, skip: step.skip))
                try check(found.customers.map(\.customer), found.total, found.next, customers, step)
                let there = try await trial.asker.ask(
                    Location.FindMerchants(customer: walker, limit: 2, skip: step.skip))
                try check(there.merchants.map(\.place), there.total, there.next, places, step)
            }
        }
    }

    private static func check<Subject>(
        _ page: [Identifier<Subject>], _ total: Int64, _ next: Int64?, _ all: [Identifier<Subject>],
        _ step: (skip: Int64?, shown: Range<Int>, next: Int64?)
    ) throws {
        let place = "behind the first \(step.skip ?? 0) of \(all.count)"
        try require(total == Int64(all.count), "\(place) 'total' is \(total)")
        let numbers = page.map { all.firstIndex(of: $0).map { $0 + 1 } ?? 0 }
        try require(
            page == Array(all[step.shown]),
            "a page of two \(place) has the numbers \(numbers), and should have \(step.shown.map { $0 + 1 })")
        try require(
            next == step.next,
            "\(place) 'next' is \(next.map(String.init) ?? "absent"), and should be "
                + (step.next.map(String.init) ?? "absent"))
    }

    /// What a merchant whom nobody has approved shows and sees, before and after it is decided on.
    private static let approval: Case = Case(
        "location/approval",
        "a merchant whom nobody has approved sees no customers, and its places are shown to nobody; a decision counts "
            + "for both",
        .changing
    ) { trial in
        let world = trial.world
        let customer: PartyID = world.id()
        let approved = try await world.newAccount(.merchant)
        let new = try await world.ask(world.registration(.merchant, isApproved: false)).account.account
        let spot = somewhere()
        // The hidden one is the nearest: pages pass over it.
        let hidden = try await put(of: new, at: spot, trial)
        let open = try await put(of: approved, at: spot, north: tenMetres, trial)
        try await share(customer, at: spot, trial)

        func expect(_ places: [PlaceID], _ customers: [PartyID], _ when: String) async throws {
            try await until("\(when) not just the places \(places.map(\.hex)) are shown, in pages") {
                let found = try await trial.asker.ask(Location.FindMerchants(customer: customer, limit: 1))
                let rest = try await trial.asker.ask(Location.FindMerchants(customer: customer, limit: 10, skip: 1))
                return (found.merchants + rest.merchants).map(\.place) == places
                    && found.total == Int64(places.count) && found.next == (places.count > 1 ? 1 : nil)
            }
            try await until("\(when) it sees not just the customers \(customers.map(\.hex))") {
                let found = try await trial.asker.ask(
                    Location.FindCustomers(merchant: new, place: hidden.place, limit: 10))
                return found.customers.map(\.customer) == customers && found.total == Int64(customers.count)
            }
        }
        try await expect([open.place], [], "while nobody has approved a merchant")
        _ = try await world.ask(Auth.DecideMerchant(merchant: new, approved: true))
        try await expect([hidden.place, open.place], [customer], "after a merchant is approved")
        _ = try await world.ask(Auth.DecideMerchant(merchant: new, approved: false, reason: "A case of the kit"))
        try await expect([open.place], [], "after a merchant is rejected")
        let own = try await trial.asker.ask(Location.ReadPlaces(merchant: new)).places
        try require(own == [hidden], "a merchant who is not approved does not read its own places")
    }
}
