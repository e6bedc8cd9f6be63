import Contracts
import Primitives

/// Finds offers for customers in memory. It mirrors the store and changes in the order of the store's transactions. A
/// value: it reads no clock and no disk.
///
/// Customers get offers only from merchants that they subscribe to, so a search visits those merchants; each one's live
/// offers are contiguous in memory.
package struct OfferIndex: Sendable {
    package struct Merchant: Sendable {
        package var name = ""
        package var username: String?
        package var isKnown = false
        /// Merchants from before approvals existed are approved.
        package var isApproved = false
        package var productTypes: [Offers.ProductType] = []
        fileprivate(set) var adSubscribers: Set<PartyID> = []
        fileprivate(set) var couponSubscribers: Set<PartyID> = []
        /// Name and username in lowercase, for searches.
        fileprivate var names: [[UInt8]] = []
        /// Kinds of its products in lowercase, for searches.
        fileprivate var types: Set<String> = []

        package init() {}

        fileprivate mutating func noteNames() {
            names = [name, username].compactMap { $0.map { Array($0.lowercased().utf8) } }
            types = Set(productTypes.map { $0.type.lowercased() })
        }

        fileprivate func isNamed(_ part: [UInt8]) -> Bool {
            names.contains { name in
                name.count >= part.count
                    && (0...name.count - part.count).contains { name[$0..<$0 + part.count].elementsEqual(part) }
            }
        }

        func subscribers(_ kind: Offers.Kind) -> Set<PartyID> { kind == .ad ? adSubscribers : couponSubscribers }
    }

    package struct Customer: Sendable {
        /// Whether auth has published the account.
        package var isKnown = false
        package var profile = Profile()
        package var wants = Wants()
        package var muted: Set<PartyID> = []
        package var subscriptions: [PartyID: Offers.Subscription] = [:]
        package var histories: [PartyID: History] = [:]
        /// When the customer joined the loyalty programme; nil for never.
        package var joined: Timestamp?

        package init() {}

        package var preferences: Offers.Preferences {
            Offers.Preferences(
                enabled: wants.enabled, ads: wants.ads, coupons: wants.coupons,
                muted: muted.sorted { ($0.high, $0.low) < ($1.high, $1.low) }, perDay: wants.perDay)
        }
    }

    /// What each search reads of a merchant, apart from the rest. Its live offers are contiguous, as a search costs
    /// mostly cache misses.
    private struct Shop {
        var isApproved = false
        var live: [Live] = []
    }

    private struct Live {
        let number: Int32
        /// Times and approximate area. Most offers are for another part of the city, and cost only this test.
        let gate: Gate
        let target: Target
    }

    /// How often a coupon was reserved or redeemed.
    private struct Uses {
        private(set) var inAll = 0
        private var each: [PartyID: Int] = [:]

        func by(_ customer: PartyID) -> Int { each[customer] ?? 0 }

        mutating func add(_ step: Int, by customer: PartyID) {
            inAll += step
            let sum = by(customer) + step
            each[customer] = sum == 0 ? nil : sum
        }
    }

    package private(set) var merchants: [PartyID: Merchant] = [:]
    private var shops: [PartyID: Shop] = [:]
    package private(set) var customers: [PartyID: Customer] = [:]
    /// Offers that have not ended, by number; nil for a free number.
    private var offers: [Offer?] = []
    /// Uses of each of them, by number.
    private var uses: [Uses] = []
    /// Uses of coupons without a number, which have ended or are read after their reservations.
    private var usesOfOthers: [OfferID: Uses] = [:]
    private var numbers: [OfferID: Int32] = [:]
    private var free: [Int32] = []
    /// Charges with an open reservation.
    private var reserved: Set<ChargeID> = []
    package private(set) var liveCount = 0
    package private(set) var knownCustomers = 0
    /// Offers that ended before are not in it.
    private(set) var start = Timestamp(milliseconds: .min)

    package init() {}

    init(from start: Timestamp) { self.start = start }

    package var offerCount: Int { numbers.count }

    package func offer(_ id: OfferID) -> Offer? { numbers[id].flatMap { offers[Int($0)] } }

    func offer(number: Int32) -> Offer? { offers[Int(number)] }

    func has(_ id: OfferID) -> Bool { numbers[id] != nil }

    // MARK: Changes, each after it was written

    /// Adds an offer, or replaces the one with its id.
    package mutating func put(_ offer: Offer) {
        remove(offer.id)
        let number: Int32
        if let vacant = free.popLast() {
            number = vacant
            offers[Int(number)] = offer
        } else {
            number = Int32(offers.count)
            offers.append(offer)
            uses.append(Uses())
        }
        numbers[offer.id] = number
        uses[Int(number)] = usesOfOthers.removeValue(forKey: offer.id) ?? Uses()
        guard offer.isLive else { return }
        let target = Target(offer)
        shops[offer.merchant, default: Shop()].live.append(Live(number: number, gate: Gate(target), target: target))
        liveCount += 1
    }

    package mutating func remove(_ id: OfferID) {
        guard let number = numbers.removeValue(forKey: id), let offer = offers[Int(number)] else { return }
        offers[Int(number)] = nil
        usesOfOthers[id] = uses[Int(number)]
        uses[Int(number)] = Uses()
        free.append(number)
        guard offer.isLive, let index = shops[offer.merchant]?.live.firstIndex(where: { $0.number == number }) else {
            return
        }
        shops[offer.merchant]?.live.remove(at: index)
        liveCount -= 1
    }

    /// Removes offers that have ended, and how often they were used; the store keeps both. Visits all offers, so call
    /// it seldom.
    package mutating func sweep(at now: Timestamp) {
        for offer in offers.compactMap(\.self) where offer.expires < now { remove(offer.id) }
        usesOfOthers = [:]
        start = now
    }

    /// Counts again the uses of a coupon that the index does not have: before it is put, or looked at.
    mutating func recall(_ coupon: OfferID, usedBy customers: [PartyID]) {
        guard numbers[coupon] == nil else { return }
        usesOfOthers[coupon] = nil
        for customer in customers { count(coupon, by: customer, 1) }
    }

    package mutating func changeMerchant(_ merchant: PartyID, _ body: (inout Merchant) -> Void) {
        body(&merchants[merchant, default: Merchant()])
        merchants[merchant]?.noteNames()
        shops[merchant, default: Shop()].isApproved = merchants[merchant]?.isApproved == true
    }

    package mutating func changeCustomer(_ customer: PartyID, _ body: (inout Customer) -> Void) {
        let wasKnown = customers[customer]?.isKnown == true
        body(&customers[customer, default: Customer()])
        if customers[customer]?.isKnown == true, !wasKnown { knownCustomers += 1 }
    }

    package mutating func subscribe(_ customer: PartyID, to merchant: PartyID, _ subscription: Offers.Subscription) {
        customers[customer, default: Customer()].subscriptions[merchant] =
            subscription == .none ? nil : subscription
        func note(_ isOne: Bool, _ subscribers: inout Set<PartyID>) {
            if isOne { subscribers.insert(customer) } else { subscribers.remove(customer) }
        }
        note(subscription.ads, &merchants[merchant, default: Merchant()].adSubscribers)
        note(subscription.coupons, &merchants[merchant, default: Merchant()].couponSubscribers)
    }

    /// Counts one use more for a reserved coupon, or one less for a released one.
    package mutating func count(_ reservation: Reservation, _ step: Int) {
        count(reservation.coupon, by: reservation.customer, step)
        guard reservation.stars > 0 else { return }
        customers[reservation.customer, default: Customer()].histories[reservation.merchant, default: History()]
            .starsSpent += step * reservation.stars
    }

    mutating func count(_ coupon: OfferID, by customer: PartyID, _ step: Int) {
        if let number = numbers[coupon] {
            uses[Int(number)].add(step, by: customer)
        } else {
            usesOfOthers[coupon, default: Uses()].add(step, by: customer)
        }
    }

    /// Notes that a coupon is bound to a charge, until the charge ends.
    package mutating func reserve(_ charge: ChargeID) { reserved.insert(charge) }

    package mutating func end(_ charge: ChargeID) { reserved.remove(charge) }

    package mutating func add(_ tally: Tally) {
        for (pair, change) in tally.changes { add(change, to: pair) }
    }

    package mutating func add(_ change: History.Change, to pair: Tally.Pair) {
        customers[pair.customer, default: Customer()].histories[pair.merchant, default: History()].add(change)
    }

    // MARK: Payments

    /// Whether a coupon has to be settled: a charge was paid with one, or ended with one that is reserved.
    package func settles(_ news: PaymentNews) -> Bool {
        switch news {
        case .captured(let published): published.coupon != nil || reserved.contains(published.charge)
        case .closed(let published): reserved.contains(published.charge)
        case .refunded, .nothing: false
        }
    }

    /// The change of the customer's history with the merchant.
    package func change(by news: PaymentNews) -> (Tally.Pair, History.Change)? {
        switch news {
        case .captured(let published):
            let stars = isStar(published.customer, at: published.time) ? 1 : 0
            return (.init(published.customer, published.merchant), .init(visits: 1, stars: stars, last: published.time))
        case .refunded(let published):
            guard published.isInFull else { return nil }
            let stars = published.captured.map { isStar(published.customer, at: $0) } == true ? 1 : 0
            return (.init(published.customer, published.merchant), .init(visits: -1, stars: -stars))
        case .closed, .nothing: return nil
        }
    }

    /// One star for each payment since the customer joined.
    func isStar(_ customer: PartyID, at time: Timestamp) -> Bool {
        customers[customer]?.joined.map { $0 <= time } ?? false
    }

    // MARK: What the rules look at

    /// The facts about a customer that the rules read for one offer.
    package func subject(_ customer: PartyID, for target: Target) -> Subject {
        var subject = common(
            customers[customer] ?? Customer(), with: target.merchant, shops[target.merchant] ?? Shop())
        let counted = counted(target.offer)
        subject.uses = counted.by(customer)
        subject.usesInAll = counted.inAll
        return subject
    }

    /// How often an offer was reserved or redeemed by anyone.
    func uses(of offer: OfferID) -> Int { counted(offer).inAll }

    private func counted(_ offer: OfferID) -> Uses {
        numbers[offer].map { uses[Int($0)] } ?? usesOfOthers[offer] ?? Uses()
    }

    /// The part that is the same for all offers of one merchant.
    private func common(_ customer: Customer, with merchant: PartyID, _ shop: Shop) -> Subject {
        var subject = Subject()
        subject.profile = customer.profile
        subject.wants = customer.wants
        subject.merchantIsApproved = shop.isApproved
        subject.isMuted = customer.muted.contains(merchant)
        subject.subscription = customer.subscriptions[merchant] ?? .none
        subject.history = customer.histories[merchant] ?? History()
        return subject
    }

    // MARK: Finding

    /// An offer that a search found, with the values that order it.
    package struct Match: Sendable {
        package let number: Int32
        /// Infinite for an offer without an area.
        package let metres: Double
        let expires: Timestamp
        let offer: OfferID

        /// Nearest first, then those that end first; equal ones have a fixed order.
        static func isBefore(_ left: Match, _ right: Match) -> Bool {
            if left.metres != right.metres { return left.metres < right.metres }
            if left.expires != right.expires { return left.expires < right.expires }
            return (left.offer.high, left.offer.low) < (right.offer.high, right.offer.low)
        }
    }

    package struct Found: Sendable {
        /// In order.
        package internal(set) var first: [Match] = []
        package internal(set) var total = 0
        /// Whether a position would have found more.
        package internal(set) var wantsPosition = false

        /// Inserts a match, if it is among the first `limit`.
        mutating func add(_ match: Match, limit: Int) {
            total += 1
            if first.count >= limit {
                guard let last = first.last, Match.isBefore(match, last) else { return }
                first.removeLast()
            }
            var (low, high) = (0, first.count)
            while low < high {
                let middle = (low + high) / 2
                if Match.isBefore(first[middle], match) { low = middle + 1 } else { high = middle }
            }
            first.insert(match, at: low)
        }
    }

    /// Finds the offers that a customer may be shown now.
    ///
    /// - Parameters:
    ///   - merchants: only their offers; nil for all subscriptions.
    ///   - near: how far merchants' places are. Offers without an area of other merchants are left out; nil leaves out
    ///     none.
    package func find(
        _ customerID: PartyID, kind: Offers.Kind?, of wanted: Set<PartyID>? = nil, near: [PartyID: Double]? = nil,
        at moment: Moment, limit: Int
    ) -> Found {
        var found = Found()
        guard let customer = customers[customerID] else { return found }
        let rules = Targeting.shown
        let withoutPlace = rules.count - 1
        for merchantID in customer.subscriptions.keys {
            if let wanted, !wanted.contains(merchantID) { continue }
            guard let shop = shops[merchantID], !shop.live.isEmpty else { continue }
            var subject = common(customer, with: merchantID, shop)
            for index in shop.live.indices where shop.live[index].gate.isOpen(moment) {
                let (number, target) = (shop.live[index].number, shop.live[index].target)
                if let kind, target.kind != kind { continue }
                if target.area == nil, let near, near[merchantID] == nil { continue }
                subject.uses = target.usesPerCustomer == nil ? 0 : uses[Int(number)].by(customerID)
                subject.usesInAll = target.usesInAll == nil ? 0 : uses[Int(number)].inAll
                var passed = 0
                while passed < rules.count, Targeting.passes(rules[passed], target, subject, moment) { passed += 1 }
                if passed == rules.count {
                    let metres =
                        target.area.flatMap { area in moment.position.map { area.point.metres(to: $0) } }
                        ?? near?[merchantID]
                    found.add(
                        Match(
                            number: number, metres: metres ?? .infinity, expires: target.expires, offer: target.offer),
                        limit: limit)
                } else if passed == withoutPlace, moment.position == nil {
                    found.wantsPosition = true
                }
            }
        }
        return found
    }

    /// Merchants whose offers without an area a customer might be shown now.
    package func merchantsWithoutArea(
        for customer: PartyID, kind: Offers.Kind?, at moment: Moment
    ) -> [PartyID] {
        (customers[customer]?.subscriptions ?? [:]).keys.filter { merchant in
            shops[merchant]?.live.contains { offer in
                offer.target.area == nil && (kind ?? offer.target.kind) == offer.target.kind
                    && offer.gate.isOpen(moment)
            } ?? false
        }
    }

    /// Finds merchants by name and product, sorted by name.
    package func merchants(named name: String?, selling product: String?) -> [PartyID] {
        let name = name.map { Array($0.lowercased().utf8) }
        let product = product?.lowercased()
        return merchants.filter { _, merchant in
            guard merchant.isKnown, merchant.isApproved else { return false }
            if let name, !merchant.isNamed(name) { return false }
            guard let product else { return true }
            return merchant.types.contains(product)
        }.sorted { left, right in
            (left.value.name, left.key.high, left.key.low) < (right.value.name, right.key.high, right.key.low)
        }.map(\.key)
    }

    /// A merchant's live offers that are sent to customers who enter its fence.
    package func sentOnEntry(by merchant: PartyID) -> [Offer] {
        (shops[merchant]?.live ?? []).filter(\.target.sendOnEntry).compactMap { offers[Int($0.number)] }
    }

    // MARK: Counting

    package struct Audience: Sendable, Equatable {
        package var customers = 0
        package var subscribed = 0
        package var audience = 0
        package var excluded: [Offers.Rule: Int] = [:]
    }

    package func subscribers(of offer: Offer) -> [PartyID] {
        Array(merchants[offer.merchant]?.subscribers(offer.kind) ?? [])
    }

    /// Counts the subscribers that an offer would reach if it were accepted and its time had come.
    package func count(
        _ subscribers: ArraySlice<PartyID>, for offer: Offer, at now: Timestamp, into audience: inout Audience
    ) {
        let target = Target(offer)
        let moment = Moment(now: max(now, offer.sendTime), position: nil)
        for id in subscribers {
            audience.subscribed += 1
            let subject = subject(id, for: target)
            var passes = true
            for rule in Targeting.audience where !Targeting.passes(rule, target, subject, moment) {
                audience.excluded[rule, default: 0] += 1
                passes = false
            }
            if passes { audience.audience += 1 }
        }
    }
}
