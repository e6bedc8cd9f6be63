import Bus
import Contracts
import Primitives
import Wire

/// What the handlers of offers share: the store with its offer index, the bus, the rules and the clock.
package final class DealService: Sendable {
    package let store: DealStore
    let bus: any Asking
    let clock: WallClock
    let accounts: AccountDirectory
    let rules: DealRules
    /// Waits until payments' facts up to that one have been applied.
    private let appliedPayments: @Sendable (Int64, Timestamp) async throws(Fault) -> Void

    package init(
        store: DealStore, asking bus: any Asking, clock: WallClock = .system, rules: DealRules = .init(),
        appliedPayments: @escaping @Sendable (Int64, Timestamp) async throws(Fault) -> Void = { _, _ in }
    ) {
        self.store = store
        self.bus = bus
        self.clock = clock
        self.rules = rules
        self.appliedPayments = appliedPayments
        accounts = AccountDirectory(asking: bus, clock: clock)
    }

    /// How long an answer may wait for news of payments.
    private static let newsPatience = Duration.seconds(2)

    /// Reads every payment that was acknowledged before the call, so that a customer who has just paid finds the star.
    /// While payments is away, what is known has to do: stars are no money.
    func readPayments(in context: AskContext) async {
        let own = context.onOwnBehalf.by(clock.now() + Self.newsPatience)
        do throws(Fault) { try await applyAllPayments(in: own) } catch {}
    }

    /// Returns once all is applied that payments has published, or has answered with, until now.
    private func applyAllPayments(in context: AskContext) async throws(Fault) {
        // Behind its end the log is answered for once it holds what payments has acknowledged.
        let head = try await bus.ask(ReadFacts<Payments>(after: .max, limit: 1), in: context).head
        try await appliedPayments(head, context.deadline)
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
        // An index that could not be loaded has nothing to count; asks report the fault.
        let figures = try? store.index { index throws(Fault) in
            [
                ("offers", index.offerCount), ("offers_live", index.liveCount),
                ("customers", index.knownCustomers), ("merchants", index.merchants.count)
            ]
        }
        return figures ?? []
    }

    /// Forgets offers that have ended, and releases coupons whose charges should have ended and have no fact of it.
    /// To be called every few seconds.
    ///
    /// - Throws: `bus.unavailable`, or what keeps payments' facts from being read.
    package func sweep() async throws(Fault) {
        let now = clock.now()
        store.sweep(at: now)
        let end = now - rules.grace
        guard try await !store.overdue(before: end, limit: 1).isEmpty else { return }
        // A charge whose end is in these facts is settled by them. One that is not in them was never made, or ended
        // before its coupon was reserved.
        let context = AskContext(deadline: now + .seconds(5))
        try await applyAllPayments(in: context)
        for reservation in try await store.overdue(before: end, limit: Self.overdueMax) {
            try await store.settle(reservation.charge, .closed, at: now, causedBy: context)
        }
    }

    /// Reservations released in one sweep.
    private static let overdueMax = 100
}

extension AskContext {
    /// Whose offers a merchant or an administrator may see; nil for all of them.
    var merchantSeen: PartyID? { actor.flatMap { $0.role == .merchant ? $0.party : nil } }
}
