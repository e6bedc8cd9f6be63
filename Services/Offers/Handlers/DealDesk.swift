import Bus
import Contracts
import Primitives
import Wire

/// What the handlers of offers work with: the store with its market, the way to other services, rules and clock.
package final class DealDesk: Sendable {
    package let store: DealStore
    let bus: any Asking
    let clock: WallClock
    let rules: DealRules
    /// Waits until payments' facts up to that one have been heard.
    private let heardPayments: @Sendable (Int64, Timestamp) async throws(Fault) -> Void

    package init(
        store: DealStore, asking bus: any Asking, clock: WallClock = .system, rules: DealRules = .init(),
        heardPayments: @escaping @Sendable (Int64, Timestamp) async throws(Fault) -> Void = { _, _ in }
    ) {
        self.store = store
        self.bus = bus
        self.clock = clock
        self.rules = rules
        self.heardPayments = heardPayments
    }

    /// How long an answer may wait for news of payments.
    private static let newsPatience = Duration.seconds(2)

    /// Hears of every payment that the customer has been told of, so that who has just paid finds the star. Where payments
    /// is not there, what is known has to do: stars are no money.
    func hearPayments(of customer: PartyID, in context: AskContext) async {
        let own = context.onOwnBehalf.by(clock.now() + Self.newsPatience)
        do throws(Fault) {
            // Answers once payments itself knows all that anyone was told of.
            _ = try await bus.ask(Payments.ReadCharges(party: customer, state: nil, before: nil, limit: 1), in: own)
            let head = try await bus.ask(ReadFacts<Payments>(after: .max, limit: 1), in: own).head
            try await heardPayments(head, own.deadline)
        } catch {}
    }

    /// How long an answer may wait for a position: without one, what has no place is found.
    private static let patience = Duration.milliseconds(300)

    /// Where a customer was last, if they share it and location is there. Asked for the service's own sake: it goes no
    /// farther than to the rules.
    func position(of customer: PartyID, in context: AskContext) async -> Coordinate? {
        let own = context.onOwnBehalf.by(clock.now() + Self.patience)
        do throws(Fault) {
            let known = try await bus.ask(Location.ReadPosition(customer: customer), in: own)
            return Coordinate(latitude: known.latitude, longitude: known.longitude)
        } catch {
            return nil
        }
    }

    /// The point that an ask names; nil where it names none.
    ///
    /// - Throws: `bus.malformed`, where there is only half of it.
    func point(_ latitude: Int64?, _ longitude: Int64?) throws(Fault) -> Coordinate? {
        switch (latitude, longitude) {
        case (nil, nil): return nil
        case (let latitude?, let longitude?):
            return Coordinate(latitude: latitude, longitude: longitude)
        default: throw Fault(.malformed, "'latitude' and 'longitude' go together")
        }
    }

    /// A page that fits into an envelope: long texts may leave room for fewer than were asked for.
    func page<Reply: WireMessage>(
        _ limit: Int, _ make: (Int) async throws(Fault) -> Reply
    ) async throws(Fault) -> Reply {
        var limit = limit
        while true {
            let reply = try await make(limit)
            if limit == 1 || reply.json.count <= FactsPage.bytesMax { return reply }
            limit /= 2
        }
    }

    /// What there is, by name.
    package var figures: [(name: String, value: Int)] {
        // Without a market there is nothing to count; asks say what is wrong with it.
        let figures = try? store.market { market throws(Fault) in
            [
                ("offers", market.offerCount), ("offers_live", market.liveCount),
                ("customers", market.knownCustomers), ("merchants", market.merchants.count)
            ]
        }
        return figures ?? []
    }

    /// Forgets offers that have ended, and asks after charges of which nobody has told. To be called every few seconds.
    ///
    /// - Throws: `bus.unavailable`.
    package func sweep() async throws(Fault) {
        let now = clock.now()
        store.sweep(at: now)
        for reservation in try await store.overdue(before: now - rules.grace, limit: Self.overdueMax) {
            try await settle(reservation, at: now)
        }
    }

    /// Charges asked after in one sweep.
    private static let overdueMax = 100

    /// A charge that nobody knows so long after its end was never made, and never will be. Of one that was captured the
    /// fact is on its way: it alone says with which coupon.
    private func settle(_ reservation: Reservation, at now: Timestamp) async throws(Fault) {
        let context = AskContext(deadline: now + .seconds(5))
        do throws(Fault) {
            let ask = Payments.ReadCharge(charge: reservation.charge, party: reservation.customer)
            switch try await bus.ask(ask, in: context).state {
            case .requested, .captured: return
            case .declined, .cancelled, .expired: break
            }
        } catch {
            guard error.code == .chargeNotFound else { return }
        }
        try await store.settle(reservation.charge, .closed, at: now, causedBy: context)
    }
}

extension AskContext {
    /// Whose offers a merchant or an administrator may see; nil for all of them.
    var merchantSeen: PartyID? { actor.flatMap { $0.role == .merchant ? $0.party : nil } }
}
