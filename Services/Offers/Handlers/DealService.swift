import Bus
import Contracts
import Primitives

/// What the handlers of offers share: the store with its offer index, the bus, the rules and the clock.
package final class DealService: Sendable {
    package let store: DealStore
    let bus: any Asking
    let clock: WallClock
    let accounts: AccountDirectory
    let rules: DealRules
    /// Waits until payments' facts up to a sequence have been applied.
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

    /// How long an answer waits for payments' facts.
    private static let newsPatience = Duration.seconds(2)

    /// Applies every payment that was acknowledged before the call, so that a customer who has just paid finds the
    /// star. Without payments, the known ones are used: stars are no money.
    func readPayments(in context: AskContext) async {
        let own = context.onOwnBehalf.by(clock.now() + Self.newsPatience)
        do throws(Fault) { try await applyAllPayments(in: own) } catch {}
    }

    /// Returns once every payment that was acknowledged before the call has been applied.
    private func applyAllPayments(in context: AskContext) async throws(Fault) {
        // A read after the log's end is answered once the log has all acknowledged payments.
        let head = try await bus.ask(ReadFacts<Payments>(after: .max, limit: 1), in: context).head
        try await appliedPayments(head, context.deadline)
    }

    /// How long an answer waits for a position. Without one, only offers without an area are found.
    private static let patience = Duration.milliseconds(300)

    /// A customer's last position, if they share it and location answers. Asked as the service itself: the rules read
    /// it, and nobody is shown it.
    func position(of customer: PartyID, in context: AskContext) async -> Coordinate? {
        let own = context.onOwnBehalf.by(clock.now() + Self.patience)
        do throws(Fault) {
            let known = try await bus.ask(Location.ReadPosition(customer: customer), in: own)
            return Coordinate(latitude: known.latitude, longitude: known.longitude)
        } catch {
            return nil
        }
    }

    /// The point that an ask names, if any.
    ///
    /// - Throws: `bus.malformed` if one coordinate is missing.
    func point(_ latitude: Int64?, _ longitude: Int64?) throws(Fault) -> Coordinate? {
        switch (latitude, longitude) {
        case (nil, nil): return nil
        case (let latitude?, let longitude?):
            return Coordinate(latitude: latitude, longitude: longitude)
        default: throw Fault(.malformed, "'latitude' and 'longitude' go together")
        }
    }

    /// Gauges by name.
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

    /// Removes offers that have ended, and releases coupons of charges that should have ended and have no fact. Call it
    /// every few seconds.
    ///
    /// - Throws: `bus.unavailable`, or the fault of payments when its facts cannot be read.
    package func sweep() async throws(Fault) {
        let now = clock.now()
        try await store.sweep(at: now)
        let end = now - rules.grace
        guard try await !store.overdue(before: end, limit: 1).isEmpty else { return }
        // These facts settle every charge that ended. A charge without a fact was never made, or ended before its
        // coupon was reserved.
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
    /// The merchant whose offers the actor may see; nil for all merchants.
    var merchantSeen: PartyID? { actor.flatMap { $0.role == .merchant ? $0.party : nil } }
}
