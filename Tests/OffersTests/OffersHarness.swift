import Bus
import Contracts
import Foundation
import OffersService
import Primitives
import Synchronization
import TestKit
import Testing

/// Offers without its process: store and handlers, with a clock that the test moves and facts that the test tells.
final class OffersHarness: Sendable {
    let clock = ManualClock()
    let store: DealStore
    let service: DealService
    let world = FakeWorld()
    let directory: TemporaryDirectory
    private let published = Mutex<[String: Int64]>([:])
    /// What each source has told so far.
    private let logs = Mutex<[String: [Envelope]]>([:])

    /// - Parameters:
    ///   - directory: that of an earlier harness, to open its file again.
    ///   - logs: what the others had told that one: what its file does not have is heard again.
    init(
        _ kind: StoreKind = .inMemory, rules: DealRules = DealRules(), in directory: TemporaryDirectory? = nil,
        at start: Timestamp? = nil, hearing logs: [String: [Envelope]] = [:]
    ) async throws {
        let directory = try directory ?? TemporaryDirectory()
        self.directory = directory
        switch kind {
        case .inMemory: store = try DealStore()
        case .file: store = try DealStore(.file(directory.path + "/offers.sqlite"))
        }
        if let start { clock.set(start) }
        service = DealService(store: store, asking: world, clock: clock.wall, rules: rules)
        try await store.load(at: clock.now)
        for source in [Auth.service, Payments.service, Location.service] {
            let position = try await store.store.position(of: source).sequence
            let behind = (logs[source] ?? []).filter { $0.sequence ?? 0 > position }
            if !behind.isEmpty { try await consume(behind) }
            published.withLock { $0[source] = behind.last?.sequence ?? position }
        }
    }

    /// Before the file is opened again.
    func close() async throws { try await store.store.close() }

    /// All that others have told, for the next harness on the same file.
    var consumed: [String: [Envelope]] { logs.withLock { $0 } }

    /// Alice and Bob, who differ in everything, and two approved merchants.
    static func peopled(
        _ kind: StoreKind = .inMemory, rules: DealRules = DealRules(), in directory: TemporaryDirectory? = nil
    ) async throws -> OffersHarness {
        let offers = try await OffersHarness(kind, rules: rules, in: directory)
        try await offers.register(.cafe, .merchant, "Corner Café")
        try await offers.register(.bakery, .merchant, "Bakery")
        try await offers.register(
            .alice, .customer, "Alice", birthdate: CivilDate("2001-05-30"), gender: .female, student: true)
        try await offers.register(
            .bob, .customer, "Bob", birthdate: CivilDate("1970-01-01"), gender: .male, student: false)
        return offers
    }

    func context(_ actor: Actor? = nil) -> AskContext {
        AskContext(deadline: clock.now + .seconds(30), correlationID: "c-1", causationID: "ask-1", actor: actor)
    }

    // MARK: Facts of others

    func consume(_ fact: some Fact) async throws { try await consume([envelope(of: fact)]) }

    func envelope<F: Fact>(of fact: F) -> Envelope {
        let sequence = published.withLock { published in
            published[F.type.service, default: 0] += 1
            return published[F.type.service] ?? 0
        }
        return Envelope(
            id: "\(F.type.service)-\(sequence)", source: F.type.service, type: F.type.name, time: clock.now,
            sequence: sequence, data: fact.json)
    }

    func consume(_ facts: [Envelope]) async throws {
        logs.withLock { $0[facts.first?.source ?? "", default: []] += facts }
        switch facts.first?.source {
        case Auth.service: try await store.applyAuth(facts)
        case Payments.service: try await store.applyPayments(facts)
        default: try await service.apply(facts)
        }
    }

    func register(
        _ account: PartyID, _ role: Auth.Role, _ name: String, birthdate: CivilDate? = nil,
        gender: Auth.Gender? = nil, student: Bool? = nil, status: Auth.MerchantStatus? = nil
    ) async throws {
        try await consume(
            Auth.AccountRegistered(
                account: account, role: role, name: name, time: clock.now, username: name.lowercased(),
                birthdate: birthdate, gender: gender, student: student,
                status: status ?? (role == .merchant ? .approved : nil)))
    }

    /// A merchant's settings name these kinds of products.
    func sell(_ types: [String]?, by merchant: PartyID) async throws {
        try await consume(
            Auth.ProfileChanged(
                account: merchant, role: .merchant, username: merchant == .cafe ? "corner café" : "bakery",
                name: merchant == .cafe ? "Corner Café" : "Bakery", birthdate: nil, gender: nil, student: nil,
                time: clock.now, productTypes: types))
    }

    @discardableResult
    func pay(
        _ charge: ChargeID = .fresh(), by customer: PartyID = .alice, to merchant: PartyID = .cafe,
        _ minor: Int64 = 1000, coupon: OfferID? = nil, discount: Int64? = nil, requested: Bool? = nil,
        at time: Timestamp? = nil
    ) async throws -> ChargeID {
        try await consume(
            Payments.ChargeCaptured(
                charge: charge, merchant: merchant, customer: customer, card: CardID(high: 7, low: 7),
                amount: Money(minor), memo: "", entry: 1, time: time ?? clock.now, coupon: coupon,
                discount: discount.map { Money($0) }, requested: requested))
        return charge
    }

    func close(_ charge: ChargeID, _ reason: Wallet.CloseReason = .declined) async throws {
        try await consume(
            Payments.ChargeClosed(
                charge: charge, merchant: .cafe, customer: .alice, amount: Money(1000), reason: reason,
                time: clock.now))
    }

    func refund(
        _ charge: ChargeID, _ minor: Int64 = 1000, inAll: Int64? = nil, of paid: Int64? = 1000,
        from time: Timestamp? = nil
    ) async throws {
        try await consume(
            Payments.ChargeRefunded(
                charge: charge, merchant: .cafe, customer: .alice, amount: Money(minor),
                refunded: Money(inAll ?? minor), time: clock.now, paid: paid.map { Money($0) },
                captured: paid.map { _ in time ?? clock.now }))
    }

    func enter(_ customer: PartyID = .alice, _ merchant: PartyID = .cafe, at time: Timestamp? = nil) async throws {
        try await consume(
            Location.FenceEntered(
                customer: customer, merchant: merchant, place: .first, time: time ?? clock.now))
    }

    // MARK: Asks

    @discardableResult
    func submit(
        _ terms: Offers.Terms = .coupon, _ kind: Offers.Kind = .coupon, as id: OfferID = .fresh(),
        by merchant: PartyID = .cafe, actor: Actor? = nil
    ) async throws(Fault) -> Offers.OfferReply {
        try await SubmitOfferHandler(service).admit(
            .init(offer: id, kind: kind, merchant: merchant, terms: terms), in: context(actor))
    }

    @discardableResult
    func edit(
        _ id: OfferID, _ terms: Offers.Terms, revision: Int64? = nil, by merchant: PartyID = .cafe,
        actor: Actor? = nil
    ) async throws(Fault) -> Offers.OfferView {
        try await EditOfferHandler(service).admit(
            .init(offer: id, merchant: merchant, revision: revision, terms: terms), in: context(actor))
    }

    @discardableResult
    func decide(
        _ id: OfferID, _ accepted: Offers.Acceptance = .accepted, reason: String? = nil, revision: Int64 = 1,
        actor: Actor? = nil
    ) async throws(Fault) -> Offers.OfferReply {
        try await DecideOfferHandler(service).admit(
            .init(offer: id, revision: revision, accepted: accepted, reason: reason), in: context(actor))
    }

    @discardableResult
    func enable(
        _ id: OfferID, _ enabled: Bool, by merchant: PartyID = .cafe, actor: Actor? = nil
    ) async throws(Fault) -> Offers.OfferView {
        try await EnableOfferHandler(service).admit(
            .init(offer: id, merchant: merchant, enabled: enabled), in: context(actor))
    }

    /// An offer that is accepted.
    @discardableResult
    func live(
        _ terms: Offers.Terms = .coupon, _ kind: Offers.Kind = .coupon, by merchant: PartyID = .cafe
    ) async throws(Fault) -> OfferID {
        let id = try await submit(terms, kind, by: merchant).offer.offer
        try await decide(id)
        return id
    }

    @discardableResult
    func subscribe(
        _ customer: PartyID = .alice, to merchant: PartyID = .cafe, ads: Bool = true, coupons: Bool = true,
        actor: Actor? = nil
    ) async throws(Fault) -> Offers.SubscriptionView {
        try await SetSubscriptionHandler(service).admit(
            .init(
                customer: customer, merchant: merchant, subscription: .init(ads: ads, coupons: coupons)),
            in: context(actor))
    }

    func find(
        _ customer: PartyID = .alice, _ kind: Offers.Kind? = nil, at point: Coordinate? = nil, limit: Int = 100,
        actor: Actor? = nil
    ) async throws(Fault) -> Offers.Deals {
        try await FindDealsHandler(service).admit(
            .init(
                customer: customer, kind: kind, latitude: point.map { Int64($0.latitude) },
                longitude: point.map { Int64($0.longitude) }, limit: limit), in: context(actor))
    }

    /// The ids of what a customer is shown.
    func shown(_ customer: PartyID = .alice, _ kind: Offers.Kind? = nil, at point: Coordinate? = nil)
        async throws(Fault) -> [OfferID]
    {
        try await find(customer, kind, at: point).deals.map(\.offer)
    }

    @discardableResult
    func reserve(
        _ coupon: OfferID, _ charge: ChargeID = .fresh(), by customer: PartyID = .alice, at merchant: PartyID = .cafe,
        _ minor: Int64 = 1000, actor: Actor? = nil
    ) async throws(Fault) -> Offers.ReserveCoupon.Reply {
        try await ReserveCouponHandler(service).admit(
            .init(
                coupon: coupon, charge: charge, customer: customer, merchant: merchant, amount: Money(minor),
                expires: clock.now + .seconds(300)), in: context(actor))
    }

    @discardableResult
    func push(
        _ offer: OfferID, _ push: OperationID = .fresh(), by merchant: PartyID = .cafe, place: PlaceID? = nil,
        actor: Actor? = nil
    ) async throws(Fault) -> Offers.PushOffer.Reply {
        try await PushOfferHandler(service).admit(
            .init(push: push, offer: offer, merchant: merchant, place: place), in: context(actor))
    }

    @discardableResult
    func prefer(
        _ preferences: Offers.Preferences, _ customer: PartyID = .alice, actor: Actor? = nil
    ) async throws(Fault) -> Offers.Preferences {
        try await SetPreferencesHandler(service).admit(
            .init(customer: customer, preferences: preferences), in: context(actor))
    }

    func explain(
        _ offer: OfferID, _ customer: PartyID = .alice, at point: Coordinate? = nil, actor: Actor? = nil
    ) async throws(Fault) -> Offers.ExplainOffer.Reply {
        try await ExplainOfferHandler(service).admit(
            .init(
                offer: offer, customer: customer, latitude: point.map { Int64($0.latitude) },
                longitude: point.map { Int64($0.longitude) }), in: context(actor))
    }

    func audience(_ offer: OfferID, actor: Actor? = nil) async throws(Fault) -> Offers.CountAudience.Reply {
        try await CountAudienceHandler(service).admit(.init(offer: offer), in: context(actor))
    }

    func history(
        _ customer: PartyID = .alice, before: Int64? = nil, limit: Int = 20, actor: Actor? = nil
    ) async throws(Fault) -> Offers.ReadHistory.Reply {
        try await ReadHistoryHandler(service).admit(
            .init(customer: customer, before: before, limit: limit), in: context(actor))
    }

    func deal(_ offer: OfferID, _ customer: PartyID = .alice, actor: Actor? = nil) async throws(Fault)
        -> Offers.ReadDeal.Reply
    {
        try await ReadDealHandler(service).admit(.init(customer: customer, offer: offer), in: context(actor))
    }

    func search(
        merchant: String? = nil, product: String? = nil, _ customer: PartyID = .alice, actor: Actor? = nil
    ) async throws(Fault) -> Offers.SearchDeals.Reply {
        try await SearchDealsHandler(service).admit(
            .init(customer: customer, merchant: merchant, product: product, limit: 20), in: context(actor))
    }

    @discardableResult
    func join(_ customer: PartyID = .alice, _ joined: Bool = true, actor: Actor? = nil) async throws(Fault)
        -> Offers.RewardsView
    {
        try await JoinRewardsHandler(service).admit(.init(customer: customer, joined: joined), in: context(actor))
    }

    func stars(_ customer: PartyID = .alice, actor: Actor? = nil) async throws(Fault) -> Offers.RewardsView {
        try await ReadRewardsHandler(service).admit(.init(customer: customer), in: context(actor))
    }

    // MARK: What was told

    func facts() async throws -> [Envelope] {
        try await store.store.read(after: 0, limit: 1000).facts.map { try Envelope(json: $0.bytes) }
    }

    func facts<F: Fact>(_ type: F.Type) async throws -> [F] {
        try await facts().filter { $0.type == F.type.name }.map { try F(json: $0.data) }
    }
}

/// Location and auth as far as offers asks them, and payments' log.
final class FakeWorld: Asking {
    private struct State {
        var positions: [PartyID: Coordinate] = [:]
        var nearby: [PartyID] = []
        var asked: [MessageType: Int] = [:]
        var paymentsHead: Int64?
        var places: [PartyID: Coordinate] = [:]
        var isLocationAway = false
    }

    private let state = Mutex(State())

    /// Payments is there, and has told so many facts.
    func payments(head: Int64) { state.withLock { $0.paymentsHead = head } }

    func put(_ customer: PartyID, at point: Coordinate?) { state.withLock { $0.positions[customer] = point } }
    /// The one place of a merchant.
    func place(_ merchant: PartyID, at point: Coordinate) { state.withLock { $0.places[merchant] = point } }
    func away(_ isAway: Bool) { state.withLock { $0.isLocationAway = isAway } }
    func near(_ customers: PartyID...) { state.withLock { $0.nearby = customers } }
    func asked(_ type: MessageType) -> Int { state.withLock { $0.asked[type] ?? 0 } }

    func ask<A: Ask>(_ ask: A, in context: AskContext) async throws(Fault) -> A.Reply {
        state.withLock { $0.asked[A.type, default: 0] += 1 }
        guard let reply = try answer(ask, context) as? A.Reply else { throw Fault(.unknownType) }
        return reply
    }

    private func answer(_ ask: any Ask, _ context: AskContext) throws(Fault) -> any Sendable {
        let state = state.withLock { $0 }
        if state.isLocationAway, type(of: ask).type.service == Location.service { throw Fault(.noWorker) }
        switch ask {
        case is ReadFacts<Payments>:
            guard let head = state.paymentsHead, context.actor == nil else { throw Fault(.noWorker) }
            return FactsPage(facts: [], head: head)
        case let ask as Location.FindNear:
            guard context.actor == nil else { throw Fault(.forbidden) }
            guard let point = Coordinate(latitude: ask.latitude, longitude: ask.longitude) else {
                throw Fault(.coordinateInvalid)
            }
            return Location.FindNear.Reply(
                merchants: ask.merchants.compactMap { merchant in
                    state.places[merchant].map { ($0.metres(to: point)).rounded() }
                        .flatMap {
                            $0 <= Double(ask.radiusMetres) ? .init(merchant: merchant, distanceMetres: Int64($0)) : nil
                        }
                })
        case let ask as Location.ReadPosition:
            // Nobody else's business: only services are told.
            guard context.actor == nil else { throw Fault(.forbidden) }
            guard let point = state.positions[ask.customer] else { throw Fault(.positionUnknown) }
            let time = Timestamp(milliseconds: 0)
            return Location.Position(
                latitude: Int64(point.latitude), longitude: Int64(point.longitude), time: time, expires: time)
        case let ask as Location.FindCustomers:
            guard ask.place == nil || ask.place == .first else { throw Fault(.placeNotFound) }
            let customers = state.nearby.map { customer in
                Location.NearbyCustomer(
                    customer: customer, username: nil, place: .first, distanceMetres: 25,
                    time: Timestamp(milliseconds: 0))
            }
            return Location.FindCustomers.Reply(customers: customers, total: Int64(customers.count))
        case let ask as Auth.ReadAccount:
            guard ask.account == .kiosk else { throw Fault(.partyNotFound) }
            return Auth.AccountView(account: .kiosk, role: .merchant, username: "kiosk", name: "Kiosk")
        default: throw Fault(.unknownType)
        }
    }
}

private let numbers = Atomic<UInt64>(1)

extension Identifier {
    /// One that no test has had before.
    static func fresh() -> Identifier {
        Identifier(high: 0xF, low: numbers.add(1, ordering: .sequentiallyConsistent).newValue)
    }
}

extension PartyID {
    static let alice = PartyID(high: 1, low: 0xA)
    static let bob = PartyID(high: 1, low: 0xB)
    static let cafe = PartyID(high: 2, low: 0xCA)
    static let bakery = PartyID(high: 2, low: 0xBA)
    /// A merchant of whom auth has not told yet.
    static let kiosk = PartyID(high: 2, low: 0xC1)
}

extension PlaceID {
    static let first = PlaceID(high: 3, low: 1)
}

extension Offers.Terms {
    static let coupon = Offers.Terms(
        title: "Half price", content: "Of all coffees", discount: Offers.Discount(percent: 50))
    static let ad = Offers.Terms(title: "New beans", content: "From the hills")

    static func ad(
        minAge: Int? = nil, maxAge: Int? = nil, gender: Auth.Gender? = nil, student: Bool = false,
        minVisits: Int? = nil, maxVisits: Int? = nil, withinDays: Int? = nil, entry: Bool = false,
        at point: Coordinate? = nil, radius: Int64? = nil, from: Timestamp? = nil, to: Timestamp? = nil
    ) -> Offers.Terms {
        Offers.Terms(
            title: "New beans", content: "From the hills", minAge: minAge, maxAge: maxAge, targetGender: gender,
            student: student, sendTime: from, expDate: to, targetLat: point.map { Int64($0.latitude) },
            targetLon: point.map { Int64($0.longitude) }, radiusMetres: radius, minVisits: minVisits,
            maxVisits: maxVisits, withinDays: withinDays, sendOnEntry: entry)
    }

    static func coupon(
        _ discount: Offers.Discount = .init(percent: 50), minimum: Int64? = nil, each: Int? = nil,
        inAll: Int? = nil, stars: Int? = nil, maxVisits: Int? = nil, to: Timestamp? = nil
    ) -> Offers.Terms {
        Offers.Terms(
            title: "Half price", content: "Of all coffees", expDate: to, maxVisits: maxVisits, discount: discount,
            minimum: minimum.map { Money($0) }, usesPerCustomer: each, usesInAll: inAll, stars: stars)
    }
}

extension Coordinate {
    /// 001-86's example.
    static let square = Coordinate(checkedLatitude: 35_198_284, longitude: -111_651_302)

    /// So far north and east of here, to the nearest millionth of a degree.
    func moved(north: Double = 0, east: Double = 0) -> Coordinate {
        let width = FlatEarth.metresPerMillionth * cos(Double(latitude) * FlatEarth.radiansPerMillionth)
        return Coordinate(
            checkedLatitude: latitude + Int32((north / FlatEarth.metresPerMillionth).rounded()),
            longitude: longitude + Int32((east / width).rounded()))
    }
}
